/** When a session is over: either bound reached. The same rule for a read and for the purge. Pure. */
import type { SessionBounds, SessionRecord } from './session-store.ts'

/** @param now epoch ms */
export function isSessionExpired(
  session: Pick<SessionRecord, 'createdAt' | 'updatedAt'>,
  { idleTimeoutS, absoluteTimeoutS }: SessionBounds,
  now: number
): boolean {
  if (idleTimeoutS > 0 && session.updatedAt + idleTimeoutS * 1000 <= now) return true
  return absoluteTimeoutS > 0 && session.createdAt + absoluteTimeoutS * 1000 <= now
}
