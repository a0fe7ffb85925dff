/** The codes of svc-orm that are no error class: problems of the boot, warnings, lines of the log. */
export interface ProblemCodes {
  /** boot: a definition has an unknown, missing or malformed key. Fix: correct it at that place. */
  SVC_ENTITY_INVALID: true
  /** boot: a field or a relation has a name that is taken, or that is no name. Fix: rename it. */
  SVC_ENTITY_NAME: true
  /** boot: the settings of a field contradict each other. Fix: correct them. */
  SVC_ENTITY_FIELD: true
  /**
   * boot: a relation points nowhere, has no way back, or is many-to-many. Fix: declare an entity for the pair, or
   * correct the relation.
   */
  SVC_ENTITY_RELATION: true
  /**
   * boot: an entity over an existing table names a field that it does not have, gives two fields one column, or was renamed.
   * Fix: correct `existing`.
   */
  SVC_ENTITY_EXISTING: true
  /**
   * boot, warning: an existing table, or a column of it, is not there; where `drift` is `refuse`, it ends the boot. Fix: name
   * what is there in `existing`.
   */
  SVC_ORM_EXISTING_COLUMN: true
  /** boot: an index names what is no field, a list or JSON. Fix: correct the index. */
  SVC_ENTITY_INDEX: true
  /**
   * boot: two entities of one connector have one name, or names that make one table. Fix: rename one, or give it
   * another connector.
   */
  SVC_ENTITY_DUPLICATE: true
  /**
   * boot: an entity names a connector that is not registered, or there is none at all. Fix: register a driver; correct
   * the name.
   */
  SVC_ENTITY_CONNECTOR: true
  /**
   * boot: a class was declared for a connector that cannot read it. Fix: declare it with `defineEntity`, or name its
   * connector.
   */
  SVC_ENTITY_NATIVE: true
  /**
   * warning: the folder named by `svc-orm.dir` does not exist: no entities are declared. Fix: `svc create entity`, or
   * correct `dir`.
   */
  SVC_ENTITY_DIR: true
  /** boot: an entity file threw when it was loaded. Fix: correct it at that place. */
  SVC_ENTITY_FAILED: true
  /** warning: how many differences between the entities and a database follow, one line each. Fix: see their fixes. */
  SVC_ORM_SCHEMA: true
  /**
   * warning, boot: a field is kept as another type: its values are misread or refused. Where `drift` is `refuse`, SQL ends
   * the boot. Fix: change the column in a
   * migration, or the field back.
   */
  SVC_ORM_COLUMN_TYPE: true
  /** warning: migrations have not run on a database. Fix: `svc orm:migrate`. */
  SVC_ORM_MIGRATION_PENDING: true
  /**
   * warning: a column takes null and its field does not, or the other way round. Fix: change the column in a migration,
   * or the field.
   */
  SVC_ORM_COLUMN_NULL: true
  /**
   * warning, boot: a column that no field names is NOT NULL and has no default: every insert fails. Where `drift` is
   * `refuse`, it ends the boot. Fix: drop it or its NOT
   * NULL, or declare the field again.
   */
  SVC_ORM_COLUMN_LEFT: true
  /**
   * warning: the database holds values unique that the entity does not. Fix: drop the unique index, or declare the
   * field unique.
   */
  SVC_ORM_INDEX_LEFT: true
  /** warning: a table has no primary key, or another one. Fix: add it in a migration. */
  SVC_ORM_KEY_MISSING: true
  /** CLI, 2: `svc orm:diff` was given no name. Fix: name the migration by a few words. */
  SVC_ORM_MIGRATION_NAME: true
  /** CLI, boot: no database of the application has migrations. Fix: `svc module:add sql`. */
  SVC_ORM_MIGRATION_NONE: true
  /** CLI, boot: a file of the folder cannot be loaded, or is no migration. Fix: correct it. */
  SVC_ORM_MIGRATION_FILE: true
  /** CLI: `snapshot.json` of the folder cannot be read. Fix: take that of the last commit. */
  SVC_ORM_MIGRATION_SNAPSHOT: true
  /**
   * CLI, boot: a migration was edited after it ran; both checksums are shown, and nothing was done. Fix: put it back,
   * and write a new one.
   */
  SVC_ORM_MIGRATION_EDITED: true
  /**
   * CLI, warning: the database is newer than the code: a migration ran that is no file here; nothing was done. Fix: take
   * the code that has it.
   */
  SVC_ORM_MIGRATION_UNKNOWN: true
  /** CLI: a migration that is to be undone has no `down`; nothing was done. Fix: go forward, or restore a backup. */
  SVC_ORM_MIGRATION_NO_DOWN: true
  /**
   * CLI, boot: rows hold what the new column cannot: null where it is required, or a value that does not convert. Fix:
   * give `fill` or `convert`, or correct the rows.
   */
  SVC_ORM_MIGRATION_DATA: true
  /** CLI, boot: the database is not as a step of a migration needs it. Fix: bring both together. */
  SVC_ORM_MIGRATION_STATE: true
  /**
   * CLI, boot: a step of a migration failed. On SQL nothing was kept; on documents it goes on there with the next run.
   * Fix: correct the migration.
   */
  SVC_ORM_MIGRATION_FAILED: true
  /**
   * CLI, thrown: a rollback would delete rows or values, and it was not agreed to; nothing was done. Fix: `--yes`, or
   * `confirm`.
   */
  SVC_ORM_MIGRATION_LOSS: true
  /**
   * CLI, warning: `was` names what is not there, or what is there beside its new name. Fix: correct or remove it, as the
   * message says.
   */
  SVC_ORM_MIGRATION_WAS: true
  /**
   * CLI: a baseline comes before the first migration, and begins with the database, which has to be reached; columns that
   * are no fields are left alone. Fix: as the message says.
   */
  SVC_ORM_MIGRATION_BASELINE: true
  /** boot: migrations take longer than a boot waits for them. Fix: `svc orm:migrate` before the instances start. */
  SVC_ORM_MIGRATION_LONG: true
  /** CLI, boot: another instance migrates these documents, and does not end. Fix: look for it; try again. */
  SVC_ORM_MIGRATION_LOCKED: true
  /** CLI: there are no files of seeds, or none for the connector that was named. Fix: write one. */
  SVC_ORM_SEED_NONE: true
  /** CLI: no seed has the name that was given; nothing was done. Fix: use one that is listed. */
  SVC_ORM_SEED_NAME: true
  /** CLI: a file of seeds throws when it is loaded, or exports no seed. Fix: correct the file. */
  SVC_ORM_SEED_FILE: true
  /** CLI: a seed failed, and nothing of it was kept; those before it were. Fix: correct it, and run it again. */
  SVC_ORM_SEED_FAILED: true
  /**
   * boot, warning: a table, or a column, has the name that its entity had before: a migration is to rename it, and
   * nothing is added beside it. Fix: `svc orm:diff`, `svc orm:migrate`.
   */
  SVC_ORM_RENAMED: true
}
