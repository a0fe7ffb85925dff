/** The codes of svc-audit that are no error class: problems of the boot, warnings, lines of the log. */
export interface ProblemCodes {
  /**
   * log: a record is not of the catalogue (docs/reference/audit.md), or cannot be read. Fix: correct the action,
   * category or outcome.
   */
  SVC_AUDIT_REFUSED: true
  /** log: a listener failed, or records without end. Fix: correct the listener. */
  SVC_AUDIT_LISTENER: true
  /**
   * log: the store took no events, gave none, or could not remove old ones. Fix: see the cause beside it; events wait
   * meanwhile.
   */
  SVC_AUDIT_STORE: true
  /**
   * boot: `durability: 'strict'` is asked for in a scope that does not hold every route. Fix: wrap the plugin that
   * registers svc-audit with fastify-plugin.
   */
  SVC_AUDIT_NOT_ROOT: true
  /** warning: `durability: 'strict'` without a durable store. Fix: choose one with `store`, or stay relaxed. */
  SVC_AUDIT_STRICT_MEMORY: true
  /** log: events never reached the store; their number is given. Fix: check the database; memory holds the newest. */
  SVC_AUDIT_DROPPED: true
}
