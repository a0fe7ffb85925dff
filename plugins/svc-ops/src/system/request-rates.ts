/**
 * How many requests, how many failures and how long they took, by minute of the last hour. Bounded: durations are
 * counted in classes, each an eighth longer than the one before, so that a percentile is true within 6 %. Pure.
 */

const MINUTE_MS = 60_000
export const MINUTES = 60

/** The first class ends here, in milliseconds. */
const SHORTEST = 0.05
const FACTOR = 1.125
/** The last holds whatever took longer: a minute and more. */
const CLASSES = 128
const LOG_FACTOR = Math.log(FACTOR)

interface Minute {
  /** Number of the minute since the epoch. */
  at: number
  count: number
  /** Answered with 5xx. */
  failures: number
  readonly classes: Uint32Array
}

export interface MinuteRates {
  /** Epoch ms, when it began. */
  readonly at: number
  readonly count: number
  readonly failures: number
  /** Milliseconds; `null` in a minute without requests. */
  readonly p50: number | null
  readonly p95: number | null
  readonly p99: number | null
}

export class RequestRates {
  readonly #minutes: Minute[] = Array.from({ length: MINUTES }, () => ({
    at: -1,
    count: 0,
    failures: 0,
    classes: new Uint32Array(CLASSES)
  }))
  readonly #since: number

  /** @param now epoch ms, as everywhere here */
  constructor(now: number) {
    this.#since = Math.floor(now / MINUTE_MS)
  }

  add(now: number, durationMs: number, status: number): void {
    const at = Math.floor(now / MINUTE_MS)
    const minute = this.#minutes[at % MINUTES] as Minute
    if (minute.at !== at) {
      minute.at = at
      minute.count = 0
      minute.failures = 0
      minute.classes.fill(0)
    }
    minute.count += 1
    if (status >= 500) minute.failures += 1
    const index = classOf(durationMs)
    minute.classes[index] = (minute.classes[index] as number) + 1
  }

  /** The minutes since the start, an hour at most, oldest first; the last is still under way. */
  read(now: number): MinuteRates[] {
    const last = Math.floor(now / MINUTE_MS)
    const first = Math.max(last - MINUTES + 1, Math.min(this.#since, last))
    return Array.from({ length: last - first + 1 }, (_, index) => this.#minute(first + index))
  }

  /** Minutes together. @param minutes the newest, the one under way among them; default: all */
  total(now: number, minutes: number = MINUTES): Omit<MinuteRates, 'at'> {
    const oldest = Math.floor(now / MINUTE_MS) - minutes
    const classes = new Uint32Array(CLASSES)
    let [count, failures] = [0, 0]
    for (const minute of this.#minutes) {
      if (minute.at <= oldest) continue
      count += minute.count
      failures += minute.failures
      minute.classes.forEach((number, index) => {
        classes[index] = (classes[index] as number) + number
      })
    }
    return { count, failures, ...percentiles(classes, count) }
  }

  #minute(at: number): MinuteRates {
    const minute = this.#minutes[at % MINUTES] as Minute
    const isHeld = minute.at === at
    const [count, failures] = isHeld ? [minute.count, minute.failures] : [0, 0]
    return { at: at * MINUTE_MS, count, failures, ...percentiles(minute.classes, count) }
  }
}

function classOf(durationMs: number): number {
  if (!(durationMs > SHORTEST)) return 0
  return Math.min(Math.ceil(Math.log(durationMs / SHORTEST) / LOG_FACTOR), CLASSES - 1)
}

function percentiles(classes: Uint32Array, count: number) {
  return {
    p50: percentile(classes, count, 0.5),
    p95: percentile(classes, count, 0.95),
    p99: percentile(classes, count, 0.99)
  }
}

/** The middle of the class that holds it. */
function percentile(classes: Uint32Array, count: number, part: number): number | null {
  if (count === 0) return null
  let left = Math.ceil(count * part)
  let index = 0
  for (; index < CLASSES - 1; index += 1) {
    left -= classes[index] as number
    if (left <= 0) break
  }
  const end = SHORTEST * FACTOR ** index
  return index === 0 ? end : end / Math.sqrt(FACTOR)
}
