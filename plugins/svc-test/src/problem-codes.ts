/** The codes of svc-test that are no error class: problems of the boot, warnings, lines of the log. */
export interface ProblemCodes {
  /**
   * boot: svc-test is listed in an application that runs in production. Fix: remove it from the modules of
   * production.
   */
  SVC_TEST_PRODUCTION: true
  /**
   * warning: the mode of the application is unknown, so the receiver of svc-test is open to everyone. Fix: load
   * svc-test from a config with a `mode`.
   */
  SVC_TEST_OPEN: true
}
