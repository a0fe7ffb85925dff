/**
 * What the server must remember between two steps of one browser, such as a
 * challenge: sealed, under the hash of a cookie of its own, for a short time and for
 * one use. It lies beside the idempotency keys, which every instance sees and which
 * expire by themselves; it is no session, and proves nobody's identity.
 */
import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { IdempotencyStore, JsonObject } from 'svc-stores'
import { AuthenticationUnavailable } from '../errors.ts'
import { openAnswer, sealAnswer } from '../idempotency/sealed-answer.ts'
import type { SessionCookie } from '../sessions/session-cookie.ts'
import { newSessionId } from '../sessions/session-id.ts'
import { orUnavailable } from '../stores/or-unavailable.ts'
import type { BeginLimit } from './begin-limit.ts'

export interface AttemptParts {
  /** `null` where the brick is disabled: whoever needs it is answered 503. */
  readonly store: Pick<IdempotencyStore, 'begin' | 'complete' | 'abandon'> | null
  readonly cookie: Pick<SessionCookie, 'read' | 'write' | 'clear'>
  readonly limit: Pick<BeginLimit, 'check'>
  /** What the attempts are for; one of another kind is not taken. */
  readonly kind: string
  readonly lifeMs: number
}

export class AttemptBook {
  readonly #parts: AttemptParts

  constructor(parts: AttemptParts) {
    this.#parts = parts
  }

  /**
   * Remembers an attempt of this browser, in place of one that it began before.
   *
   * @throws Throttled (429) when its network has begun too many
   */
  async begin(request: FastifyRequest, reply: FastifyReply, content: JsonObject): Promise<void> {
    const { cookie, limit, kind, lifeMs } = this.#parts
    await limit.check(kind, request)
    const id = newSessionId()
    const ref = this.#ref(id, 'attempt')
    const kept = sealAnswer({ status: 200, headers: {}, body: JSON.stringify(content) }, kind, id)
    await orUnavailable(async () => {
      const opening = await this.#store.begin(ref, kind, lifeMs)
      if (opening.state !== 'started' || !(await this.#store.complete(ref, opening.owner, kept))) {
        throw new AuthenticationUnavailable()
      }
    })
    cookie.write(request, reply, id)
  }

  /** The attempt of this browser, for exactly one caller. @returns `null` when there is none, or it is too old */
  async take(request: FastifyRequest, reply: FastifyReply): Promise<JsonObject | null> {
    const { cookie, kind } = this.#parts
    const id = cookie.read(request)
    if (id === null) return null
    cookie.clear(request, reply)
    const kept = await orUnavailable(() => this.#find(id))
    return kept === null ? null : (JSON.parse(openAnswer(kept, kind, id).body) as JsonObject)
  }

  async #find(id: string) {
    const { kind, lifeMs } = this.#parts
    const ref = this.#ref(id, 'attempt')
    const opening = await this.#store.begin(ref, kind, lifeMs)
    // There was none: what was just begun is nobody's.
    if (opening.state === 'started') await this.#store.abandon(ref, opening.owner)
    if (opening.state !== 'completed') return null
    // Outlives the attempt. Of callers at once the store lets one through.
    const use = await this.#store.begin(this.#ref(id, 'use'), kind, lifeMs)
    return use.state === 'started' ? opening.answer : null
  }

  get #store(): Pick<IdempotencyStore, 'begin' | 'complete' | 'abandon'> {
    if (this.#parts.store === null) throw new AuthenticationUnavailable()
    return this.#parts.store
  }

  /** Another hash than that of a session id, or of an idempotency key: the cookie is worth nothing elsewhere. */
  #ref(id: string, what: 'attempt' | 'use'): string {
    return hash('sha256', JSON.stringify(['svc-security/attempts', this.#parts.kind, what, id]), 'base64url')
  }
}
