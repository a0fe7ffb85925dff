/** The codes of svc-audit that are no error class: problems of the boot, warnings, lines of the log. */
export interface ProblemCodes {
  /**
   * log: a record is unreadable, or its action, category or outcome is not in the catalogue
   * (docs/reference/audit.md). Fix: correct the record.
   */
  SVC_AUDIT_REFUSED: true
  /** log: a listener threw, or records events in an endless loop. Fix: correct the listener. */
  SVC_AUDIT_LISTENER: true
  /**
   * log: the store failed to write, read or purge events. Fix: read the cause in the log line; new events wait in
   * memory.
   */
  SVC_AUDIT_STORE: true
  /**
   * boot: `durability: 'strict'` is set, and svc-audit is registered in a scope that does not contain every route.
   * Fix: wrap the plugin that registers svc-audit in `fastify-plugin`.
   */
  SVC_AUDIT_NOT_ROOT: true
  /**
   * warning: `durability: 'strict'` is set, and events are stored in memory. Fix: set `store` to a database, or
   * `durability: 'relaxed'`.
   */
  SVC_AUDIT_STRICT_MEMORY: true
  /**
   * log: events were lost before they reached the store; the line has their number. Fix: check the database; memory
   * holds the newest events.
   */
  SVC_AUDIT_DROPPED: true
}
