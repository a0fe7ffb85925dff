/**
 * What BullMQ does not keep: which lanes have a queue, when each job was admitted, which go first, and which
 * workers live.
 */

/** An entry without a job is of an admission under way, or of one that broke off; after this time it is the latter. */
export const ADMISSION_MS = 60_000

export interface Admitted {
  readonly id: string
  readonly lane: string
}

export interface Directory {
  lanes(): Promise<string[]>
  /** Written after the jobs of the lane: a removal that sees no job leaves the entry of a later one. */
  list(lanes: readonly string[]): Promise<void>
  unlist(lane: string): Promise<void>
  /** Written before the jobs. What is there keeps its time. */
  note(jobs: readonly Admitted[]): Promise<void>
  forget(jobs: readonly Admitted[]): Promise<void>
  /** @returns those that are not rescheduled yet, the newest first */
  unhurried(jobs: readonly Admitted[]): Promise<Admitted[]>
  reschedule(jobs: readonly Admitted[]): Promise<void>
  /** They wait for their time again. */
  slow(jobs: readonly Admitted[]): Promise<void>
  /** @param exists whether there is a job @returns ms since the admission of the oldest; `null`: there is none */
  oldestMs(exists: (job: Admitted) => Promise<boolean>): Promise<number | null>
  /** @returns `false` where it is known already */
  enter(worker: string, leaseMs: number): Promise<boolean>
  /** @returns `false` where it was silent for longer than its lease */
  stay(worker: string, leaseMs: number): Promise<boolean>
  go(worker: string): Promise<void>
}
