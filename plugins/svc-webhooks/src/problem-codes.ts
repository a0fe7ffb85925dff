/** The codes of svc-webhooks that are no error class: problems of the boot, warnings, lines of the log. */
export interface ProblemCodes {
  /**
   * boot: `svc-webhooks` is registered before `svc-security`, so its routes would have no CSRF protection and no
   * idempotency. Fix: register it after `svc-security`.
   */
  SVC_WEBHOOKS_EARLY: true
  /**
   * 400, thrown: `verifyWebhook`: a signature header is missing, malformed or given twice. Fix: check the sender;
   * pass the headers as you received them.
   */
  SVC_WEBHOOKS_HEADERS: true
  /**
   * 400, thrown: `verifyWebhook`: the timestamp of the message is outside the tolerance. Fix: compare the clocks of
   * both sides.
   */
  SVC_WEBHOOKS_STALE: true
  /**
   * log: the queue is full, so deliveries are dropped; logged at the first drop, and with their number at the end.
   * Fix: find the slow endpoint; `maxQueue` and `maxConcurrent` set the limits.
   */
  SVC_WEBHOOKS_DROPPED: true
  /**
   * log: a recovery stopped early; the messages before that were sent. Fix: read the cause in the log line, then
   * recover the range again.
   */
  SVC_WEBHOOKS_RECOVERY: true
  /**
   * log: the history lacks some ended deliveries, because its store refused them; the deliveries themselves are not
   * affected. Fix: check the database.
   */
  SVC_WEBHOOKS_HISTORY_DROPPED: true
  /**
   * log: an endpoint reached `autoDisableThreshold` failures in a row, or answered 410; `reason` says which. Fix:
   * repair the receiver, then enable the endpoint.
   */
  SVC_WEBHOOKS_DISABLED: true
  /**
   * log: the process stopped before some deliveries in its memory queue ended; the line has their number. Fix: set
   * `queue: 'store'`; receivers that must not miss an event also read the journal.
   */
  SVC_WEBHOOKS_LOST: true
  /**
   * log: the store of endpoints could not be read or written. Fix: read the cause in the log line; deliveries are
   * retried, and known endpoints stay.
   */
  SVC_WEBHOOKS_STORE: true
  /** log: a delivery failed inside svc before anything was sent. Fix: report it with the cause in the log line. */
  SVC_WEBHOOKS_UNSENT: true
  /**
   * warning: `encryptionKey` is missing in production, so webhooks are disabled. Fix: set it from the environment:
   * `openssl rand -base64 32`.
   */
  SVC_WEBHOOK_KEY_MISSING: true
  /**
   * warning: outside production, secrets are encrypted with a key of this process and are unreadable after a restart.
   * Fix: set `encryptionKey` from the environment: `openssl rand -base64 32`.
   */
  SVC_WEBHOOK_KEY_EPHEMERAL: true
  /** boot: `encryptionKey` is not 32 bytes of base64. Fix: set it to the output of `openssl rand -base64 32`. */
  SVC_WEBHOOK_KEY_INVALID: true
  /**
   * warning: `denyPrivateIps` is false in production. Fix: remove the option, and list internal networks in
   * `allowCidrs`.
   */
  SVC_WEBHOOKS_OPEN_NETWORK: true
  /** warning: `allowHttp` is true in production. Fix: remove the option. */
  SVC_WEBHOOKS_PLAIN_HTTP: true
}
