/**
 * Sessions in their store, by reference: read within both time bounds, kept alive
 * by activity, removed. What is past a bound is gone at the first look, whether or
 * not a sweep came by. Writes of activity: at most one per minute, or half the idle time;
 * what a store cannot write is remembered here, so that no request is refused for it.
 */
import type { FastifyRequest } from 'fastify'
import type { Clock, MaybePromise } from 'svc-kernel'
import { andThen, isAnnounced } from 'svc-kernel/plugin'
import type { Lookup } from 'svc-stores/table'
import { AuthenticationUnavailable } from '../errors.ts'
import type { AuditWriter } from '../journal/audit-writer.ts'
import type { UserRecord } from '../users/user-store.ts'
import type { RevocationNotifier } from './revocation-notifier.ts'
import { type SessionToken, sessionRef } from './session-cookie.ts'
import { sessionEnd } from './session-expiry.ts'
import { isNewest } from './session-meta.ts'
import type { OwnedSession, SessionBounds, SessionRecord, SessionStore } from './session-store.ts'

export interface KeeperParts {
  /** `null` where it is disabled: whoever needs a session is answered 503. */
  readonly store: SessionStore | null
  readonly bounds: SessionBounds
  readonly clock: Clock
  readonly journal: Pick<AuditWriter, 'done' | 'mishap'>
  readonly revocations: RevocationNotifier
  /** Where the users of sessions are found; absent where they are not in tables of ours. */
  readonly users?: Lookup<UserRecord> | undefined
}

/** A session, and its user as the store of users has it; `undefined` where it was not looked for. */
export interface ResumedRecord {
  readonly record: SessionRecord
  readonly user: UserRecord | null | undefined
}

const MAX_TOUCH_MS = 60_000

/** Sessions whose unwritten activity is remembered; beyond, the oldest is forgotten. */
const MANY = 10_000

export class SessionKeeper {
  readonly #parts: KeeperParts
  readonly #findOwned: ((ref: string) => MaybePromise<OwnedSession<UserRecord> | null>) | null
  readonly #touchMs: number
  readonly #touching = new Set<string>()
  /** Epoch ms of the activity that the store could not write. */
  readonly #unwritten = new Map<string, number>()
  #failing = false

  constructor(parts: KeeperParts) {
    this.#parts = parts
    const { idleTimeoutS } = parts.bounds
    this.#findOwned = (parts.users && parts.store?.withOwner?.(parts.users)) ?? null
    this.#touchMs = idleTimeoutS > 0 ? Math.min(MAX_TOUCH_MS, idleTimeoutS * 500) : MAX_TOUCH_MS
  }

  /** @throws AuthenticationUnavailable (503) where the store is disabled */
  get #store(): SessionStore {
    if (this.#parts.store === null) throw new AuthenticationUnavailable()
    return this.#parts.store
  }

