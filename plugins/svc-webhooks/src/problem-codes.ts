/** The codes of svc-webhooks that are no error class: problems of the boot, warnings, lines of the log. */
export interface ProblemCodes {
  /**
   * boot: `svc-webhooks` is registered before `svc-security`, whose CSRF and idempotency its changes would go without.
   * Fix: register it after.
   */
  SVC_WEBHOOKS_EARLY: true
  /**
   * 400, thrown: `verifyWebhook`: a signature header is missing, malformed or given twice. Fix: see who sends; pass the
   * headers as received.
   */
  SVC_WEBHOOKS_HEADERS: true
  /**
   * 400, thrown: `verifyWebhook`: the message is older, or further ahead, than the tolerance. Fix: compare the clocks
   * of both sides.
   */
  SVC_WEBHOOKS_STALE: true
  /**
   * log: the queue of deliveries is full; logged when drops begin, and with their number when they are over. Fix: see
   * which endpoint is slow; see `maxQueue` and `maxConcurrent`.
   */
  SVC_WEBHOOKS_DROPPED: true
  /**
   * log: a recovery ended before its end; what was sent until then was sent. Fix: see the cause beside it, then recover
   * the range again.
   */
  SVC_WEBHOOKS_RECOVERY: true
  /**
   * log: deliveries that ended are missing in the history, as its store did not take them; they were delivered or not as
   * ever. Fix: check the database.
   */
  SVC_WEBHOOKS_HISTORY_DROPPED: true
  /**
   * log: an endpoint failed as often in a row as `autoDisableThreshold` allows, or answered 410; `reason` says which.
   * Fix: mend the receiver, then enable the endpoint.
   */
  SVC_WEBHOOKS_DISABLED: true
  /**
   * log: deliveries that a stop cost, counted at its end: they waited, came while it stopped, or were not over in time;
   * a queue in memory ends with its process. Fix: set `queue: 'store'`; receivers that must miss nothing also read the journal.
   */
  SVC_WEBHOOKS_LOST: true
  /**
   * log: the store of endpoints could not be read or written. Fix: see the cause beside it; deliveries are retried, the
   * known endpoints stay.
   */
  SVC_WEBHOOKS_STORE: true
  /**
   * log: a delivery failed inside the application, before anything was sent. Fix: report it with the cause beside it.
   */
  SVC_WEBHOOKS_UNSENT: true
  /**
   * warning: `encryptionKey` is missing in production: webhooks are disabled. Fix: set it from the environment:
   * `openssl rand -base64 32`.
   */
  SVC_WEBHOOK_KEY_MISSING: true
  /**
   * warning: outside production, secrets are sealed under a key of this process; after a restart they cannot be read.
   * Fix: set `encryptionKey` from the environment.
   */
  SVC_WEBHOOK_KEY_EPHEMERAL: true
  /** boot: `encryptionKey` is not 32 bytes of base64. Fix: set the output of `openssl rand -base64 32`. */
  SVC_WEBHOOK_KEY_INVALID: true
  /** warning: `denyPrivateIps` is false in production. Fix: leave it on, and name networks in `allowCidrs`. */
  SVC_WEBHOOKS_OPEN_NETWORK: true
  /** warning: `allowHttp` is true in production. Fix: leave it off. */
  SVC_WEBHOOKS_PLAIN_HTTP: true
}
