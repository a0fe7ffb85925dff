/** The codes of svc-ops that are no error class: problems of the boot, warnings, lines of the log. */
export interface ProblemCodes {
  /**
   * log: a health check failed, and `health/ready` answers 503 until it passes; logged once per outage. Fix: read the
   * cause in the log line.
   */
  SVC_OPS_UNHEALTHY: true
  /**
   * log: a health check says that something works, and not as well as it should; health answers 200 `degraded` until it
   * passes. Fix: read the reason in the log line.
   */
  SVC_OPS_DEGRADED: true
  /**
   * log: the heartbeat of this instance could not be written, so the others list it as silent. Logged once, until one is
   * written again. Fix: read the cause in the log line.
   */
  SVC_OPS_INSTANCES: true
}
