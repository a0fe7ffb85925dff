/** The codes of svc-docdb that are no error class: problems of the boot, warnings, lines of the log. */
export interface ProblemCodes {
  /**
   * log: the server cannot be reached; requests that need it get `SVC_ORM_UNAVAILABLE` (503) until it is back. Fix:
   * check the server; no restart is needed.
   */
  SVC_DOCDB_UNREACHABLE: true
  /**
   * log: the primary server is gone; requests wait for a new one, and get 503 after `selectionTimeoutMs`. Fix: check
   * the server; no restart is needed.
   */
  SVC_DOCDB_LOST: true
  /** log: an index could not be created when the connection opened. Fix: read the error in the log line. */
  SVC_DOCDB_OPENING: true
  /**
   * boot, log: a unique index cannot be created, because documents hold the same values; the message has their number
   * and the id of one. Fix: change or remove them, or remove `unique` from the field; if the server connected after
   * the boot, requests get 503 until then.
   */
  SVC_DOCDB_DUPLICATES: true
  /**
   * boot, log: the server takes no such unique index, for example one of documents with two conditions on one field. Fix:
   * simplify `where` of the index, or remove `unique`.
   */
  SVC_DOCDB_UNIQUE_INDEX: true
  /** log: documents have no index of this method on this field, so criteria on it read every document. Fix: none is needed. */
  SVC_DOCDB_METHOD: true
  /**
   * boot: `DOCDB_URI` is not the address of a document database, `SVC_DATABASE_URL` is malformed, or the driver
   * cannot read an address. Fix: correct it, percent-encode user and password, or unset it.
   */
  SVC_DOCDB_URI: true
  /**
   * log: `SVC_DATABASE_URL` names another kind of database, so svc-docdb uses the connectors in its options. Fix:
   * nothing to do.
   */
  SVC_DOCDB_URL_UNUSED: true
  /**
   * boot: the embedded engine is configured in production, or its package is not installed. Fix: set `DOCDB_URI`; in
   * development `npm install --save-dev svc-docdb-embedded`.
   */
  SVC_DOCDB_EMBEDDED: true
  /**
   * boot: a Typegoose class has a field type that svc does not support, or a compiled Mongoose model is declared as
   * an entity. Fix: remove it from `@entities`, or change the field; declare the model with `defineEntity`, or on
   * `fastify.docdb.connection()`.
   */
  SVC_DOCDB_NATIVE: true
  /**
   * boot: an entity has `existing.key`. A collection has one key, `_id`. Fix: name its field as `existing.columns.id`, or
   * remove `existing.key`.
   */
  SVC_DOCDB_KEY: true
  /** boot: an entity has the name of a collection that svc uses. Fix: rename it, or move it to another connector. */
  SVC_DOCDB_NAME: true
  /**
   * boot, log, warning: svc-docdb cannot take over Mongoose's default connection: it is connected already, another
   * application in the process uses it, or it belongs to another copy of Mongoose; or models use the default
   * connection and nothing connects it. Fix: pass it as `parts.mongoose`, and remove `mongoose.connect()`.
   */
  SVC_DOCDB_MONGOOSE: true
}
