/** The codes of svc-jobs that are no error class: problems of the boot, warnings, lines of the log. */
export interface ProblemCodes {
  /** log: an attempt at a job failed. Fix: read the cause in the line; the job is tried again as long as it has retries. */
  SVC_JOBS_FAILED: true
  /** log: the database of jobs does not answer, or answers again. Fix: check the database. */
  SVC_JOBS_STORE: true
}
