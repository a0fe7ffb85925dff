/**
 * Free JSON in a document: nested as it is, so that it can be looked at and
 * queried, or as JSON text where BSON would change it (half characters, keys with
 * NUL) or the server would read a key as an operator or a path. The values are
 * objects, so that text in the field is unmistakable. Pure.
 */
import type { JsonObject } from 'svc-stores'

const HALF_CHARACTER = /\p{Surrogate}/u

/** Keys that stand for themselves to every server and library. */
const PLAIN_KEY = /^(?!\$)(?!__proto__$)(?!_bsontype$)[^.\0]+$/

export function storedJson(value: JsonObject): JsonObject | string {
  return isPlain(value) ? value : JSON.stringify(value)
}

export function readJson(stored: unknown): JsonObject {
  if (typeof stored === 'string') return JSON.parse(stored) as JsonObject
  return (stored ?? {}) as JsonObject
}

function isPlain(value: unknown): boolean {
  if (typeof value === 'string') return !HALF_CHARACTER.test(value)
  if (typeof value === 'number') return !Object.is(value, -0)
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.every(isPlain)
  return Object.entries(value).every(([key, item]) => PLAIN_KEY.test(key) && !HALF_CHARACTER.test(key) && isPlain(item))
}
