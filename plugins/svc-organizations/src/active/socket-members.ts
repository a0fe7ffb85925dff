/**
 * Members whose WebSocket is open in an organisation. Whether they still belong to it is checked again before a message, at
 * most once a second; what this process ends is closed at once.
 */
import type { FastifyRequest } from 'fastify'
import type { Clock } from 'svc-kernel'
import { type LiveIdentity, readableError } from 'svc-kernel/plugin'
import type { ActiveOrganization, ActiveOrganizations } from './active-organizations.ts'

const WINDOW_MS = 1000

/** Which sockets end: those of an organisation, or of one member there. */
export interface SocketEnd {
  readonly organization: string
  /** Login name; absent: of all. */
  readonly identifier?: string
}

interface SocketParts {
  readonly actives: Pick<ActiveOrganizations, 'enter'>
  readonly clock: Pick<Clock, 'now'>
  readonly renewed: (request: FastifyRequest, active: ActiveOrganization) => void
}

export class SocketMembers {
  readonly #parts: SocketParts
  readonly #open = new Set<MemberIdentity>()

  constructor(parts: SocketParts) {
    this.#parts = parts
  }

  watch(request: FastifyRequest, organization: string): void {
    const identity = new MemberIdentity(request, organization, this.#parts, this.#open)
    request.liveIdentity = identity
  }

  end({ organization, identifier }: SocketEnd): void {
    for (const identity of [...this.#open]) {
      if (identity.organization !== organization) continue
      if (identifier === undefined || identity.identifier === identifier) identity.end()
    }
  }
}

class MemberIdentity implements LiveIdentity {
  readonly organization: string
  readonly identifier: string
  readonly #request: FastifyRequest
  /** What svc-security checks of the same socket. */
  readonly #inner: LiveIdentity | null
  readonly #parts: SocketParts
  readonly #open: Set<MemberIdentity>
  readonly #ends = new Set<() => void>()
  #checkedAt: number
  #unavailable = false
  #over = false

  constructor(request: FastifyRequest, organization: string, parts: SocketParts, open: Set<MemberIdentity>) {
    this.organization = organization
    this.identifier = request.token?.getUserIdentifier() ?? ''
    this.#request = request
    this.#inner = request.liveIdentity ?? null
    this.#parts = parts
    this.#open = open
    this.#checkedAt = parts.clock.now()
  }

  get unavailable(): boolean {
    return !this.#over && (this.#unavailable || this.#inner?.unavailable === true)
  }

  async holds(): Promise<boolean> {
    if (this.#over) return false
    if (this.#inner !== null && !(await this.#inner.holds())) return false
    return this.#isFresh() ? !this.#unavailable : this.#check()
  }

  whenOver(end: () => void): () => void {
    if (this.#over) {
      end()
      return () => undefined
    }
    let told = false
    const once = () => {
      if (told) return
      told = true
      end()
    }
    this.#open.add(this)
    this.#ends.add(once)
    const unwatch = this.#inner?.whenOver(once)
    return () => {
      unwatch?.()
      this.#ends.delete(once)
      if (this.#ends.size === 0) this.#open.delete(this)
    }
  }

  whenChecked(again: () => void): () => void {
    return this.#inner?.whenChecked(again) ?? (() => undefined)
  }

  recheck(): void {
    this.#inner?.recheck()
    if (!this.#over && !this.#isFresh()) void this.#check()
  }

  end(): void {
    if (this.#over) return
    this.#over = true
    this.#open.delete(this)
    const ends = [...this.#ends]
    this.#ends.clear()
    for (const end of ends) end()
  }

  #isFresh(): boolean {
    const now = this.#parts.clock.now()
    return now >= this.#checkedAt && now < this.#checkedAt + WINDOW_MS
  }

  /** A store that does not answer ends nothing; until it does, messages are refused. */
  async #check(): Promise<boolean> {
    try {
      const active = await this.#parts.actives.enter(this.#request.token, this.organization)
      this.#unavailable = false
      this.#parts.renewed(this.#request, active)
    } catch (error) {
      const { statusCode } = readableError(error)
      if (statusCode === 403 || statusCode === 404) this.end()
      else this.#unavailable = true
    }
    this.#checkedAt = this.#parts.clock.now()
    return !this.#over && !this.#unavailable
  }
}
