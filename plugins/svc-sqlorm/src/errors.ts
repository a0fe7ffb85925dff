/** Every error that svc-sqlorm raises besides those of svc-orm. A published code never changes. */
import { createError } from '@fastify/error'
import { expectedError } from 'svc-kernel/plugin'

/**
 * 503: another writer, or other users of the pool, blocked the database for longer than `waitMs`. Fix: try again;
 * keep transactions short, and run every statement of one through its own repositories.
 */
export const DatabaseBusy = expectedError<[connector: string]>(
  'SVC_SQLORM_BUSY',
  'the database of connector %s is busy',
  503
)

/**
 * 503: PostgreSQL cancelled a statement that took longer than `statementTimeoutMs`. Fix: check its query plan; add
 * the missing index, ask for less, or raise the limit.
 */
export const StatementTimeout = expectedError<[connector: string]>(
  'SVC_SQLORM_STATEMENT_TIMEOUT',
  'a statement on connector %s was cancelled: it took longer than statementTimeoutMs',
  503
)

/**
 * 503: a transaction took longer than `transactionTimeoutMs`, or waited for its next statement for longer than
 * `idleInTransactionTimeoutMs`, and was rolled back. Fix: find what it waits for; keep slow work, such as calls to
 * other services, out of transactions.
 */
export const TransactionTimeout = expectedError<[connector: string]>(
  'SVC_SQLORM_TRANSACTION_TIMEOUT',
  'a transaction on connector %s took too long and was rolled back',
  503
)

const ReadOnly = expectedError<[connector: string]>(
  'SVC_SQLORM_READ_ONLY',
  'the database of connector %s refuses writes at the moment',
  503
)

/**
 * 503: the database refuses writes: the file is read-only, or the server is a standby. Fix: check the rights, or
 * connect to the primary.
 *
 * The connector logs when that begins and ends.
 */
export class DatabaseReadOnly extends ReadOnly {
  readonly announced = true
}

const Full = expectedError<[connector: string]>(
  'SVC_SQLORM_FULL',
  'the storage of connector %s is full; nothing was written',
  503
)

/**
 * 503: the disk, or the quota of the database, is full; nothing was written, and reads continue. Fix: free disk
 * space; no restart is needed.
 *
 * The connector logs when that begins and ends.
 */
export class DatabaseFull extends Full {
  readonly announced = true
}

/** 503, boot: the file is damaged, or is not a database. Fix: restore it from a backup. */
export const DatabaseDamaged = expectedError<[connector: string]>(
  'SVC_SQLORM_DAMAGED',
  'the database of connector %s cannot be read',
  503
)

/**
 * warning, 503: an entity has a new required field, and its table exists without that column; operations that need
 * the column are refused. Fix: make the field nullable, give it a default, or run a migration; in development `npx
 * svc orm:reset`.
 */
export const RequiredColumnMissing = expectedError<[column: string]>(
  'SVC_ORM_REQUIRED_COLUMN',
  '%s is required, but its table has no such column',
  503
)

/** thrown: a raw statement began a transaction; it was rolled back. Fix: use `transaction()`. */
export const StrayTransaction = createError(
  'SVC_SQLORM_STRAY_TRANSACTION',
  'a statement began a transaction, which was rolled back: use transaction()',
  500,
  TypeError
)
