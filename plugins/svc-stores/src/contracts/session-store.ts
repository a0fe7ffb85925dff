/**
 * Sessions. The id is the SHA-256 of the cookie's value, never the value itself.
 * A write never brings a destroyed session back; a listing never shows content.
 * As in every store, what cannot be asked is refused with status 503 and is never
 * answered as absent; once the application has closed its store, sessions are not found.
 */
import type { Page, PageQuery } from '../paging/page.ts'
import type { JsonObject } from '../records/json.ts'

export interface SessionRecord {
  /** Hash of the session id, base64url. */
  readonly id: string
  /** Identifier of the user; `null` before a login. */
  readonly user: string | null
  readonly content: JsonObject
  /** Messages shown once, by kind. */
  readonly flash: JsonObject
  /** Where the session was opened: ip, user agent. */
  readonly meta: JsonObject
  /** Epoch ms. */
  readonly createdAt: number
  /** Epoch ms of the last activity. */
  readonly updatedAt: number
}

export type NewSession = Omit<SessionRecord, 'createdAt' | 'updatedAt'>

export type SessionSummary = Omit<SessionRecord, 'content' | 'flash'>

/** Absent keys stay as they are. */
export type SessionPatch = Partial<Pick<SessionRecord, 'user' | 'content' | 'flash' | 'meta'>>

/** Seconds; 0 switches a bound off. */
export interface SessionBounds {
  /** From the last activity. */
  readonly idleTimeoutS: number
  /** From creation; never extended. */
  readonly absoluteTimeoutS: number
}

export interface SessionFilter {
  readonly user?: string
}

export type SessionSortField = 'createdAt' | 'updatedAt' | 'id'

export interface SessionStore {
  /** @throws DuplicateRecord when the id exists */
  create(session: NewSession): Promise<SessionRecord>
  /** The stored session, also one past its bounds: the caller judges with `isSessionExpired`. */
  find(id: string): Promise<SessionRecord | null>
  /** Writes the given keys and the activity time. `false` when the session is gone; it stays gone. */
  update(id: string, patch: SessionPatch): Promise<boolean>
  /** Writes the activity time alone, forward only. `false` when the session is gone. */
  touch(id: string): Promise<boolean>
  /** `true` when this call removed it. */
  destroy(id: string): Promise<boolean>
  /** Removes every session of a user, except one where given. @returns how many */
  destroyByUser(user: string, exceptId?: string): Promise<number>
  /** Newest first. Without content and flash. */
  list(filter: SessionFilter, page: PageQuery<SessionSortField>): Promise<Page<SessionSummary>>
  count(filter: SessionFilter): Promise<number>
  /** Removes sessions past either bound. @returns how many */
  purge(bounds: SessionBounds): Promise<number>
}
