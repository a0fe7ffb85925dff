/** The codes of svc-limits that are no error class: problems of the boot, warnings, lines of the log. */
export interface ProblemCodes {
  /** boot: the rate of a limit cannot be read. Fix: write it as in `100/min`. */
  SVC_LIMIT_RATE: true
  /** boot: `burst`, `by`, `name` or `onOutage` of a limit is wrong, or a key is unknown. Fix: correct the key in the message. */
  SVC_LIMIT_OPTION: true
  /** boot: two limits have one name and different rates. Fix: give both the same rate, or one another name. */
  SVC_LIMIT_NAME: true
  /** log: the store of rate limits does not answer, or answers again. Fix: check the database or Redis. */
  SVC_LIMIT_STORE: true
}
