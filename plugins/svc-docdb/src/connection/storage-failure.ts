/**
 * The driver's errors in the words of the portable contract. Only codes, labels
 * and classes decide: messages and key patterns differ between servers.
 */
import mongoose from 'mongoose'
import {
  type CompiledEntity,
  type CompiledIndex,
  ConnectionUnavailable,
  InvalidValue,
  TransactionConflict,
  UniqueViolation
} from 'svc-orm'
import { DatabaseFull, DocumentTooLarge, ReplicaSetRequired } from '../errors.ts'
import { indexName } from '../models/entity-indexes.ts'

const { MongoError, MongoServerError } = mongoose.mongo

const DUPLICATE_KEY = 11_000
const ILLEGAL_OPERATION = 20
const WRITE_CONFLICT = 112
const OUT_OF_DISK_SPACE = 14_031
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
export function storageFailure(error: unknown, connector: string, entity: CompiledEntity | null): unknown {
  if (isUnreachable(error)) return Object.assign(new ConnectionUnavailable(connector), { cause: error })
  const code = codeOf(error)
  if (code === DUPLICATE_KEY && entity !== null) return new UniqueViolation(entity.name, fieldsOf(error, entity))
  if (code === WRITE_CONFLICT || hasLabel(error, 'TransientTransactionError')) {
    return Object.assign(new TransactionConflict(), { cause: error })
  }
  if (code === OUT_OF_DISK_SPACE) return Object.assign(new DatabaseFull(connector), { cause: error })
  if (isStandalone(error)) return new ReplicaSetRequired(connector)
  if (isTooLarge(error, code)) return new DocumentTooLarge(entity?.name ?? 'a collection')
  if (error instanceof mongoose.Error.ValidationError) return invalidValue(error)
  return error
}

/** A bulk write keeps what it met in `errorResponse`. */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof MongoError)) return false
  if (UNREACHABLE.has(error.name)) return true
  if (error instanceof MongoServerError && isUnreachable(error.errorResponse)) return true
  return NOT_READY.has(codeOf(error) ?? 0)
}

/** What a unique index refused: a write, or the documents that were there before it. */
export function isDuplicateKey(error: unknown): boolean {
  return codeOf(error) === DUPLICATE_KEY
}

/** Also what the driver makes of it on retryable writes, where the server's own error is underneath. */
function isStandalone(error: unknown): boolean {
  const { originalError } = error as { originalError?: unknown }
  return codeOf(error) === ILLEGAL_OPERATION || codeOf(originalError) === ILLEGAL_OPERATION
}

function isTooLarge(error: unknown, code: number | undefined): boolean {
  if (code !== undefined && TOO_LARGE.has(code)) return true
  return (
    error instanceof RangeError ||
    (error instanceof Error && error.name === 'BSONError' && /size|large/i.test(error.message))
  )
}

function codeOf(error: unknown): number | undefined {
  if (!(error instanceof MongoServerError) && !(error instanceof MongoError)) return undefined
  return typeof error.code === 'number' ? error.code : undefined
}

function hasLabel(error: unknown, label: string): boolean {
  return error instanceof MongoError && error.hasErrorLabel(label)
}

/**
 * By the key pattern; servers that tell none name the index, whose name is made of its fields. One that tells neither, as
 * for an update that answers its document, can only have meant the one unique index, where there is one.
 */
function fieldsOf(error: unknown, entity: CompiledEntity): readonly string[] {
  const { keyPattern, message } = error as { keyPattern?: Record<string, unknown>; message?: string }
  if (keyPattern !== undefined) return Object.keys(keyPattern).map((field) => (field === '_id' ? 'id' : field))
  const index = /^E11000 [^{]*?index: (\S+)/.exec(message ?? '')?.[1]
  if (index === '_id_') return ['id']
  const unique = entity.indexes.filter((each) => each.unique)
  if (index === undefined) return unique.length === 1 ? (unique[0]?.fields ?? []) : []
  const names = ({ fields }: CompiledIndex) => [indexName(fields, true), fields.map((field) => `${field}_1`).join('_')]
  return unique.find((each) => names(each).includes(index))?.fields ?? []
}

/** A validator of a native class, told as the portable parser tells its own. */
function invalidValue(error: InstanceType<typeof mongoose.Error.ValidationError>): unknown {
  const [first] = Object.values(error.errors)
  return new InvalidValue(first?.path ?? 'the row', `a value that passes its "${first?.kind ?? 'custom'}" validator`)
}
