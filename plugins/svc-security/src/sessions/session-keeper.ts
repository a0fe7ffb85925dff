/**
 * Sessions in their store, by reference: read within both time bounds, kept alive
 * by activity, removed. What is past a bound is gone at the first look, whether or
 * not a sweep came by. Writes of activity: at most one per minute, or half the idle time.
 */
import type { FastifyRequest } from 'fastify'
import type { Clock } from 'svc-kernel'
import { isSessionExpired, type SessionBounds, type SessionRecord, type SessionStore } from 'svc-stores'
import { AuthenticationUnavailable } from '../errors.ts'
import type { SessionJournal } from '../journal/session-journal.ts'
import type { SessionEnds } from './session-ends.ts'

export interface KeeperParts {
  /** `null` where the brick is disabled: whoever needs a session is answered 503. */
  readonly store: SessionStore | null
  readonly bounds: SessionBounds
  readonly clock: Clock
  readonly journal: SessionJournal
  readonly ends: SessionEnds
}

const MAX_TOUCH_MS = 60_000

export class SessionKeeper {
  readonly #parts: KeeperParts
  readonly #touchMs: number
  readonly #touching = new Set<string>()

  constructor(parts: KeeperParts) {
    this.#parts = parts
    const { idleTimeoutS } = parts.bounds
    this.#touchMs = idleTimeoutS > 0 ? Math.min(MAX_TOUCH_MS, idleTimeoutS * 500) : MAX_TOUCH_MS
  }

  /** @throws AuthenticationUnavailable (503) where the brick is disabled */
  get store(): SessionStore {
    if (this.#parts.store === null) throw new AuthenticationUnavailable()
    return this.#parts.store
  }

  /**
   * @param active counts as activity
   * @returns `null` when it is gone, or past a bound (it is then removed)
   */
  async find(ref: string, active: boolean, request: FastifyRequest): Promise<SessionRecord | null> {
    const record = await this.store.find(ref)
    if (record === null) return null
    const { bounds, clock, journal } = this.#parts
    const now = clock.now()
    if (!isSessionExpired(record, bounds, now)) return active ? this.#keep(record, now, request) : record
    if ((await this.remove(ref)) && record.user !== null) journal.destroyed(record, 'expired', request)
    return null
  }

  /** `true` when this call removed it. Who holds on to it is told in any case. */
  async remove(ref: string): Promise<boolean> {
    const removed = await this.store.destroy(ref)
    this.#parts.ends.tell(ref)
    return removed
  }

  /** Epoch ms at which a session is over without further activity; `null` without bounds. */
  endOf({ createdAt, updatedAt }: Pick<SessionRecord, 'createdAt' | 'updatedAt'>): number | null {
    const { idleTimeoutS, absoluteTimeoutS } = this.#parts.bounds
    const idle = idleTimeoutS > 0 ? updatedAt + idleTimeoutS * 1000 : Number.POSITIVE_INFINITY
    const absolute = absoluteTimeoutS > 0 ? createdAt + absoluteTimeoutS * 1000 : Number.POSITIVE_INFINITY
    const end = Math.min(idle, absolute)
    return Number.isFinite(end) ? end : null
  }

  /** A store that cannot write the time of an activity does not refuse the activity. */
  async #keep(record: SessionRecord, now: number, request: FastifyRequest): Promise<SessionRecord | null> {
    if (now - record.updatedAt < this.#touchMs || this.#touching.has(record.id)) return record
    this.#touching.add(record.id)
    try {
      return (await this.store.touch(record.id)) ? { ...record, updatedAt: now } : null
    } catch (error) {
      this.#parts.journal.mishap('the activity of a session could not be written', error, request)
      return record
    } finally {
      this.#touching.delete(record.id)
    }
  }
}
