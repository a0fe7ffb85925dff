/** The codes of svc-orm that are no error class: problems of the boot, warnings, lines of the log. */
export interface ProblemCodes {
  /**
   * boot: an entity definition has an unknown, missing or malformed key. Fix: correct it at the place in the message.
   */
  SVC_ENTITY_INVALID: true
  /** boot: the name of a field or relation is taken or not valid. Fix: rename it. */
  SVC_ENTITY_NAME: true
  /** boot: an entity has sealed fields, but svc-orm has no key. Fix: set `encryptionKey`; see docs/guides/sealed-fields.md. */
  SVC_ORM_SEALING_KEY_MISSING: true
  /** boot: `encryptionKey` is not 32 bytes of base64. Fix: set the output of `openssl rand -base64 32`. */
  SVC_ORM_SEALING_KEY: true
  /** boot: the settings of a field contradict each other. Fix: correct them. */
  SVC_ENTITY_FIELD: true
  /** boot: a field type of the application is incomplete, or its name is taken. Fix: correct what `defineFieldType` gets. */
  SVC_ENTITY_TYPE: true
  /**
   * boot: a relation has no target, no inverse, or is many-to-many. Fix: declare an entity for the pair, or correct
   * the relation.
   */
  SVC_ENTITY_RELATION: true
  /** boot: `tree` does not name a nullable many-to-one relation of the entity to itself. Fix: declare it, or correct `tree`. */
  SVC_ENTITY_TREE: true
  /**
   * boot: the `key` of an entity names what is no plain field, or is beside `existing`, `scope`, `search`, `tree` or a
   * list. Fix: correct `key`, or use `id` and a unique index; see docs/guides/entities-of-pairs.md.
   */
  SVC_ENTITY_KEY: true
  /**
   * boot: an entity over an existing table names an unknown field, maps two fields to one column, or was renamed.
   * Fix: correct `existing`.
   */
  SVC_ENTITY_EXISTING: true
  /**
   * boot, warning: an existing table, or one of its columns, is missing in the database; with `drift: 'refuse'` the
   * boot fails. Fix: name the table and column that exist in `existing`.
   */
  SVC_ORM_EXISTING_COLUMN: true
  /** boot: an index names an unknown field, a list or JSON. Fix: correct the index. */
  SVC_ENTITY_INDEX: true
  /**
   * boot: `search` names what is no shown text field, or the driver of the connector has no search. Fix: correct `search`; see
   * docs/guides/search.md.
   */
  SVC_ENTITY_SEARCH: true
  /**
   * boot: two entities of one connector have the same name, or names that lead to the same table. Fix: rename one, or
   * move it to another connector.
   */
  SVC_ENTITY_DUPLICATE: true
  /**
   * boot: an entity names a connector that is not registered, or no connector is registered. Fix: register a driver,
   * or correct the name.
   */
  SVC_ENTITY_CONNECTOR: true
  /**
   * boot: a class was declared for a connector that does not support classes. Fix: declare it with `defineEntity`, or
   * name its connector.
   */
  SVC_ENTITY_NATIVE: true
  /**
   * warning: the folder in `svc-orm.dir` does not exist, so no entities are declared. Fix: `npx svc create entity
   * <Name> <fields...>`, or correct `dir`.
   */
  SVC_ENTITY_DIR: true
  /** boot: an entity file threw while it was loaded. Fix: correct it at the place in the message. */
  SVC_ENTITY_FAILED: true
  /**
   * warning: the database differs from the entities; one line for each difference follows. Fix: apply the fix of each
   * line.
   */
  SVC_ORM_SCHEMA: true
  /**
   * warning, boot: a column has another type than its field, so values are misread or refused. With `drift: 'refuse'`
   * the boot fails on SQL. Fix: change the column in a migration, or change the field back.
   */
  SVC_ORM_COLUMN_TYPE: true
  /** warning: migrations have not run on a database. Fix: `npx svc orm:migrate`. */
  SVC_ORM_MIGRATION_PENDING: true
  /**
   * warning: a column allows NULL and its field does not, or the other way round. Fix: change the column in a
   * migration, or change the field.
   */
  SVC_ORM_COLUMN_NULL: true
  /**
   * warning, boot: a NOT NULL column without a default has no field, so every insert fails. With `drift: 'refuse'`
   * the boot fails. Fix: drop the column or its NOT NULL, or declare the field again.
   */
  SVC_ORM_COLUMN_LEFT: true
  /**
   * warning: a column is unique in the database and not in the entity. Fix: drop the unique index, or declare the
   * field unique.
   */
  SVC_ORM_INDEX_LEFT: true
  /** warning: a table has no primary key, or a different one. Fix: add the primary key in a migration. */
  SVC_ORM_KEY_MISSING: true
  /** CLI, 2: `npx svc orm:diff` needs a name for the migration. Fix: `npx svc orm:diff "add sku"`. */
  SVC_ORM_MIGRATION_NAME: true
  /** CLI, boot: no database of the application supports migrations. Fix: `npx svc module:add sql`. */
  SVC_ORM_MIGRATION_NONE: true
  /** CLI, boot: a file in the folder of migrations cannot be loaded, or is not a migration. Fix: correct the file. */
  SVC_ORM_MIGRATION_FILE: true
  /** CLI: `snapshot.json` in the folder of migrations cannot be read. Fix: restore the file of the last commit. */
  SVC_ORM_MIGRATION_SNAPSHOT: true
  /**
   * CLI, boot: a migration was edited after it had run; the message shows both checksums; nothing was done. Fix:
   * restore the file, and write a new migration.
   */
  SVC_ORM_MIGRATION_EDITED: true
  /**
   * CLI, warning: the database is newer than the code: a migration ran whose file is missing; nothing was done. Fix:
   * deploy the code that contains the file.
   */
  SVC_ORM_MIGRATION_UNKNOWN: true
  /**
   * CLI: the migration to roll back has no `down`; nothing was done. Fix: write a new migration, or restore a backup.
   */
  SVC_ORM_MIGRATION_NO_DOWN: true
  /**
   * CLI, boot: rows hold values that the new column cannot hold: NULL in a required column, or a value that does not
   * convert. Fix: add `fill` or `convert` to the step, or correct the rows.
   */
  SVC_ORM_MIGRATION_DATA: true
  /**
   * CLI, boot: the database is not in the state that a step of a migration expects. Fix: correct the database or the
   * migration, so that both agree.
   */
  SVC_ORM_MIGRATION_STATE: true
  /**
   * CLI, boot: a step of a migration failed. SQL databases roll the migration back; document databases continue at
   * that step with the next run. Fix: correct the migration.
   */
  SVC_ORM_MIGRATION_FAILED: true
  /**
   * CLI, thrown: a rollback would delete rows or values, and was not confirmed; nothing was done. Fix: add `--yes`,
   * or pass `confirm`.
   */
  SVC_ORM_MIGRATION_LOSS: true
  /**
   * CLI, warning: `was` names something that does not exist, or that exists beside its new name. Fix: correct or
   * remove `was`, as the message says.
   */
  SVC_ORM_MIGRATION_WAS: true
  /**
   * CLI: an entity has another key than its table. Fix: declare an entity with another name, and copy the rows in a
   * migration.
   */
  SVC_ORM_MIGRATION_KEY: true
  /**
   * CLI: a baseline must be the first migration, and needs a connection to the database; it leaves columns without a
   * field alone. Fix: follow the message.
   */
  SVC_ORM_MIGRATION_BASELINE: true
  /**
   * boot: migrations take longer than the boot may wait for them. Fix: run `npx svc orm:migrate` before the instances
   * start.
   */
  SVC_ORM_MIGRATION_LONG: true
  /**
   * CLI, boot: another instance is migrating these documents and does not finish. Fix: find that instance, then try
   * again.
   */
  SVC_ORM_MIGRATION_LOCKED: true
  /** CLI: the folder of seeds is empty, or has none for this connector. Fix: write a seed. */
  SVC_ORM_SEED_NONE: true
  /** CLI: no seed has this name; nothing was done. Fix: use a name from the message. */
  SVC_ORM_SEED_NAME: true
  /** CLI: a seed file throws while it is loaded, or exports no seed. Fix: correct the file. */
  SVC_ORM_SEED_FILE: true
  /** CLI: a seed failed and was rolled back; the seeds before it stay. Fix: correct it, and run it again. */
  SVC_ORM_SEED_FAILED: true
  /**
   * boot, warning: the table or the column still has its previous name in the database and needs a migration to
   * rename it; svc adds nothing beside it. Fix: `npx svc orm:diff rename`, then `npx svc orm:migrate`.
   */
  SVC_ORM_RENAMED: true
  /** warning: `stickyMs` is set, and no database has replicas. Fix: remove it, or name the replicas of a connector. */
  SVC_ORM_STICKY: true
  /**
   * log: statements took `flow.slowStatementMs` or longer; one line per shape and minute, without values. Fix: check
   * the query plan; add the missing index, or ask for less.
   */
  SVC_ORM_SLOW_STATEMENT: true
  /**
   * log: in development, a request makes one call for each of its rows. Fix: read or write all rows with one call, as
   * the message says.
   */
  SVC_ORM_CALL_PER_ROW: true
}
