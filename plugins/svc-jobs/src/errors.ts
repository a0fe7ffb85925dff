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

/** thrown: two definitions have one name, one comes after the start, or an option is not valid. Fix: as the message says; define jobs while plugins register. */
export const JobDefined = createError<[name: string, reason: string]>(
  'SVC_JOBS_DEFINED',
  'the job "%s" cannot be defined: %s',
  500,
  TypeError
)

/** 400: the body of a job is not what its schema says, or no lane or unique key can be made of it. Fix: correct what the message names. */
export const InvalidJobBody = expectedError<[name: string, faults: string]>(
  'SVC_JOBS_BODY',
  'the body of the job "%s" is not valid: %s',
  400
)

/** thrown: a job is added with a priority that there is not. Fix: use one that the message names. */
export const InvalidPriority = createError<[got: string]>(
  'SVC_JOBS_PRIORITY',
  'a job has the priority "%s"; it must be one of urgent, high, normal, low',
  500,
  TypeError
)

/** thrown: a job is added with a `delayS` that is no number of seconds, or more than ten years. Fix: pass seconds, and not a time. */
export const InvalidDelay = createError<[got: string]>(
  'SVC_JOBS_DELAY',
  'a job has the delay "%s"; delayS is a number of seconds from now, at most 315360000',
  500,
  TypeError
)

/** 503: the database of jobs does not answer. Fix: read the cause in the log. */
export const JobsUnavailable = expectedError('SVC_JOBS_UNAVAILABLE', 'jobs cannot be stored or read at the moment', 503)

/** 400: a lane is called by what is no name. Fix: pass a text of 1 to 200 characters. */
export const InvalidLane = expectedError('SVC_JOBS_LANE', 'the name of a lane has 1 to 200 characters', 400)

/** 404: no job has this id. Fix: list the jobs. */
export const JobNotFound = expectedError('SVC_JOBS_NOT_FOUND', 'no job has this id', 404)

/** 409: the job is in a state that does not allow this. Fix: read its state. */
export const JobState = expectedError<[state: string]>('SVC_JOBS_STATE', 'the job is %s', 409)

/** 409: the last attempt at the job is not over yet, as its work goes on or its end is being written. Fix: try again in a moment. */
export const JobEnding = expectedError('SVC_JOBS_ENDING', 'the last attempt at the job is not over yet', 409)

/** 409: another job that has not ended has the unique key of this one. Fix: wait until it has ended, or cancel it. */
export const JobKeyTaken = expectedError('SVC_JOBS_KEY', 'another job with the same unique key has not ended', 409)

/** 400: a job cannot follow one that is not there. Fix: correct the ids; jobs that ended are kept for `keepS`. */
export const UnknownJobBefore = expectedError<[ids: string]>('SVC_JOBS_BEFORE', 'no job to follow has the id %s', 400)

/** 400: a batch has too many jobs. Fix: split it into several. */
export const BatchTooLarge = expectedError<[given: string, most: string]>(
  'SVC_JOBS_BATCH',
  '%s jobs were given for a batch, which has at most %s',
  400
)

/** 404: no batch has this id. Fix: use the id that `batch` answered; batches that ended are kept for `keepS`. */
export const BatchNotFound = expectedError('SVC_JOBS_BATCH_NOT_FOUND', 'no batch has this id', 404)

/** thrown: a step has the name of another one, or a result that cannot be stored. Fix: as the message says. */
export const InvalidStep = createError<[name: string, reason: string]>(
  'SVC_JOBS_STEP',
  'the step "%s" is not valid: %s',
  500,
  TypeError
)

/** thrown: progress is not a number from 0 to 1. Fix: divide what is done by what there is to do. */
export const InvalidProgress = createError<[given: string]>(
  'SVC_JOBS_PROGRESS',
  'progress is a number from 0 to 1, and not %s',
  500,
  TypeError
)

/** thrown by work, recorded: the job fails, and no other attempt follows. Fix: read the reason in its record; retry the job once that is mended. */
export const FinalJobFailure = createError<[reason: string]>('SVC_JOBS_FINAL', '%s', 500)

/** recorded: an attempt took longer than `timeoutS`. Fix: raise it, or make the work listen to its signal. */
export const JobTimeout = createError<[seconds: string]>(
  'SVC_JOBS_TIMEOUT',
  'the attempt took longer than %s seconds',
  500
)

/** recorded: a guard or the firewall refused the run of a job, which is parked. Fix: read the reason; retry the job once its cause may do it. */
export const JobRefused = createError<[why: string]>('SVC_JOBS_REFUSED', 'it may not run: %s', 500)

/** recorded: the run of a job ended before its method was called, and is tried again. Fix: read the reason. */
export const JobNotBegun = createError<[why: string]>('SVC_JOBS_NOT_BEGUN', 'it could not begin: %s', 500)

/** thrown: `as` names whom a job runs as, and a request causes it. Fix: leave `as` off; the job runs as the caller. */
export const JobCaused = createError<[as: string]>(
  'SVC_JOBS_CAUSED',
  'the job cannot run as "%s": a request causes it, and it runs as the caller',
  500,
  TypeError
)
