/** What the last attempt says of an endpoint, and how many slots it may hold therefore. Pure. */
import type { AttemptVerdict } from './classify-attempt.ts'

/** `unproven`: never asked, or it failed last. */
export type EndpointPace = 'unproven' | 'slow' | 'quick'

/** Slower than this holds up whoever shares the slots. */
const QUICK_MS = 1_000

export function paceAfter(verdict: AttemptVerdict, durationMs: number): EndpointPace {
  if (verdict === 'retry') return 'unproven'
  return durationMs <= QUICK_MS ? 'quick' : 'slow'
}

/**
 * A quarter for an endpoint that may be dead, as its attempts hold their slots to the deadline; half for one that
 * answers; all for one that answers quickly while no other has anything to deliver.
 *
 * @returns at least 1
 */
export function shareOf(pace: EndpointPace, maxConcurrent: number, alone: boolean): number {
  if (pace === 'quick' && alone) return maxConcurrent
  return Math.max(1, Math.floor(maxConcurrent / (pace === 'unproven' ? 4 : 2)))
}
