/** Every error svc-sqlorm can raise beside those of svc-orm. A code, once published, never changes. */
import { createError } from '@fastify/error'

/** 503: another writer held the database, or every connection was taken, for as long as `waitMs` allows. */
export const DatabaseBusy = createError<[connector: string]>(
  'SVC_SQLORM_BUSY',
  'the database of connector %s is busy',
  503,
  Error,
  false
)

/** 503: the work of a transaction took longer than `transactionTimeoutMs`; it was undone. */
export const TransactionTimeout = createError<[connector: string]>(
  'SVC_SQLORM_TRANSACTION_TIMEOUT',
  'a transaction on connector %s was open for too long, and was undone',
  503,
  Error,
  false
)

const ReadOnly = createError<[connector: string]>(
  'SVC_SQLORM_READ_ONLY',
  'the database of connector %s takes no writes at the moment',
  503,
  Error,
  false
)

/** 503: the database answers, and takes no writes. Its connector logs when that begins and when it ends. */
export class DatabaseReadOnly extends ReadOnly {
  readonly announced = true
}

const Full = createError<[connector: string]>(
  'SVC_SQLORM_FULL',
  'the storage of connector %s is full; nothing was written',
  503,
  Error,
  false
)

/** 503: there is no room left for what was to be written. What stands can be read. Its connector logs begin and end. */
export class DatabaseFull extends Full {
  readonly announced = true
}

/** 503: the database file is damaged, or is not a database. */
export const DatabaseDamaged = createError<[connector: string]>(
  'SVC_SQLORM_DAMAGED',
  'the database of connector %s cannot be read',
  503,
  Error,
  false
)

/** 503: a required field has no column, because it was added to the entity after the table was made. */
export const RequiredColumnMissing = createError<[column: string]>(
  'SVC_ORM_REQUIRED_COLUMN',
  '%s is required and has no column in its table',
  503,
  Error,
  false
)

/** 500: a statement began or ended a transaction by itself; `transaction()` is the only way. */
export const StrayTransaction = createError(
  'SVC_SQLORM_STRAY_TRANSACTION',
  'a statement opened a transaction by itself; it was undone: use transaction()',
  500,
  TypeError
)
