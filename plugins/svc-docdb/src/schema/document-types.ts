/** What documents keep a column as: one object per type says how values pass, what Mongoose calls it, and which BSON is one. */
import mongoose from 'mongoose'
import { InvalidValue } from 'svc-stores'
import type { ColumnType } from 'svc-stores/table'
import { fromBson, readJson, storedJson, toBson } from './stored-json.ts'

const { Binary, Long, ObjectId } = mongoose.mongo
const { Mixed, ObjectId: IdType, Buffer: BytesType } = mongoose.Schema.Types

export interface DocumentType {
  /** Of a Mongoose schema. */
  readonly mongoose: unknown
  /** Whether a standing value is one. An id may be a key of another form, where the documents are somebody else's. */
  readonly holds: (value: unknown) => boolean
  /** Absent: BSON keeps the value as it is. */
  readonly write?: (value: unknown) => unknown
  /** Absent: as the driver answers. @param name of the column, for messages */
  readonly read?: (value: unknown, name: string) => unknown
}

const isDate = (value: unknown): boolean => value instanceof Date

export const DOCUMENT_TYPES: Readonly<Record<ColumnType, DocumentType>> = {
  text: { mongoose: String, holds: (value) => typeof value === 'string' },
  id: {
    mongoose: IdType,
    holds: (value) => typeof value === 'string' || value instanceof ObjectId,
    write: (id) => new ObjectId(id as string),
    read: (id) => (id instanceof ObjectId ? id.toHexString() : String(id))
  },
  integer: { mongoose: Number, holds: (value) => Number.isInteger(value) },
  bigint: {
    mongoose: BigInt,
    holds: (value) => Number.isInteger(value) || value instanceof Long,
    write: (value) => Long.fromBigInt(value as bigint),
    read: wide
  },
  float: { mongoose: Number, holds: (value) => typeof value === 'number' },
  boolean: { mongoose: Boolean, holds: (value) => typeof value === 'boolean' },
  time: {
    mongoose: Date,
    holds: isDate,
    write: (time) => new Date(time as number),
    read: (time) => (time instanceof Date ? time.getTime() : time)
  },
  date: { mongoose: Date, holds: isDate },
  bytes: {
    mongoose: BytesType,
    holds: (value) => value instanceof Binary,
    read: (value) => (value instanceof Binary ? value.value() : value)
  },
  json: { mongoose: Mixed, holds: () => true, write: toBson, read: fromBson },
  document: { mongoose: Mixed, holds: () => true, write: (value) => storedJson(value as object), read: readJson },
  words: {
    mongoose: [String],
    holds: (value) => Array.isArray(value),
    write: (words) => (words === '' ? [] : (words as string).split(' ')),
    read: (words) => (words as string[]).join(' ')
  }
}

/** The driver answers as a number what it takes for exact, 2^53 included. @throws InvalidValue for a sum past 64 bits, and for what others wrote */
function wide(value: unknown, name: string): bigint {
  if (Long.isLong(value)) return value.toBigInt()
  if (Number.isInteger(value) && Math.abs(value as number) <= 2 ** 53) return BigInt(value as number)
  throw new InvalidValue(name, 'integers of 64 bits, in rows and in sums')
}
