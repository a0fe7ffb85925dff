/** Reads how a rate is written: `100/min`, or `{ count: 100, perS: 60 }`. Pure. */
import type { RateLimit } from 'svc-kernel'

/** A number of units in a period. */
export interface Rate {
  /** Units in a period. */
  readonly count: number
  /** Seconds of a period. */
  readonly perS: number
}

const UNITS: Readonly<Record<string, number>> = {
  s: 1,
  sec: 1,
  second: 1,
  m: 60,
  min: 60,
  minute: 60,
  h: 3600,
  hour: 3600,
  d: 86_400,
  day: 86_400
}

const FORM = /^(\d+) ?\/ ?(\d*) ?([a-z]+?)s?$/

const MAX_COUNT = 1_000_000_000

/** The longest period, in seconds: 31 days. */
const MAX_PERIOD_S = 31 * 86_400

/** One unit is paid back in a whole number of microseconds, at least one. */
const MAX_PER_SECOND = 1_000_000

/** What is expected, for messages. */
export const RATE_FORM = "'100/min', '5/15min', '1000/hour' or { count, perS }"

/** @returns a sentence about what is wrong in place of a rate that no limit can have */
export function readRate(given: RateLimit['rate'] | undefined): Rate | string {
  const rate = typeof given === 'string' ? parsed(given) : given
  if (typeof rate !== 'object' || rate === null) return 'is not a rate'
  const { count, perS } = rate
  if (!Number.isInteger(count) || count < 1 || count > MAX_COUNT) {
    return `allows ${count} requests, which is not a whole number from 1 to ${MAX_COUNT}`
  }
  if (!Number.isInteger(perS) || perS < 1 || perS > MAX_PERIOD_S) {
    return `has a period of ${perS} seconds, which is not a whole number from 1 to ${MAX_PERIOD_S} (31 days)`
  }
  return count / perS > MAX_PER_SECOND ? `allows more than ${MAX_PER_SECOND} requests a second` : { count, perS }
}

function parsed(text: string): Rate | null {
  const [, count = '', periods = '', word = ''] = FORM.exec(text) ?? []
  const unit = Object.hasOwn(UNITS, word) ? UNITS[word] : undefined
  return unit === undefined ? null : { count: Number(count), perS: (periods === '' ? 1 : Number(periods)) * unit }
}
