/** When a durable delivery is tried again: by a schedule that reaches over days, spread, and later where the receiver asks. Pure. */
import { type AttemptEnd, askedDelayMs } from './attempt.ts'

/** A wait is up to a tenth longer, in so many steps: what failed together does not come back together, in few writes. */
const STEPS = 8
const SPREAD = 0.1

/**
 * @param schedule seconds before each retry @param failures attempts that have failed, from 1 @param now epoch ms
 * @param random from 0 to below 1
 * @returns ms from now; `null` when no attempt is left
 */
export function retryDelayMs(
  schedule: readonly number[],
  failures: number,
  end: AttemptEnd,
  now: number,
  random: () => number
): number | null {
  const step = schedule[failures - 1]
  if (step === undefined) return null
  const spread = step * 1000 * (1 + (Math.floor(random() * (STEPS + 1)) / STEPS) * SPREAD)
  // A receiver that asks for more than the longest wait would never hear of it again.
  const asked = Math.min(askedDelayMs(end, now), Math.max(...schedule) * 1000)
  return Math.round(Math.max(spread, asked))
}
