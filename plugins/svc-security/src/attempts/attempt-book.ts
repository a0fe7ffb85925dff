/**
 * What the server must remember between two steps of one browser, such as a
 * challenge: kept in the session store under the hash of a cookie of its own,
 * taken once, and for a short time. It is no session and proves nobody's identity.
 */
import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from 'svc-kernel'
import type { JsonObject, SessionStore } from 'svc-stores'
import { AuthenticationUnavailable } from '../errors.ts'
import type { SessionCookie } from '../sessions/session-cookie.ts'
import { newSessionId } from '../sessions/session-id.ts'
import { orUnavailable } from '../settlement/or-unavailable.ts'

export interface AttemptParts {
  /** `null` where the brick is disabled: whoever needs it is answered 503. */
  readonly store: Pick<SessionStore, 'create' | 'find' | 'destroy'> | null
  readonly cookie: Pick<SessionCookie, 'read' | 'write' | 'clear'>
  readonly clock: Pick<Clock, 'now'>
  /** What the attempts are for; one of another kind is not taken. */
  readonly kind: string
  readonly lifeMs: number
}

export class AttemptBook {
  readonly #parts: AttemptParts

  constructor(parts: AttemptParts) {
    this.#parts = parts
  }

  /** Remembers an attempt of this browser; one that it began before is forgotten. */
  async begin(request: FastifyRequest, reply: FastifyReply, content: JsonObject): Promise<void> {
    const { cookie, clock, kind, lifeMs } = this.#parts
    const id = newSessionId()
    await orUnavailable(async () => {
      const before = cookie.read(request)
      if (before !== null) await this.#store.destroy(this.#ref(before))
      await this.#store.create({
        id: this.#ref(id),
        user: null,
        content: { kind, until: clock.now() + lifeMs, attempt: content },
        flash: {},
        meta: {}
      })
    })
    cookie.write(request, reply, id)
  }

  /** The attempt of this browser, for exactly one caller. @returns `null` when there is none, or it is too old */
  async take(request: FastifyRequest, reply: FastifyReply): Promise<JsonObject | null> {
    const { cookie, clock, kind } = this.#parts
    const id = cookie.read(request)
    if (id === null) return null
    cookie.clear(request, reply)
    const ref = this.#ref(id)
    const record = await orUnavailable(() => this.#store.find(ref))
    const taken = await orUnavailable(() => this.#store.destroy(ref))
    if (record === null || !taken || record.content.kind !== kind) return null
    const { until, attempt } = record.content
    return typeof until === 'number' && clock.now() < until ? (attempt as JsonObject) : null
  }

  get #store(): Pick<SessionStore, 'create' | 'find' | 'destroy'> {
    if (this.#parts.store === null) throw new AuthenticationUnavailable()
    return this.#parts.store
  }

  /** Another hash than that of a session id: the cookie is worth nothing as a session's. */
  #ref(id: string): string {
    return hash('sha256', `${this.#parts.kind} ${id}`, 'base64url')
  }
}