  /**
   * @param active counts as activity
   * @returns `null` when it is gone, or past a bound (it is then removed)
   */
  find(ref: string, active: boolean, request: FastifyRequest | undefined): MaybePromise<SessionRecord | null> {
    return andThen(this.#store.find(ref), (found) => found && this.#within(found, active, request))
  }

  /**
   * The same for a request: a cookie that a renewal has ended finds nothing, and is no activity.
   *
   * @param withUser brings the user along, where the store of sessions can
   */
  resume(
    { id, renewal }: SessionToken,
    withUser: boolean,
    request: FastifyRequest
  ): MaybePromise<ResumedRecord | null> {
    const find = withUser ? this.#findOwned : null
    const keep = (found: SessionRecord | null, user: UserRecord | null | undefined) => {
      if (found === null || !isNewest(renewal, found)) return null
      return andThen(this.#within(found, true, request), (record) => record && { record, user })
    }
    const ref = sessionRef(id)
    if (find === null) return andThen(this.#store.find(ref), (found) => keep(found, undefined))
    return andThen(find(ref), (found) => found && keep(found.session, found.owner))
  }

  /** `true` when this call removed it. Who holds on to it hears of it in any case. */
  async remove(ref: string): Promise<boolean> {
    const removed = await this.#store.destroy(ref)
    this.#unwritten.delete(ref)
    this.#parts.revocations.notify(ref)
    return removed
  }

  /** The audit of a session that ended; one without a user opened no audit. @param reason `logout`, `replaced`, `expired`, `user_gone`, `user_locked` */
  destroyed(
    { id, user }: Pick<SessionRecord, 'id' | 'user'>,
    reason: string,
    request: FastifyRequest | undefined
  ): void {
    if (user === null) return
    const event = { category: 'session', action: 'session.destroyed', outcome: 'success' } as const
    this.#parts.journal.done({ ...event, actor: user, resource: id, reason }, request)
  }

  /** What could not be written comes first: a session that is in use is not past its bound. @returns how many went */
  async purge(): Promise<number> {
    await this.writeActivity()
    return this.#store.purge(this.#parts.bounds)
  }

  /** Writes what could not be written, which this process alone knows. */
  async writeActivity(): Promise<void> {
    const { bounds, clock } = this.#parts
    const oldest = bounds.idleTimeoutS > 0 ? clock.now() - bounds.idleTimeoutS * 1000 : 0
    for (const [id, at] of this.#unwritten) {
      if (at > oldest) await this.#store.touch(id)
      this.#unwritten.delete(id)
    }
  }

  #within(
    found: SessionRecord,
    active: boolean,
    request: FastifyRequest | undefined
  ): MaybePromise<SessionRecord | null> {
    const record = this.#withActivity(found)
    const { bounds, clock } = this.#parts
    const now = clock.now()
    if (sessionEnd(record, bounds) <= now) return this.#expire(record, request)
    const isDue = active && now - record.updatedAt >= this.#touchMs && !this.#touching.has(record.id)
    return isDue ? this.#touch(record, now, request) : record
  }

  async #expire(record: SessionRecord, request: FastifyRequest | undefined): Promise<null> {
    if (await this.#removeExpired(record.id, request)) this.destroyed(record, 'expired', request)
    return null
  }

  /** Epoch ms at which a session is over without further activity; `null` without bounds. */
  endOf(record: Pick<SessionRecord, 'createdAt' | 'updatedAt'>): number | null {
    const end = sessionEnd(record, this.#parts.bounds)
    return Number.isFinite(end) ? end : null
  }

  /** It is over, whether or not the store can forget it at the moment. */
  async #removeExpired(ref: string, request: FastifyRequest | undefined): Promise<boolean> {
    try {
      return await this.remove(ref)
    } catch (error) {
      if (!isAnnounced(error)) this.#parts.journal.mishap('an expired session could not be removed', error, request)
      return false
    }
  }

  #withActivity(record: SessionRecord): SessionRecord {
    const at = this.#unwritten.get(record.id) ?? 0
    return at > record.updatedAt ? { ...record, updatedAt: at } : record
  }

  /** A store that cannot write the time of an activity does not refuse the activity. */
  async #touch(record: SessionRecord, now: number, request: FastifyRequest | undefined): Promise<SessionRecord | null> {
    this.#touching.add(record.id)
    try {
      const isThere = await this.#store.touch(record.id)
      this.#unwritten.delete(record.id)
      this.#failing = false
      return isThere ? { ...record, updatedAt: now } : null
    } catch (error) {
      this.#remember(record.id, now)
      // Once per outage, and not at all where the driver logs its outages.
      if (!this.#failing && !isAnnounced(error)) {
        this.#parts.journal.mishap('the last activity of a session could not be stored', error, request)
      }
      this.#failing = true
      return { ...record, updatedAt: now }
    } finally {
      this.#touching.delete(record.id)
    }
  }

  #remember(id: string, at: number): void {
    this.#unwritten.delete(id)
    if (this.#unwritten.size >= MANY) this.#unwritten.delete(this.#unwritten.keys().next().value ?? '')
    this.#unwritten.set(id, at)
  }
}
