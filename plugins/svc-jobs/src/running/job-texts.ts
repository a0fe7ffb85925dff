/** How the worker of jobs speaks of its queue. */
import type { QueueTexts } from 'svc-queue'
import { JobsUnavailable } from '../errors.ts'

const UNREAD = 'the queue of jobs could not be read'

export const JOB_TEXTS: QueueTexts = {
  code: 'SVC_JOBS_STORE',
  failed: {
    admit: 'jobs could not be stored',
    claim: UNREAD,
    heartbeat: 'the queue of jobs could not be reached',
    settle: 'the end of jobs could not be stored',
    reschedule: 'jobs keep their schedule',
    discard: 'the jobs of a lane could not be removed',
    counts: UNREAD,
    pending: UNREAD,
    leave: 'jobs could not be returned to their queue'
  },
  left: (jobs) => `${jobs} jobs are waiting in their queue`,
  timeout: (ms) => new JobsUnavailable({ cause: new Error(`no answer within ${ms} ms`) }),
  unavailable: () => new JobsUnavailable()
}

/** How the relay speaks, which hands jobs over to a queue of the application. */
export const RELAY_TEXTS: QueueTexts = {
  ...JOB_TEXTS,
  failed: {
    ...JOB_TEXTS.failed,
    admit:
      'jobs could not be handed over to parts.queue: they wait in the database, and are handed over once it answers'
  }
}
