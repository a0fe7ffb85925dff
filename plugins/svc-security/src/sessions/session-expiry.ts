/** When a session is over: either bound reached. The same rule for a read and for the purge. Pure. */
import type { SessionBounds, SessionRecord } from './session-store.ts'

/** @returns epoch ms at which it is over without further activity; `Infinity` without bounds */
export function sessionEnd(
  { createdAt, updatedAt }: Pick<SessionRecord, 'createdAt' | 'updatedAt'>,
  { idleTimeoutS, absoluteTimeoutS }: SessionBounds
): number {
  const idle = idleTimeoutS > 0 ? updatedAt + idleTimeoutS * 1000 : Number.POSITIVE_INFINITY
  const absolute = absoluteTimeoutS > 0 ? createdAt + absoluteTimeoutS * 1000 : Number.POSITIVE_INFINITY
  return Math.min(idle, absolute)
}
