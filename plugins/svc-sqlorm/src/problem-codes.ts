/** The codes of svc-sqlorm that are no error class: problems of the boot, warnings, lines of the log. */
export interface ProblemCodes {
  /**
   * log: the database cannot be reached; requests that need it get `SVC_ORM_UNAVAILABLE` (503) until it is back. Fix:
   * check the database; no restart is needed.
   */
  SVC_SQLORM_UNREACHABLE: true
  /** boot: the database cannot be opened: path, name, password or rights. Fix: correct the URL or the rights. */
  SVC_SQLORM_OPEN: true
  /** boot: a unique index cannot be created, because rows hold the same values. Fix: remove the duplicates. */
  SVC_SQLORM_DUPLICATES: true
  /** boot: the URL is not for SQLite or PostgreSQL. Fix: use a form from the message. */
  SVC_SQLORM_URL: true
  /**
   * boot: `rowSecurity` is on and the role of the URL passes every policy, or it is off and tables have policies of svc.
   * Fix: use a role without SUPERUSER and BYPASSRLS, or set the option; see docs/guides/row-security.md.
   */
  SVC_SQLORM_ROW_SECURITY: true
  /** boot: an option of a connector has no effect on its engine, or contradicts another one. Fix: remove the option. */
  SVC_SQLORM_OPTION: true
  /**
   * log, warning: a replica gets no reads: it cannot be reached, is no standby, lags more than `maxLagMs`, has a role
   * that passes policies, or cancelled a read; other replicas and the primary answer. Fix: check the replica; no restart
   * is needed.
   */
  SVC_SQLORM_REPLICA_OUT: true
  /** boot: two limits of a connector contradict each other, so that one of them never acts. Fix: follow the message. */
  SVC_SQLORM_POOL: true
  /**
   * boot: the table name of an entity is reserved or longer than 63 characters, or a column has the name of a system
   * column of PostgreSQL. Fix: rename the entity or the field.
   */
  SVC_SQLORM_NAME: true
  /**
   * boot: an index with the method `trigram` needs the extension `pg_trgm`, which the server does not have or the user
   * may not create. Fix: let the owner of the database run `create extension pg_trgm`, or remove the index.
   */
  SVC_SQLORM_EXTENSION: true
  /** log: the database has no index of this method, so criteria on the field read every row. Fix: none is needed. */
  SVC_SQLORM_METHOD: true
}
