/** The codes of svc-docdb that are no error class: problems of the boot, warnings, lines of the log. */
export interface ProblemCodes {
  /**
   * log: the server cannot be reached; requests that need it get `SVC_ORM_UNAVAILABLE` (503) until it is there. Fix:
   * check the server; nothing has to be restarted.
   */
  SVC_DOCDB_UNREACHABLE: true
  /**
   * log: the server that took writes is gone; requests wait for one, and get 503 where none is there within
   * `selectionTimeoutMs`. Fix: check the server; nothing has to be restarted.
   */
  SVC_DOCDB_LOST: true
  /** log: an index could not be made when the connection opened. Fix: see the error beside it. */
  SVC_DOCDB_OPENING: true
  /**
   * boot, log: a unique index is to be made, and documents hold the same values; the message has their number and the
   * id of one. Fix: change or remove them, or take `unique` off the field; where the server came after the boot,
   * requests get 503 until then.
   */
  SVC_DOCDB_DUPLICATES: true
  /**
   * boot: `DOCDB_URI` is not the address of a document database, `SVC_DATABASE_URL` is a broken one, or the driver cannot read an address. Fix: correct it,
   * percent-encode user and password, or unset it.
   */
  SVC_DOCDB_URI: true
  /** log: `SVC_DATABASE_URL` names another kind of database. Fix: none is needed; the connectors of the options are used. */
  SVC_DOCDB_URL_UNUSED: true
  /**
   * boot: the embedded engine was asked for in production, or its package is not installed. Fix: name a server; `npm
   * install --save-dev svc-docdb-embedded`.
   */
  SVC_DOCDB_EMBEDDED: true
  /**
   * boot: a Typegoose class has a field that no portable field can hold; or a compiled model of Mongoose is among the
   * entities. Fix: leave it out of `@entities`, or change the field; declare the model with `defineEntity`, or on
   * `fastify.docdb.connection()`.
   */
  SVC_DOCDB_NATIVE: true
  /**
   * boot: an entity has the name of a collection that a chosen store keeps. Fix: rename it, or give it another
   * connector.
   */
  SVC_DOCDB_NAME: true
  /**
   * boot, log, warning: Mongoose's default connection cannot be the connector's, as it is connected, held by another
   * application of the process, or of another copy of Mongoose; or models are on it and nothing connects it. Fix: hand
   * it over as `parts.mongoose`, and take `mongoose.connect()` out.
   */
  SVC_DOCDB_MONGOOSE: true
}
