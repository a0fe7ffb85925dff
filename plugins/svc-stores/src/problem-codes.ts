/** The codes of svc-stores that are no error class: problems of the boot, warnings, lines of the log. */
export interface ProblemCodes {
  /**
   * boot, log: no loaded driver has the name of the configured store; in development that store is disabled instead.
   * Fix: load the driver's module, or set `store: 'auto'`.
   */
  SVC_STORE_UNKNOWN: true
  /** boot: a driver provides a store after a plugin has selected it. Fix: list the driver before the plugin. */
  SVC_STORE_ORDER: true
  /** boot: `stores.select` was called without a store definition. Fix: pass the definition that the feature exports. */
  SVC_STORE_DEFINITION: true
  /** boot: a store object under `parts` lacks operations. Fix: add the operations in the message. */
  SVC_STORE_INCOMPLETE: true
  /** boot: a driver provides the same store twice. Fix: register it once. */
  SVC_STORE_PROVIDED: true
  /** boot: a driver is named `auto`, `memory` or `parts`, which are reserved. Fix: choose another name. */
  SVC_STORE_DRIVER: true
  /** boot: no store has this name. Fix: use one of the eight names in the message. */
  SVC_STORE_BRICK: true
  /**
   * boot: a maintenance task has a name or interval that is not valid, the name of another one, or is declared after the
   * start. Fix: correct it, and declare it while plugins register.
   */
  SVC_STORE_MAINTENANCE: true
  /**
   * warning: in production a store is in memory: a restart loses it, and other instances cannot see it. Fix:
   * load a database driver.
   */
  SVC_STORE_VOLATILE: true
  /**
   * warning: a store is in memory because the driver does not support it. Fix: choose a driver that supports it.
   */
  SVC_STORE_FALLBACK: true
  /**
   * log: the database answers reads but refuses writes, for example because the disk is full; logged once, and once
   * when it is over. Fix: free disk space, or check the rights; no restart is needed.
   */
  SVC_ORM_UNWRITABLE: true
}
