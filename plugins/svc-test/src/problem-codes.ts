/** The codes of svc-test that are no error class: problems of the boot, warnings, lines of the log. */
export interface ProblemCodes {
  /** boot: svc-test is listed in an application that runs in production. Fix: leave it out there. */
  SVC_TEST_PRODUCTION: true
  /**
   * warning: svc-test is registered where the mode of the application is not known; its receiver is open. Fix: load it from a config
   * with a `mode`.
   */
  SVC_TEST_OPEN: true
}
