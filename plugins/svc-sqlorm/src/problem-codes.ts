/** The codes of svc-sqlorm that are no error class: problems of the boot, warnings, lines of the log. */
export interface ProblemCodes {
  /**
   * log: the database cannot be reached; requests that need it get `SVC_ORM_UNAVAILABLE` (503) until it is back. Fix:
   * check the database; nothing has to be restarted.
   */
  SVC_SQLORM_UNREACHABLE: true
  /** boot: the database refuses to be opened: path, name, password or rights. Fix: correct the URL or the rights. */
  SVC_SQLORM_OPEN: true
  /** boot: a unique index is to be made, and rows hold the same values. Fix: remove the duplicates. */
  SVC_SQLORM_DUPLICATES: true
  /** boot: the URL is neither of SQLite nor of PostgreSQL. Fix: use one of the forms that the message shows. */
  SVC_SQLORM_URL: true
  /** boot: an option of a connector has no effect on its engine. Fix: remove it. */
  SVC_SQLORM_OPTION: true
  /**
   * boot: the table of an entity would have a reserved name, or one longer than 63 characters; or a column the name of
   * one that PostgreSQL keeps for itself. Fix: give the entity, or the field, another name.
   */
  SVC_SQLORM_NAME: true
}
