/** The codes of svc-mail that are no error class: problems of the boot, warnings, lines of the log. */
export interface ProblemCodes {
  /**
   * boot: no transport is configured in production, or the outbox takes the place of one. Fix: set `transport.url`, or
   * pass `parts.transport`.
   */
  SVC_MAIL_TRANSPORT: true
  /** boot: `from` is no address. Fix: write `Name <name@example.org>`. */
  SVC_MAIL_FROM: true
  /** log: the mail server took a mail for some of its recipients only. Fix: check the addresses in the log of the server. */
  SVC_MAIL_RECIPIENTS: true
  /** log: a mail was refused, or its last attempt failed. Fix: read the reason in the line; retry its job once that is mended. */
  SVC_MAIL_FAILED: true
}
