/**
 * The driver's errors in the words of the portable contract. Only codes, labels
 * and classes decide: messages and key patterns differ between servers.
 */
import mongoose from 'mongoose'
import { ConnectionUnavailable, InvalidValue, TransactionConflict, UniqueViolation } from 'svc-stores'
import { keyOf, recordOf, type TablePlan } from 'svc-stores/table'
import { DatabaseFull, DocumentTooLarge, NotSupported, ReplicaSetRequired } from '../errors.ts'
import { collidingColumns, uniqueIndexes } from '../schema/collection-indexes.ts'

const { MongoBulkWriteError, MongoError, MongoServerError } = mongoose.mongo

/** Of an update that is well formed: a sum past 64 bits. */
const BAD_VALUE = 2
/** The same of a product. */
const CONVERSION_FAILURE = 241
const DUPLICATE_KEY = 11_000
const CANNOT_CREATE_INDEX = 67
const ILLEGAL_OPERATION = 20
const WRITE_CONFLICT = 112
/** `MaxTimeMSExpired`, of writes that wait for a document so long and no longer. */
const OVER_TIME = 50
/** Of the embedded engine, and of servers that speak a part of the language. */
const NOT_IMPLEMENTED = 238
const OUT_OF_DISK_SPACE = 14_031
/** In the words of V8, which gives no codes. */
const BEYOND = /offset is out of bounds|call stack|invalid (?:array|string) length/i
const TOO_LARGE = new Set([10_334, 17_280, 17_419, 17_420])

/** Classes of the driver for a server that does not answer. */
const UNREACHABLE = new Set([
  'MongoServerSelectionError',
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoNotConnectedError',
  'MongoTopologyClosedError',
  'MongoPoolClosedError',
  'MongoPoolClearedError',
  'PoolClearedOnNetworkError',
  'MongoWaitQueueTimeoutError',
  'MongoClientClosedError',
  'MongoServerClosedError',
  'MongoOperationTimeoutError'
])

/** Of a server that steps down, starts or stops. */
const NOT_READY = new Set([6, 7, 89, 91, 189, 9001, 10_107, 11_600, 11_602, 13_435, 13_436])

/** @returns the error to throw instead; an error that means nothing here comes back as it is */
export function storageFailure(error: unknown, connector: string, plan: TablePlan | null): unknown {
  if (isUnreachable(error)) return Object.assign(new ConnectionUnavailable(connector), { cause: error })
  const code = codeOf(error)
  if (code === WRITE_CONFLICT || code === OVER_TIME || hasLabel(error, 'TransientTransactionError')) {
    return Object.assign(new TransactionConflict(), { cause: error })
  }
  if (code === DUPLICATE_KEY && plan !== null) return new UniqueViolation(recordOf(plan), collidingColumns(plan, error))
  if (code === OUT_OF_DISK_SPACE) return Object.assign(new DatabaseFull(connector), { cause: error })
  if (code === NOT_IMPLEMENTED) return Object.assign(new NotSupported(connector), { cause: error })
  if (isStandalone(error)) return new ReplicaSetRequired(connector)
  if (isTooLarge(error, code)) return new DocumentTooLarge(plan === null ? 'a collection' : recordOf(plan))
  if (error instanceof mongoose.Error.ValidationError) return invalidValue(error)
  if (code === CONVERSION_FAILURE) return new InvalidValue('the row', 'a product that its fields can hold')
  const wide = code === BAD_VALUE ? (plan?.columns.filter(({ type }) => type === 'bigint') ?? []) : []
  if (wide.length > 0) return new InvalidValue(wide.map(({ name }) => name).join(), 'a sum that the field can hold')
  return error
}

/** A bulk write keeps what it met in `errorResponse`. */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof MongoError)) return false
  if (UNREACHABLE.has(error.name)) return true
  if (error instanceof MongoServerError && isUnreachable(error.errorResponse)) return true
  return NOT_READY.has(codeOf(error) ?? 0)
}

/** The server itself, not merely a free connection to it. */
export function isGone(error: unknown): boolean {
  return isUnreachable(error) && (error as Error).name !== 'MongoWaitQueueTimeoutError'
}

/** What a unique index refused: a write, or the documents that were there before it. */
export function isDuplicateKey(error: unknown): boolean {
  return codeOf(error) === DUPLICATE_KEY
}

/** A conflict that the server waited out for `maxTimeMS`. */
export function isOverTime(error: unknown): boolean {
  return error instanceof TransactionConflict && codeOf(error.cause) === OVER_TIME
}

/** An index that the server can make over no documents. */
export function isUnsupportedIndex(error: unknown): boolean {
  return codeOf(error) === CANNOT_CREATE_INDEX
}

/**
 * Of rows that were inserted each on its own, when nothing but their key kept some of them out.
 *
 * @returns how many were there already, or `null` where something else was refused
 */
export function onlyKnownKeys(error: unknown, plan: TablePlan): number | null {
  if (!(error instanceof MongoBulkWriteError)) return null
  const refused = [error.writeErrors].flat()
  const key = keyOf(plan).join()
  const isOfKey = (columns: readonly string[]) => columns.join() === key
  const hasOther = uniqueIndexes(plan).some(({ columns }) => !isOfKey(columns))
  const known = refused.every(({ code, errmsg, err }) => {
    const facts = { ...err, message: errmsg }
    return code === DUPLICATE_KEY && (!hasOther || isOfKey(collidingColumns(plan, facts)))
  })
  return known && refused.length > 0 ? refused.length : null
}

/** Also what the driver makes of it on retryable writes, where the server's own error is underneath. */
function isStandalone(error: unknown): boolean {
  const { originalError } = error as { originalError?: unknown }
  return codeOf(error) === ILLEGAL_OPERATION || codeOf(originalError) === ILLEGAL_OPERATION
}

function isTooLarge(error: unknown, code: number | undefined): boolean {
  if (code !== undefined && TOO_LARGE.has(code)) return true
  return (
    isBeyondBuffer(error) || (error instanceof Error && error.name === 'BSONError' && /size|large/i.test(error.message))
  )
}

/** What writes BSON came to the end of its buffer, or of the stack. Any other `RangeError` is of an application's own hook. */
function isBeyondBuffer(error: unknown): boolean {
  if (!(error instanceof RangeError)) return false
  return 'code' in error ? error.code === 'ERR_OUT_OF_RANGE' : BEYOND.test(error.message)
}

function codeOf(error: unknown): number | undefined {
  if (!(error instanceof MongoServerError) && !(error instanceof MongoError)) return undefined
  return typeof error.code === 'number' ? error.code : undefined
}

function hasLabel(error: unknown, label: string): boolean {
  return error instanceof MongoError && error.hasErrorLabel(label)
}

/** A validator of a native class, told as the portable parser tells its own. */
function invalidValue(error: InstanceType<typeof mongoose.Error.ValidationError>): unknown {
  const [first] = Object.values(error.errors)
  return new InvalidValue(first?.path ?? 'the row', `a value that passes its "${first?.kind ?? 'custom'}" validator`)
}
