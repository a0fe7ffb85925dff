/**
 * Free JSON to and from BSON. Two forms of JSON mean something else to the BSON
 * library: an object with a key `_bsontype` when written, one with `$ref` and
 * `$id` when read. Both come back as they were. What native models put there and
 * JSON does not have (ids, moments) is read as text.
 */
import mongoose from 'mongoose'

const { DBRef, ObjectId } = mongoose.mongo

export function toBson(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(toBson)
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => [key, toBson(item)])
  if (Object.hasOwn(value, '_bsontype')) return new Map(entries)
  return Object.fromEntries(entries)
}

export function fromBson(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(fromBson)
  if (value instanceof ObjectId) return value.toHexString()
  if (value instanceof Date) return value.toISOString()
  const plain = value instanceof DBRef ? referenceFields(value) : value
  if (isBsonValue(plain)) return String(plain)
  return Object.fromEntries(Object.entries(plain).map(([key, item]) => [key, fromBson(item)]))
}

function referenceFields({ collection, oid, db, fields }: InstanceType<typeof DBRef>): Record<string, unknown> {
  return { $ref: collection, $id: oid, ...(db === undefined || db === null ? {} : { $db: db }), ...fields }
}

/** A number or binary of BSON's own, not an object that happens to have such a key. */
function isBsonValue(value: object): boolean {
  return '_bsontype' in value && !Object.hasOwn(value, '_bsontype')
}
