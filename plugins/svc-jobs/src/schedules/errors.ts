/** Errors of schedules. */
import { expectedError } from 'svc-kernel/plugin'

/** 404: no schedule has this name, or this release does not declare it. Fix: list the schedules. */
export const ScheduleNotFound = expectedError<[name: string]>(
  'SVC_JOBS_SCHEDULE_NOT_FOUND',
  'no schedule that this release declares is named "%s"',
  404
)

/** 409: the last job of the schedule has not ended, and its `overlap` lets no other job run beside it. Fix: wait for its end, or cancel it. */
export const ScheduleBusy = expectedError<[job: string, name: string]>(
  'SVC_JOBS_SCHEDULE_BUSY',
  'the job %s of the schedule "%s" has not ended',
  409
)
