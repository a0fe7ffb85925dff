/** `svc-jobs/stores`: where jobs are kept, for applications that bring a store of their own. */
export type { JobRecord, JobState } from './records/job-record.ts'
export { type Ending, type JobStore, jobStore, type NewRecord } from './records/table-jobs.ts'
export type { ScheduleRecord } from './schedules/schedule-record.ts'
export { type Moved, type ScheduleStore, type StoredMove, scheduleStore } from './schedules/table-schedules.ts'
