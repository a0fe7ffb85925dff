/**
 * Repeats, for receivers: a sender delivers a message again under the same id when an answer was lost. Memory is
 * bounded by number and by age; what was forgotten counts as new.
 */
import { type Clock, systemClock } from 'svc-kernel'

export interface SeenMessages {
  /** True once per id, until it is forgotten. Verify the signature first: an id alone proves nothing. */
  firstTime(id: string): boolean
  /** Lets an id pass again, where acting on the message failed and the sender is to repeat it. */
  forget(id: string): void
  /** How many ids are held. */
  readonly size: number
}

export interface SeenMessagesOptions {
  /** Ids held at most; the oldest give way. Default 10000. */
  readonly maxEntries?: number | undefined
  /** How long an id is held, in seconds. Default a day, longer than any sender repeats. */
  readonly ttlS?: number | undefined
  readonly clock?: Pick<Clock, 'now'> | undefined
}

/** @throws RangeError for bounds below one */
export function createSeenMessages(options: SeenMessagesOptions = {}): SeenMessages {
  const { maxEntries = 10_000, ttlS = 86_400, clock = systemClock } = options
  if (!(maxEntries >= 1 && ttlS >= 1)) throw new RangeError('maxEntries and ttlS must be 1 or more')
  // In the order of their arrival, so that the oldest always come first.
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
