/** Sessions that began at a provider, and their end by a logout there. */
import { hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Clock } from 'svc-kernel'
import type { SessionService } from '../../sessions/session-service.ts'
import type { ProviderIdentity } from './account-rule.ts'
import type { ProviderSessionsStore } from './provider-sessions-store.ts'

/** Whom a provider logged out: its own session, its user, or both. */
export interface LoggedOut {
  readonly provider: string
  readonly subject: string | null
  readonly sid: string | null
}

export interface ProviderSessionsParts {
  /** One that fails with status 503 where it cannot be used. */
  readonly store: Omit<ProviderSessionsStore, 'purge'>
  readonly sessions: Pick<SessionService, 'resumed' | 'end' | 'revoke'>
  readonly clock: Pick<Clock, 'now'>
  /** The longest life of a session. */
  readonly lifeMs: number
}

const PAGE = 100

export class ProviderSessions {
  readonly #parts: ProviderSessionsParts

  constructor(parts: ProviderSessionsParts) {
    this.#parts = parts
  }

  /** The session of a request began here. It ends where that cannot be kept: a logout there would not end it. @throws with status 503 */
  async begin(request: FastifyRequest, { provider, subject, claims }: ProviderIdentity): Promise<void> {
    const { store, sessions, clock, lifeMs } = this.#parts
    const record = sessions.resumed(request)
    if (record === null) return
    const { sid } = claims
    const begun = {
      id: record.id,
      subject: keyOf(provider, 'sub', subject),
      sid: typeof sid === 'string' ? keyOf(provider, 'sid', sid) : null,
      expiresAt: clock.now() + lifeMs
    }
    try {
      await store.add(begun)
    } catch (error) {
      await sessions.end(record, 'origin_unknown', request)
      throw error
    }
  }

  /** The session after a second factor began where the one before it did. @throws with status 503 */
  async move(from: string, to: string): Promise<void> {
    await this.#parts.store.move(from, to)
  }

  /** @returns how many sessions it ended. @throws with status 503, when some may go on */
  async end(loggedOut: LoggedOut, request: FastifyRequest): Promise<number> {
    const { store, sessions } = this.#parts
    const { provider, subject, sid } = loggedOut
    const begun = {
      ...(subject === null ? {} : { subject: keyOf(provider, 'sub', subject) }),
      ...(sid === null ? {} : { sid: keyOf(provider, 'sid', sid) })
    }
    let count = 0
    for (let ended = PAGE; ended === PAGE; ) {
      const found = await store.find(begun, PAGE)
      for (const ref of found) if (await sessions.revoke(ref, request)) count += 1
      ended = found.length === 0 ? 0 : await store.remove(found)
    }
    return count
  }
}

function keyOf(provider: string, kind: 'sub' | 'sid', value: string): string {
  return hash('sha256', JSON.stringify([provider, kind, value]), 'base64url')
}
