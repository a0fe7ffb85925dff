/** The codes of svc-stores that are no error class: problems of the boot, warnings, lines of the log. */
export interface ProblemCodes {
  /**
   * boot, log: the store that is configured is no loaded driver; in development the brick is disabled instead. Fix:
   * load the driver's module, or set `store: 'auto'`.
   */
  SVC_STORE_UNKNOWN: true
  /** boot: a driver provides a brick after a plugin has selected it. Fix: list the driver first. */
  SVC_STORE_ORDER: true
  /** boot: `stores.select` was given no definition of a store. Fix: pass the one that its feature exports. */
  SVC_STORE_DEFINITION: true
  /** boot: a store object under `parts` lacks operations. Fix: add those that are named. */
  SVC_STORE_INCOMPLETE: true
  /** boot: a driver provides a brick twice. Fix: register it once. */
  SVC_STORE_PROVIDED: true
  /** boot: `auto`, `memory` and `parts` cannot be names of drivers. Fix: choose another name. */
  SVC_STORE_DRIVER: true
  /** boot: there is no store of this name. Fix: use one of the eight names that are listed. */
  SVC_STORE_BRICK: true
  /** warning: a brick is kept in memory in production: lost at a restart, seen by one instance. Fix: load a driver. */
  SVC_STORE_VOLATILE: true
  /** warning: a brick is kept in memory because the driver does not carry it. Fix: choose a driver that does. */
  SVC_STORE_FALLBACK: true
  /**
   * log: the database answers and takes no writes, as on a full disk; logged once, and once when it is over. Fix: make
   * room, or check the rights; nothing has to be restarted.
   */
  SVC_ORM_UNWRITABLE: true
}
