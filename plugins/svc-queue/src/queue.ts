/**
 * The port of a queue that outlives the process and is shared by workers. It hands out what it has admitted until it
 * learns how that ended: at least once. A job that one worker holds goes to no other, unless that worker expires.
 */

import type { LaneControl, LaneRules } from './lanes.ts'
import type { Priority } from './priority.ts'

export type { LaneControl, LaneListing, LaneRate, LaneRules, LaneState, SharedLaneLimits } from './lanes.ts'
export type { Priority } from './priority.ts'

/** How often a live worker sends its heartbeat, ms. */
export const HEARTBEAT_MS = 5_000

/** Heartbeats that a worker may miss before it expires and others get what it holds: half a minute. */
export const MISSED_HEARTBEATS = 6

/** A job to be stored. */
export interface NewJob {
  /** The same for the same work, so that a second admission changes nothing. */
  readonly id: string
  /** Lanes take turns: a receiver, a tenant, a kind of work. */
  readonly lane: string
  /** JSON. The queue keeps it and gives it back; it never reads it. */
  readonly payload: string
  /** W3C trace context of what caused the job, at most 55 characters. Kept and given back; absent without a trace. */
  readonly traceparent?: string
  /** Due so long after its admission. Default 0: at once. */
  readonly delayMs?: number
  /** Default: `normal`. Without meaning to a driver that has no `lanes`. */
  readonly priority?: Priority | undefined
  /** The worker that admits it has capacity for it, and asks to hold it at once. */
  readonly held: boolean
}

/** A job that a worker holds, and may run. */
export interface HeldJob {
  readonly id: string
  readonly lane: string
  readonly payload: string
  /** As it was admitted. */
  readonly traceparent?: string
  /** Attempts that have failed. */
  readonly attempts: number
  /** How often a worker expired, or left, while it held the job. Absent: not known. */
  readonly lapses?: number | undefined
  /** Of two jobs of its lane the one with the earlier turn goes first: see `turnOf`. Absent: in the order of the claim. */
  readonly turn?: number | undefined
}

/** What became of jobs that a worker held. */
export interface OutcomeBatch {
  /** Over, however they ended; also if another worker holds them by now. */
  readonly ended: readonly string[]
  /** To be tried again. Without effect if another worker holds them by now. */
  readonly retried: readonly Retry[]
  /** Given back untried. Without effect if another worker holds them by now. */
  readonly released: readonly string[]
}

/** A job to be tried again after a wait, with the attempts that it has had. */
export interface Retry {
  readonly id: string
  readonly attempts: number
  /** From now. */
  readonly delayMs: number
}

/** How many jobs a queue has. */
export interface QueueCounts {
  /** Jobs that no worker holds: due, or before a retry. */
  readonly waiting: number
  /** Jobs that a worker holds: about to run, or running. */
  readonly held: number
  /** Age of the job that was admitted first; `null` without one. */
  readonly oldestMs: number | null
}

/** The jobs of a lane that no worker holds, the next first, and how many workers hold. */
export interface PendingJobs {
  readonly waiting: number
  readonly held: number
  readonly next: readonly DueJob[]
}

/** A job that waits, with the time of its next attempt. */
export interface DueJob extends HeldJob {
  /** Epoch ms; `null` if the queue cannot say. */
  readonly dueAt: number | null
}

/** How applications that share a queue tell each other of a change, sooner than they would ask. */
export interface Changes {
  announce(): Promise<void>
  /** @param listener called when one told, and when one may have been missed @returns ends it */
  subscribe(listener: () => void): () => void
}

/** @throws an error of status 503 if it cannot be reached: it never answers as if it were empty */
export interface Queue {
  /** One write. A job that is there already stays as it is. @returns ids that the worker holds now, maybe fewer than it asked for */
  admit(worker: string, jobs: readonly NewJob[]): Promise<readonly string[]>
  /**
   * Takes due jobs that no worker holds. Lanes take turns, so that a long one does not delay the others.
   *
   * @param room how many jobs of a lane may be taken now
   * @param rules absent: no lane has shared limits. Without meaning to a driver that has no `lanes`
   */
  claim(worker: string, limit: number, room: (lane: string) => number, rules?: LaneRules): Promise<readonly HeldJob[]>
  /** Begins or extends the lease of a worker; called first, and then every `HEARTBEAT_MS`. @returns `false` if the worker has expired: it holds nothing any more */
  heartbeat(worker: string): Promise<boolean>
  settle(worker: string, outcomes: OutcomeBatch): Promise<void>
  /**
   * Makes the jobs of a lane that no worker holds due at once. They go in the order of their admission, before others.
   *
   * @returns how many it found, at most `limit`; fewer: there are no more
   */
  reschedule(lane: string, limit: number): Promise<number>
  /** Removes the jobs of a lane that no worker holds. @returns how many */
  discard(lane: string): Promise<number>
  counts(): Promise<QueueCounts>
  /** @param limit how many of the next jobs to list */
  pending(lane: string, limit: number): Promise<PendingJobs>
  /** The worker ends: others get what it still holds. */
  leave(worker: string): Promise<void>
  /** Absent if the driver has no way to tell. */
  readonly changes?: Changes | undefined
  /** Absent if the driver keeps neither limits nor priorities of lanes, and pauses none. */
  readonly lanes?: LaneControl | undefined
  /**
   * How long the job has been due that no worker holds and that waits longest, ms; `null`: none is due. Absent if the
   * driver cannot say by one cheap read.
   *
   * @param besides a lane whose jobs do not count
   */
  lateMs?(besides?: string): Promise<number | null>
}

/** Name of an operation of a queue. */
export type QueueOperation = Exclude<keyof Queue, 'changes' | 'lanes' | 'lateMs'>

/** Every operation: a driver that lacks one is refused. */
export const QUEUE_OPERATIONS: readonly QueueOperation[] = [
  'admit',
  'claim',
  'heartbeat',
  'settle',
  'reschedule',
  'discard',
  'counts',
  'pending',
  'leave'
]
