/**
 * Connections kept for the next delivery to the same origin at the same addresses. A name that leads elsewhere has
 * another key, and so never gets a connection of before.
 */
import tls, { type SecureContext } from 'node:tls'
import type { CheckedTarget } from '../../ssrf/url-guard.ts'
import { PinnedConnection } from './pinned-connection.ts'

export class ConnectionPool {
  readonly #most: number
  readonly #secureContext: SecureContext
  readonly #open = new Set<PinnedConnection>()
  /** By key; the key that was used longest ago comes first, within a key the latest comes last. */
  readonly #idle = new Map<string, PinnedConnection[]>()

  /**
   * @param most connections at a time, idle ones included; beyond it the idle give way
   * @param ca certificates in PEM, trusted beside those that Node trusts
   */
  constructor(most: number, ca: readonly string[]) {
    this.#most = most
    // Made once: it is a third of what a new TLS connection costs.
    this.#secureContext = tls.createSecureContext(ca.length === 0 ? {} : { ca: [...tls.getCACertificates(), ...ca] })
  }

  /** An idle connection, or a new one. It is given back by `keep` or `drop`. */
  take(target: CheckedTarget): PinnedConnection {
    return this.#takeIdle(keyOf(target)) ?? this.open(target)
  }

  /** A new connection, whatever is idle. It is given back by `keep` or `drop`. */
  open(target: CheckedTarget): PinnedConnection {
    if (this.#open.size >= this.#most) this.#dropLongestIdle()
    const connection = new PinnedConnection(keyOf(target), target, this.#secureContext)
    connection.onceGone(() => this.drop(connection))
    this.#open.add(connection)
    return connection
  }

  /** Keeps a connection for the next delivery, unless it has ended or there are too many. */
  keep(connection: PinnedConnection): void {
    if (!connection.isOpen || this.#open.size > this.#most) {
      this.drop(connection)
      return
    }
    const idle = this.#idle.get(connection.key) ?? []
    idle.push(connection)
    this.#idle.delete(connection.key)
    this.#idle.set(connection.key, idle)
  }

  drop(connection: PinnedConnection): void {
    if (!this.#open.delete(connection)) return
    const idle = this.#idle.get(connection.key)?.filter((kept) => kept !== connection) ?? []
    if (idle.length === 0) this.#idle.delete(connection.key)
    else this.#idle.set(connection.key, idle)
    void connection.destroy()
  }

  async close(): Promise<void> {
    const open = [...this.#open]
    this.#open.clear()
    this.#idle.clear()
    await Promise.all(open.map((connection) => connection.destroy()))
  }

  #takeIdle(key: string): PinnedConnection | undefined {
    const idle = this.#idle.get(key)
    const connection = idle?.pop()
    if (idle?.length === 0) this.#idle.delete(key)
    return connection
  }

  #dropLongestIdle(): void {
    const [connections] = this.#idle.values()
    const [oldest] = connections ?? []
    if (oldest !== undefined) this.drop(oldest)
  }
}

/** Sorted, as resolvers rotate their answers. */
function keyOf({ url, addresses }: CheckedTarget): string {
  const set = addresses.map(({ address }) => address).sort()
  return `${url.origin} ${set.join(' ')}`
}
