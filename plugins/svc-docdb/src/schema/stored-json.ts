/**
 * JSON to and from BSON, in two forms. `json` columns are nested as they are, so that queries may look into them; two
 * forms of JSON mean something else to the BSON library: an object with a key `_bsontype` when written, one with `$ref`
 * and `$id` when read. `document` columns come back exactly as they went in: what BSON would change (half characters,
 * keys with NUL), or a server would read as an operator or a path, is stored as JSON text. Pure.
 */
import mongoose from 'mongoose'
import type { JsonObject } from 'svc-stores'

const { DBRef, ObjectId } = mongoose.mongo

const HALF_CHARACTER = /\p{Surrogate}/u

/** Keys that mean only themselves to every server and library. */
const PLAIN_KEY = /^(?!\$)(?!__proto__$)(?!_bsontype$)[^.\0]+$/

/** A value of a `json` column. */
export function toBson(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(toBson)
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => [key, toBson(item)])
  if (Object.hasOwn(value, '_bsontype')) return new Map(entries)
  return Object.fromEntries(entries)
}

/** What native models put there and JSON does not have (ids, moments) is read as text. */
export function fromBson(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(fromBson)
  if (value instanceof ObjectId) return value.toHexString()
  if (value instanceof Date) return value.toISOString()
  const plain = value instanceof DBRef ? referenceFields(value) : value
  if (isBsonValue(plain)) return String(plain)
  return Object.fromEntries(Object.entries(plain).map(([key, item]) => [key, fromBson(item)]))
}

/** The object of a `document` column, or its JSON text. */
export function storedJson(value: object): object | string {
  return isPlain(value) ? value : JSON.stringify(value)
}

/** The values of such columns are objects: a text is always JSON. */
export function readJson(stored: unknown): JsonObject {
  if (typeof stored === 'string') return JSON.parse(stored) as JsonObject
  return (stored ?? {}) as JsonObject
}

function referenceFields({ collection, oid, db, fields }: InstanceType<typeof DBRef>): Record<string, unknown> {
  return { $ref: collection, $id: oid, ...(db === undefined || db === null ? {} : { $db: db }), ...fields }
}

/** A number or binary of BSON's own, not an object that happens to have such a key. */
function isBsonValue(value: object): boolean {
  return '_bsontype' in value && !Object.hasOwn(value, '_bsontype')
}

function isPlain(value: unknown): boolean {
  if (typeof value === 'string') return !HALF_CHARACTER.test(value)
  if (typeof value === 'number') return !Object.is(value, -0)
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.every(isPlain)
  return Object.entries(value).every(([key, item]) => PLAIN_KEY.test(key) && !HALF_CHARACTER.test(key) && isPlain(item))
}
