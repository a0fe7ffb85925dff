/**
 * How many attempts a network may begin: each is kept for a while, and whoever asks
 * for one has proved nothing yet. Beyond the limit nothing is written.
 */
import { hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { SecurityJournal } from '../journal/security-journal.ts'
import type { AttemptCounter } from '../throttling/attempt-counter.ts'
import { clientNetwork } from '../throttling/client-network.ts'
import { throttled } from '../throttling/throttled.ts'

/** In a minute, of one kind. Many people may share a network, and a page may ask each time it is shown. */
export const MOST_BEGUN = 100

const MINUTE_S = 60

export interface BeginLimitParts {
  /** One that does not fail. */
  readonly counter: AttemptCounter
  readonly journal: Pick<SecurityJournal, 'done'>
}

export class BeginLimit {
  readonly #parts: BeginLimitParts

  constructor(parts: BeginLimitParts) {
    this.#parts = parts
  }

  /** @throws Throttled (429) with `Retry-After` */
  async check(kind: string, request: FastifyRequest): Promise<void> {
    const { counter, journal } = this.#parts
    const key = `begun:${kind}:${hash('sha256', clientNetwork(request.ip), 'base64url')}`
    const { consumedPoints, msBeforeNext } = await counter.penalty(key, 1, { customDuration: MINUTE_S })
    if (consumedPoints <= MOST_BEGUN) return
    const event = { category: 'auth', action: 'login.throttled', outcome: 'failure' } as const
    journal.done({ ...event, actor: null, reason: kind }, request)
    throw throttled(msBeforeNext / 1000)
  }
}
