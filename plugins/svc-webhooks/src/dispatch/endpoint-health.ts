/** What the attempts so far say of an endpoint, and how many slots it may hold therefore. Pure. */
import type { AttemptVerdict } from './classify-attempt.ts'

/**
 * `unproven`: never asked, or its last attempt failed at once. `failing`: the last attempt failed and took its time.
 * `slow`: it answers, and takes its time. Only `quick` endpoints have slots and places of the queue kept for them.
 */
export type EndpointHealth = 'unproven' | 'failing' | 'slow' | 'quick'

/** An attempt that takes longer holds up whoever shares the slots. */
export const QUICK_MS = 1_000

export function healthAfter(verdict: AttemptVerdict, durationMs: number): EndpointHealth {
  const quick = durationMs <= QUICK_MS
  if (verdict === 'retry') return quick ? 'unproven' : 'failing'
  return quick ? 'quick' : 'slow'
}

/** How many attempts may run at a time; each number is at least 1. */
export interface SlotShares {
  /** To all endpoints that are not quick, together: at most half of the slots, the others are kept for quick ones. */
  readonly notQuick: number
  /** To all that are slow or failing: one fewer, so that an endpoint that was never asked finds a slot. */
  readonly slowOrFailing: number
  /** To one endpoint, by its health, while others have deliveries too. */
  readonly each: Readonly<Record<EndpointHealth, number>>
  /** To the only endpoint that has any. */
  readonly alone: Readonly<Record<EndpointHealth, number>>
}

export function slotShares(maxConcurrent: number): SlotShares {
  const part = (numerator: number, denominator: number) =>
    Math.max(1, Math.floor((maxConcurrent * numerator) / denominator))
  const quarter = part(1, 4)
  // Less than half, but of a few slots two: one for what hangs, one for what was never asked.
  const notQuick = Math.max(1, Math.min(2, part(1, 2)), Math.ceil(maxConcurrent / 2) - 1)
  return {
    notQuick,
    slowOrFailing: Math.max(1, notQuick - 1),
    each: { unproven: 1, failing: quarter, slow: quarter, quick: part(3, 4) },
    alone: { unproven: quarter, failing: quarter, slow: part(1, 2), quick: maxConcurrent }
  }
}
