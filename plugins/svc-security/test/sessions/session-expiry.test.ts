/** Both bounds of a session, to the millisecond. */
import t from 'tap'
import { sessionEnd } from '../../src/sessions/session-expiry.ts'

const rows: [idle: number, absolute: number, createdAgoMs: number, activeAgoMs: number, expired: boolean][] = [
  [0, 0, 1e12, 1e12, false],
  [10, 0, 1e12, 9_999, false],
  [10, 0, 1e12, 10_000, true],
  [0, 10, 9_999, 0, false],
  [0, 10, 10_000, 0, true],
  [10, 20, 15_000, 5_000, false],
  [10, 20, 20_000, 0, true],
  [10, 20, 15_000, 10_000, true]
]

for (const [idleTimeoutS, absoluteTimeoutS, createdAgo, activeAgo, expired] of rows) {
  t.test(
    `idle ${idleTimeoutS} s, absolute ${absoluteTimeoutS} s, aged ${createdAgo}, idle ${activeAgo} ms`,
    async (t) => {
      const now = 2e12
      const session = { createdAt: now - createdAgo, updatedAt: now - activeAgo }
      t.equal(sessionEnd(session, { idleTimeoutS, absoluteTimeoutS }) <= now, expired)
    }
  )
}
