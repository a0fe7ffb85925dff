/** The codes of svc-ops that are no error class: problems of the boot, warnings, lines of the log. */
export interface ProblemCodes {
  /**
   * log: a health check failed, and `health/ready` answers 503 until it passes; logged once per outage. Fix: read the
   * cause in the log line.
   */
  SVC_OPS_UNHEALTHY: true
  /**
   * log: the heartbeat of this instance could not be written, so the others list it as silent. Logged once, until one is
   * written again. Fix: read the cause in the log line.
   */
  SVC_OPS_INSTANCES: true
}
