/**
 * What the server must remember between two steps of one browser, such as a
 * challenge: sealed, under the hash of its own cookie, for a short time and for
 * one use. It lies beside the idempotency keys, which every instance sees and which
 * expire by themselves; it is no session, and proves no identity.
 */
import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { clientNetwork } from 'svc-kernel/plugin'
import type { JsonObject } from 'svc-stores'
import { AuthenticationUnavailable } from '../errors.ts'
import { openAnswer, sealAnswer } from '../idempotency/idempotency-gate.ts'
import { type IdempotencyStore, idempotencyStore } from '../idempotency/idempotency-store.ts'
import type { AuditWriter } from '../journal/audit-writer.ts'
import type { SecurityConfig } from '../options.ts'
import type { SvcSecurityParts } from '../parts.ts'
import { newSessionId, SessionCookie } from '../sessions/session-cookie.ts'
import { guardedStore } from '../stores/guarded-store.ts'
import type { AttemptCounter } from '../throttling/attempt-counter.ts'
import { throttled } from '../throttling/login-throttler.ts'

/** How many a network may begin in a minute, of one kind. Many people may share one, and a page may ask each time it is shown. */
export const MOST_BEGUN = 100

const MINUTE_S = 60

type Store = Pick<IdempotencyStore, 'begin' | 'complete' | 'abandon'>

export interface ChallengeParts {
  readonly store: Store
  readonly cookie: Pick<SessionCookie, 'read' | 'write' | 'clear'>
  /** One that does not fail. */
  readonly counter: AttemptCounter
  readonly journal: Pick<AuditWriter, 'done'>
  /** What the attempts are for; one of another kind is not taken. */
  readonly kind: string
  readonly lifeMs: number
}

export class ChallengeStore {
  readonly #parts: ChallengeParts

  constructor(parts: ChallengeParts) {
    this.#parts = parts
  }

  /**
   * Remembers an attempt of this browser, in place of one that it began before.
   *
   * @throws Throttled (429) when its network has begun too many
   */
  async begin(request: FastifyRequest, reply: FastifyReply, content: JsonObject): Promise<void> {
    const { store, cookie, kind, lifeMs } = this.#parts
    await this.#limit(request)
    const id = newSessionId()
    const ref = this.#ref(id, 'attempt')
    const kept = sealAnswer({ status: 200, headers: {}, body: JSON.stringify(content) }, kind, id)
    const opening = await store.begin(ref, kind, lifeMs)
    if (opening.state !== 'started' || !(await store.complete(ref, opening.owner, kept))) {
      throw new AuthenticationUnavailable()
    }
    cookie.write(request, reply, id)
  }

  /** The attempt of this browser, for exactly one caller. @returns `null` when there is none, or it is too old */
  async take(request: FastifyRequest, reply: FastifyReply): Promise<JsonObject | null> {
    const { cookie, kind } = this.#parts
    const id = cookie.read(request)?.id
    if (id === undefined) return null
    cookie.clear(request, reply)
    const kept = await this.#find(id)
    return kept === null ? null : (JSON.parse(openAnswer(kept, kind, id).body) as JsonObject)
  }

  async #find(id: string) {
    const { store, kind, lifeMs } = this.#parts
    const ref = this.#ref(id, 'attempt')
    const opening = await store.begin(ref, kind, lifeMs)
    // There was none: what was just begun belongs to no browser.
    if (opening.state === 'started') await store.abandon(ref, opening.owner)
    if (opening.state !== 'completed') return null
    // Outlives the attempt. Of callers at once the store lets one through.
    const use = await store.begin(this.#ref(id, 'use'), kind, lifeMs)
    return use.state === 'started' ? opening.answer : null
  }

  /** Whoever asks for a challenge has proved nothing yet. Beyond the limit nothing is written. */
  async #limit(request: FastifyRequest): Promise<void> {
    const { counter, journal, kind } = this.#parts
    const key = `begun:${kind}:${hash('sha256', clientNetwork(request.ip), 'base64url')}`
    const { consumedPoints, msBeforeNext } = await counter.penalty(key, 1, { customDuration: MINUTE_S })
    if (consumedPoints <= MOST_BEGUN) return
    const event = { category: 'auth', action: 'login.throttled', outcome: 'failure' } as const
    journal.done({ ...event, actor: null, reason: kind }, request)
    throw throttled(msBeforeNext / 1000)
  }

  /** Another hash than that of a session id, or of an idempotency key: the cookie is worth nothing elsewhere. */
  #ref(id: string, what: 'attempt' | 'use'): string {
    return hash('sha256', JSON.stringify(['svc-security/attempts', this.#parts.kind, what, id]), 'base64url')
  }
}

/** Makes the store of one kind of challenges: `passkey`, `oauth`. */
export type ChallengeStores = (kind: string, lifeMs: number) => ChallengeStore

export interface ChallengesSetting extends Pick<ChallengeParts, 'counter' | 'journal'> {
  readonly config: Pick<SecurityConfig, 'session' | 'idempotency'>
  readonly parts: SvcSecurityParts
}

export function openChallenges(fastify: FastifyInstance, setting: ChallengesSetting): ChallengeStores {
  const { config, parts, counter, journal } = setting
  return (kind, lifeMs) => {
    const { store } = fastify.stores.select(idempotencyStore, config.idempotency.store, parts.stores?.idempotency)
    const cookie = new SessionCookie({ ...config.session, cookieName: `${config.session.cookieName}_${kind}` })
    return new ChallengeStore({ store: guardedStore(idempotencyStore, store), cookie, counter, journal, kind, lifeMs })
  }
}
