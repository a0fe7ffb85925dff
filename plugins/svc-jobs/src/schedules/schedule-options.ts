/** Schedules, as an application writes them. */

/** Which slots get a job although no instance ran when they were due. */
export type CatchUp = 'none' | 'latest' | 'all'

/** What becomes of a slot while the job of an earlier slot has not ended. */
export type Overlap = 'skip' | 'queue' | 'cancel'

/** What an application says of a schedule. */
export interface ScheduleOptions {
  /** IANA time zone on whose clocks the cron text is read. */
  readonly zone: string
  /** The name of the job. Default: the name of the schedule. */
  readonly job?: string
  /** The body of each job. Default `{}`. */
  readonly body?: unknown
  /** Default `latest`. */
  readonly catchUp?: CatchUp
  /** Default `skip`. */
  readonly overlap?: Overlap
}

export const CATCH_UPS: readonly CatchUp[] = ['none', 'latest', 'all']
export const OVERLAPS: readonly Overlap[] = ['skip', 'queue', 'cancel']
