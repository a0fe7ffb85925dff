/** `svc-jobs/stores`: the stores of jobs and schedules, for applications that bring a store of their own. */
export type { BatchRecord, BatchState } from './records/batch-record.ts'
export type { JobProgress, JobRecord, JobState } from './records/job-record.ts'
export type { Ending, Ends, JobStore, NewBatch, NewRecord, StoredBatch } from './records/job-store.ts'
export type { BatchStore } from './records/table-batches.ts'
export { jobStore } from './records/table-jobs.ts'
export type { StepResult, StepStore } from './records/table-steps.ts'
export type { ScheduleRecord } from './schedules/schedule-record.ts'
export { type Moved, type ScheduleStore, type StoredMove, scheduleStore } from './schedules/table-schedules.ts'
