/** What the workers of a shared queue keep to in a lane together, and what is said of lanes to those who watch over them. */

/** How many jobs of a lane may be handed out in a time, to all workers together. */
export interface LaneRate {
  /** Jobs in `perS` seconds. */
  readonly max: number
  readonly perS: number
  /** Jobs at once after a quiet time. In any `perS` seconds no more than `max` + `burst` are handed out. */
  readonly burst: number
}

/** Limits of one lane, for all workers of a shared queue together. */
export interface SharedLaneLimits {
  /** Jobs that workers hold at a time. */
  readonly concurrent?: number | undefined
  readonly rate?: LaneRate | undefined
}

/** What a claim asks of lanes, and tells. */
export interface LaneRules {
  /** `undefined`: the lane has no limits. */
  limits(lane: string): SharedLaneLimits | undefined
  /** Jobs that are due wait for the rate of their lane. @param ms until it lets the next one through */
  later(ms: number): void
}

/** Which lanes a list has. */
export interface LaneListing {
  /** At least 1. */
  readonly limit: number
  /** Those behind this lane. */
  readonly after?: string | undefined
}

/** The jobs of a lane that have not ended. */
export interface LaneState {
  readonly lane: string
  /** No worker takes a job of it until it is resumed. */
  readonly paused: boolean
  /** Jobs that no worker holds: due, or later. */
  readonly waiting: number
  /** Jobs that workers hold. */
  readonly held: number
  /** Age of the job that was admitted first of those that are due and that no worker holds; `null` without one. */
  readonly oldestMs: number | null
}

/** Lanes of a shared queue, over all its workers. */
export interface LaneControl {
  /** Lanes that have jobs or are paused, by name. */
  list(listing: LaneListing): Promise<readonly LaneState[]>
  /** What is held goes on; within a second no worker takes more of it. It may have no jobs yet. */
  pause(lane: string): Promise<void>
  /** Also of a lane that is not paused. */
  resume(lane: string): Promise<void>
}
