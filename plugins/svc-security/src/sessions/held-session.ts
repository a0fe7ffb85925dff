/** The session of one request, from its cookie to its answer. */
import type { FastifySessionObject } from '@fastify/session'
import type { MaybePromise } from 'svc-kernel'
import type { UserRecord } from '../users/user-store.ts'
import type { SessionRecord } from './session-store.ts'

export type RequestSession = FastifySessionObject

/** The session of a request: its id, and its record as soon as it was read. */
export interface HeldSession {
  id: string | null
  record: MaybePromise<SessionRecord | null>
  /** What the promise gave; `undefined` until it did. */
  settled: SessionRecord | null | undefined
  /** The user of the session, where it was read along. */
  user?: UserRecord | null | undefined
  /** As @fastify/session shows it, once it was asked for; `null` after its `destroy`. */
  view?: RequestSession | null | undefined
  /** It was created or renewed, and the answer has yet to bring its cookie. */
  unsent?: boolean
  /** What its renewal gave the cookie that the answer brings. */
  renewal?: string
  /** It stands for a session that was not read: it shows nothing, and is never written. */
  unread?: boolean
}

export function noSession(): HeldSession {
  return { id: null, record: null, settled: null }
}

/** Of what was created, written or found to be over. */
export function settle(held: HeldSession, record: SessionRecord | null): void {
  held.settled = record
  held.record = record
}
