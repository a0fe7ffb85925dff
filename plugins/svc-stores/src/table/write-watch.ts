/**
 * Whether a database that answers takes writes. A refused one (full disk, read-only server) is logged once and
 * remembered until a small write of our own succeeds, which is tried every second: so readiness tells a full disk, and
 * recovers without traffic.
 */
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from 'svc-kernel'

export interface WriteWatchParts {
  /** Of the connector. */
  readonly name: string
  readonly clock: Clock
  readonly log: FastifyBaseLogger
  /** Writes a little, and removes it again. */
  readonly probe: () => Promise<unknown>
}

const EVERY_MS = 1000

export class WriteWatch {
  readonly #parts: WriteWatchParts
  #refusal: Error | null = null
  #timer: unknown = null
  #closed = false

  constructor(parts: WriteWatchParts) {
    this.#parts = parts
  }

  /** @throws what the last write was refused with, while none has succeeded since */
  check(): void {
    if (this.#refusal !== null) throw this.#refusal
  }

  /** A write was refused. @param reason free of credentials and values */
  refused(error: Error, reason: string): void {
    if (this.#closed) return
    const known = this.#refusal !== null
    this.#refusal = error
    if (known) return
    const { log, name } = this.#parts
    const fields = { code: 'SVC_ORM_UNWRITABLE', connector: name, reason }
    log.error(
      fields,
      `the database of connector ${name} refuses writes; they fail with 503 until it accepts them, reads continue`
    )
    this.#later()
  }

  close(): void {
    this.#closed = true
    this.#parts.clock.clearTimeout(this.#timer)
  }

  #later(): void {
    this.#timer = this.#parts.clock.setTimeout(() => void this.#try(), EVERY_MS)
  }

  async #try(): Promise<void> {
    const { log, name, probe } = this.#parts
    try {
      await probe()
    } catch {
      // The same outage still, or another one that the connector itself tells.
      if (!this.#closed) this.#later()
      return
    }
    this.#refusal = null
    log.info({ connector: name }, `the database of connector ${name} accepts writes again`)
  }
}
