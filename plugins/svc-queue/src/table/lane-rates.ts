/**
 * How much of the rate of a lane is spent: the generic cell rate algorithm, kept as what is still to be paid back rather
 * than as a moment. No clocks are compared: whoever spent last knows by its own clock how long ago that was, and any other
 * worker counts from when it first saw that. So a clock that is an hour off lets nothing through, and nothing wait.
 */
import type { LaneRate } from '../lanes.ts'

/** What stands in the row of a lane. */
export interface Spending {
  /** Jobs that were let through so far: it tells one spending from the next. */
  readonly granted: number
  /** What was still to be paid back then, microseconds. */
  readonly spentUs: number
}

interface Seen extends Spending {
  /** When, epoch ms of this process. */
  readonly at: number
}

/** Lanes that were seen: the oldest makes room, and is then counted from when it is seen again. */
const MAX_SEEN = 10_000

export class LaneRates {
  readonly #seen = new Map<string, Seen>()

  /** @returns ms for which the lane lets nothing through, as far as this process knows without asking */
  known(lane: string, rate: LaneRate, now: number): number {
    const seen = this.#seen.get(lane)
    return seen === undefined ? 0 : waitMs(rate, this.#left(lane, rate, seen, now))
  }

  /** @param stored what stands in the row @returns microseconds that are still to be paid back, or more than that */
  left(lane: string, rate: LaneRate, stored: Spending, now: number): number {
    if (this.#seen.get(lane)?.granted !== stored.granted) this.note(lane, stored, now)
    const seen = this.#seen.get(lane) ?? { ...stored, at: now }
    return Math.min(this.#left(lane, rate, seen, now), stored.spentUs)
  }

  #left(lane: string, rate: LaneRate, seen: Seen, now: number): number {
    const leftUs = leftOf(seen, now)
    const wholeUs = wholeOf(rate)
    if (leftUs <= wholeUs) return leftUs
    // A burst that was made smaller is paid back from its new size on.
    this.note(lane, { granted: seen.granted, spentUs: wholeUs }, now)
    return wholeUs
  }

  note(lane: string, spending: Spending, at: number): void {
    this.#seen.delete(lane)
    this.#seen.set(lane, { ...spending, at })
    const [oldest = ''] = this.#seen.keys()
    if (this.#seen.size > MAX_SEEN) this.#seen.delete(oldest)
  }

  /** What this process knows better than the rows say: lanes that were partly paid back since. */
  *paidBack(now: number): Iterable<readonly [lane: string, spending: Spending]> {
    for (const [lane, seen] of this.#seen) {
      const spentUs = leftOf(seen, now)
      if (spentUs < seen.spentUs) yield [lane, { granted: seen.granted, spentUs }]
    }
  }
}

/** @returns microseconds in which one job is paid back */
export function intervalUs({ max, perS }: LaneRate): number {
  return Math.ceil((perS * 1_000_000) / max)
}

/** @returns how many jobs the lane lets through now */
export function unitsOf(rate: LaneRate, leftUs: number): number {
  return Math.floor((wholeOf(rate) - leftUs) / intervalUs(rate))
}

/** @returns ms until the lane lets a job through; 0: now */
export function waitMs(rate: LaneRate, leftUs: number): number {
  return Math.max(0, Math.ceil((leftUs + intervalUs(rate) - wholeOf(rate)) / 1000))
}

function wholeOf(rate: LaneRate): number {
  return rate.burst * intervalUs(rate)
}

/** A clock that is set back pays nothing back. */
function leftOf({ spentUs, at }: Seen, now: number): number {
  return Math.max(0, Math.ceil(spentUs - Math.max(0, now - at) * 1000))
}
