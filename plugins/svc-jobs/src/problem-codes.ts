/** The codes of svc-jobs that are no error class: problems of the boot, warnings, lines of the log. */
export interface ProblemCodes {
  /**
   * log: an attempt did not end within five seconds of its signal. Fix: make its work listen to the signal; until it ends
   * by itself, it may run beside the next attempt.
   */
  SVC_JOBS_ABANDONED: true
  /**
   * log: an attempt did not end within five seconds of its signal, in a lane with `concurrent` or with a unique key: what
   * waits for either goes on waiting. Fix: make its work listen to the signal.
   */
  SVC_JOBS_OVERRAN: true
  /** log: a listener of `jobs.on` failed. Fix: read the cause in the line; the job is as it was. */
  SVC_JOBS_LISTENER: true
  /** log: an attempt at a job failed. Fix: read the cause in the line; the job is tried again as long as it has retries. */
  SVC_JOBS_FAILED: true
  /** log: a job cannot run as things are, and is not tried again. Fix: mend what the line names, then `npx svc jobs retry <id>`. */
  SVC_JOBS_PARKED: true
  /** boot: the option `store` names a driver that is not registered. Fix: register it before svc-jobs, or set `store: 'auto'`. */
  SVC_JOBS_NO_STORE: true
  /**
   * boot: `parts.queue` is no driver of `Queue`, cannot do what the options ask for, or jobs are stored in memory. Fix: as
   * the message says.
   */
  SVC_JOBS_QUEUE: true
  /**
   * boot: a schedule has no job, no time zone, a cron text that cannot be read, or an option that is not valid. Fix:
   * correct what the message names.
   */
  SVC_JOBS_SCHEDULE: true
  /** boot: schedules and jobs are stored in two databases. Fix: pass `parts.stores.schedules` beside `parts.stores.jobs`. */
  SVC_JOBS_SCHEDULE_STORE: true
  /**
   * log: slots of a schedule were missed and get no job, as `catchUp` says, or too many wait for the job before them.
   * Fix: choose another `catchUp` or `overlap`, or schedule the job less often.
   */
  SVC_JOBS_SLOTS: true
  /** log: another instance does not find the slots of a schedule late. Fix: set the clocks of both instances. */
  SVC_JOBS_CLOCK: true
  /** log: the database of jobs, or `parts.queue`, does not answer. Fix: check the database, or the server of the queue. */
  SVC_JOBS_STORE: true
}
