/** Types of what the admin API answers over HTTP, as its routes declare it. */
import type { FromSchema } from 'svc-kernel/schemas'
import type * as answers from './admin/answers.ts'

export type Job = FromSchema<typeof answers.job>
export type JobList = FromSchema<typeof answers.jobs>
export type Counts = FromSchema<typeof answers.counts>
export type LaneList = FromSchema<typeof answers.lanes>
export type AddedJob = FromSchema<typeof answers.added>
export type ScheduleList = FromSchema<typeof answers.schedules>
