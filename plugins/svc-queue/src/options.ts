/** The limits of a worker. Each is a whole number: at least 1, but `maxQueue` may be 0. */
import { LanesUnsupported, LimitsInvalid } from './errors.ts'
import type { LaneControl, SharedLaneLimits } from './lanes.ts'

/** Bounds of a worker. */
export interface QueueBounds {
  /** Jobs that may wait, run or be due for a retry in this process; those of a shared queue that it holds. */
  readonly maxQueue: number
  /** Attempts at a time. */
  readonly maxConcurrent: number
}

/** Limits of one lane, per worker. */
export interface LaneLimits {
  /** Attempts at a time. */
  readonly maxConcurrent?: number
  /** Attempts begun per second. */
  readonly maxPerSecond?: number
}

/** Limits of a worker, and of each lane of a shared queue. */
export interface WorkerLimits extends QueueBounds {
  /** For jobs of a shared queue. */
  readonly laneLimits?: LaneLimits | undefined
  /** What all workers of a shared queue together keep to in a lane; `undefined` where it has no limits. */
  readonly lanes?: ((lane: string) => SharedLaneLimits | undefined) | undefined
}

/** @param control of the queue @throws SVC_QUEUE_LIMITS, SVC_QUEUE_LANES */
export function checkLimits(limits: WorkerLimits, control: LaneControl | undefined): void {
  const { maxQueue, maxConcurrent, laneLimits = {}, lanes } = limits
  if (lanes !== undefined && control === undefined) throw new LanesUnsupported()
  check('maxQueue', maxQueue, 0)
  check('maxConcurrent', maxConcurrent, 1)
  for (const [name, value] of Object.entries(laneLimits)) check(`laneLimits.${name}`, value, 1)
}

function check(name: string, value: number, least: number): void {
  if (!Number.isInteger(value) || value < least) throw new LimitsInvalid(name, String(value), String(least))
}
