/** The codes of svc-ops that are no error class: problems of the boot, warnings, lines of the log. */
export interface ProblemCodes {
  /**
   * log: a health check failed; `health/ready` answers 503 until it passes. Logged once per outage. Fix: see the cause
   * beside it.
   */
  SVC_OPS_UNHEALTHY: true
}
