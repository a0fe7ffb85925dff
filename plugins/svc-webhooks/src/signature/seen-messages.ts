/**
 * Detects repeated messages, for receivers. A sender sends a message again with the same id if the answer was lost.
 * Memory is bounded by number and by age; a forgotten id counts as new.
 */
import { type Clock, systemClock } from 'svc-kernel'

/** Ids of messages that a receiver has processed, in memory: a message that is sent again is found here. */
export interface SeenMessages {
  /** True once per id, until it is forgotten. Verify the signature first: an id alone proves nothing. */
  firstTime(id: string): boolean
  /** Forgets an id, if processing the message failed and the sender should send it again. */
  forget(id: string): void
  /** The number of ids in memory. */
  readonly size: number
}

/** How many ids are remembered, and for how long. */
export interface SeenMessagesOptions {
  /** Maximum number of ids; the oldest are forgotten first. Default 10000. */
  readonly maxEntries?: number | undefined
  /** How long an id is stored, in seconds. Default a day, longer than any sender retries. */
  readonly ttlS?: number | undefined
  readonly clock?: Pick<Clock, 'now'> | undefined
}

/** @throws RangeError for a limit below 1 */
export function createSeenMessages(options: SeenMessagesOptions = {}): SeenMessages {
  const { maxEntries = 10_000, ttlS = 86_400, clock = systemClock } = options
  if (!(maxEntries >= 1 && ttlS >= 1)) throw new RangeError('maxEntries and ttlS must be 1 or more')
  // In order of arrival, so that the oldest id is always first.
  const seen = new Map<string, number>()

  const dropExpired = (now: number) => {
    for (const [id, at] of seen) {
      if (now - at < ttlS * 1000) return
      seen.delete(id)
    }
  }

  return Object.freeze({
    firstTime(id: string) {
      const now = clock.now()
      dropExpired(now)
      if (seen.has(id)) return false
      const [oldest] = seen.keys()
      if (seen.size >= maxEntries && oldest !== undefined) seen.delete(oldest)
      seen.set(id, now)
      return true
    },
    forget(id: string) {
      seen.delete(id)
    },
    get size() {
      return seen.size
    }
  })
}
