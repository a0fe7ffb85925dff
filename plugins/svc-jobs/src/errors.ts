/** Every error that svc-jobs raises. A published code never changes. */
import { createError } from '@fastify/error'
import { expectedError } from 'svc-kernel/plugin'

/** thrown: no job has this name. Fix: define it, or correct the name. */
export const UnknownJob = createError<[name: string, known: string]>(
  'SVC_JOBS_UNKNOWN',
  'no job is named "%s"; known: %s. Define it with fastify.jobs.define',
  500,
  TypeError
)

/** thrown: two definitions have one name, or one comes after the start. Fix: rename one of them; define jobs while plugins register. */
export const JobDefined = createError<[name: string, reason: string]>(
  'SVC_JOBS_DEFINED',
  'the job "%s" cannot be defined: %s',
  500,
  TypeError
)

/** 400: the body of a job is not what its schema says. Fix: correct the values that `details` names. */
export const InvalidJobBody = expectedError<[name: string, faults: string]>(
  'SVC_JOBS_BODY',
  'the body of the job "%s" is not valid: %s',
  400
)

/** 503: the database that keeps jobs does not answer. Fix: read the cause in the log. */
export const JobsUnavailable = expectedError('SVC_JOBS_UNAVAILABLE', 'jobs cannot be stored or read at the moment', 503)

/** 404: no job has this id. Fix: list the jobs. */
export const JobNotFound = expectedError('SVC_JOBS_NOT_FOUND', 'no job has this id', 404)

/** 409: the job is in a state that does not allow this. Fix: read its state. */
export const JobState = expectedError<[state: string]>('SVC_JOBS_STATE', 'the job is %s', 409)

/** 409: another job that has not ended has the unique key of this one. Fix: wait until it has ended, or cancel it. */
export const JobKeyTaken = expectedError('SVC_JOBS_KEY', 'another job with the same unique key has not ended', 409)

/** thrown by work, recorded: the job fails, and no other attempt follows. Fix: read the reason in its record; retry the job once that is mended. */
export const FinalJobFailure = createError<[reason: string]>('SVC_JOBS_FINAL', '%s', 500)

/** recorded: an attempt took longer than `timeoutS`. Fix: raise it, or make the work listen to its signal. */
export const JobTimeout = createError<[seconds: string]>(
  'SVC_JOBS_TIMEOUT',
  'the attempt took longer than %s seconds',
  500
)
