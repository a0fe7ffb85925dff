/** Schedules, as an application writes them. */
import type { CatchUp, Overlap, ScheduleSettings } from 'svc-kernel'

export type { CatchUp, Overlap }

/** What an application says of a schedule. */
export interface ScheduleOptions extends ScheduleSettings {
  /** The name of the job. Default: the name of the schedule. */
  readonly job?: string
}

export const CATCH_UPS: readonly CatchUp[] = ['none', 'latest', 'all']
export const OVERLAPS: readonly Overlap[] = ['skip', 'queue', 'cancel']
