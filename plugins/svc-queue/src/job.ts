/** A job as a worker sees it, from its admission to its outcome. What it carries belongs to the package that uses the queue. */
export interface Job {
  /** Jobs of one lane share turns, slots and limits: a receiver, a tenant, a kind of work. */
  readonly lane: string
  /** Asked for by hand: one attempt, in this process alone. The caller gets an answer when there is no room. */
  readonly manual: boolean
  /** Who provoked it, for jobs that anyone can provoke in any number; `null` for all others. */
  readonly source: string | null
  /** Set at the latest when a shared queue admits it: the same for the same work. */
  id: string | null
  /** Attempts begun so far. */
  attempts: number
  /** When the last attempt began, epoch ms. */
  begunAt: number | null
  /** The W3C trace context of the work that caused it. The worker sets it at admission, where there is a trace. */
  traceparent?: string | null
  /** Of two jobs of its lane that wait here, the one with the earlier turn goes first. The worker sets it. */
  turn?: number | undefined
}

/**
 * How a lane does, as its attempts show. `unproven`: no attempt yet, or the last one failed at once. `failing`: the last
 * attempt failed and took its time. `slow`: it works, and takes its time. Only `quick` lanes have slots and room kept for
 * them.
 */
export type LaneHealth = 'unproven' | 'failing' | 'slow' | 'quick'

/** An attempt that takes longer, in ms, delays the lanes that share the slots. */
export const QUICK_MS = 1_000

/** No retry in memory waits longer, in ms. */
export const LONGEST_RETRY_MS = 300_000

/** What an attempt came to. */
export interface Attempt {
  /** `withdrawn`: the job is not wanted any more, and nothing was done. */
  readonly verdict: 'done' | 'failed' | 'retry' | 'withdrawn'
  /** Absent if the attempt says nothing about the lane. */
  readonly health?: LaneHealth | undefined
  /** Of a retry: ms until the next attempt; `null` if none is left. */
  readonly delayMs: number | null
}

/**
 * What happens to a job. Each that is `enqueued` ends in one of `done`, `failed` (its last attempt failed), `dropped` (it
 * found no room, or made room for another one) and `discarded` (withdrawn, unwritable, or left over by a stop). `retried`:
 * an attempt failed, and another one follows.
 */
export type JobEvent = 'enqueued' | 'dropped' | 'retried' | 'done' | 'failed' | 'discarded'

/** The package that uses the queue: it makes the attempts, and learns what happens to its jobs. */
export interface JobHandler<J extends Job, A extends Attempt> {
  /** One attempt. Rejects if the job can never run: it is discarded. */
  attempt(job: J): Promise<A>
  /** Another job may begin while the end of this one is recorded. Default: it waits. */
  readonly recordsAside?: boolean
  /** The last attempt is over. The queue keeps the job until this resolves. Never rejects. */
  record(job: J, attempt: A): Promise<void>
  /** @param attempt of `retried`, `done` and `failed` */
  happened(event: JobEvent, job: J, attempt?: A): void
  /** The attempt found its job withdrawn; called after the job is discarded. */
  withdrawn(job: J, attempt: A): void
  /** The attempt rejected; called before the job is discarded. */
  impossible(job: J, error: unknown): void
  /** Jobs find room again: a burst of drops is over. */
  roomAgain(): void
  /** The worker lost its lease: other workers may hold by now what runs here. */
  leaseLost?(): void
}

/** Jobs of one lane that have not ended. */
export interface LanePending<J extends Job> {
  readonly waiting: number
  readonly running: number
  /** The next ones. `dueAt`: epoch ms; in the past, the job waits for a slot; `null` if only the queue knows. */
  readonly next: readonly { readonly job: J; readonly dueAt: number | null }[]
}
