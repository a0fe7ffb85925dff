/**
 * Documents as plain JavaScript, which the mingo stages need, and back. What would not survive the way is refused:
 * a sum that silently passed over a decimal would be wrong without a sign of it.
 */
import { Double, Int32 } from 'bson'
import { CommandError, notImplemented } from '../failure/command-error.ts'
import { type Document, isDocument, isNumber, type Value } from '../values/value.ts'

export type Plain = Record<string, unknown>

/** @throws CommandError 238 for decimals, and for integers that a double cannot hold */
export function toPlain(document: Document): Plain {
  return Object.fromEntries([...document].map(([name, value]) => [name, plainValue(value)]))
}

export function fromPlain(plain: object): Document {
  return new Map(
    Object.entries(plain).flatMap(([name, value]) => (value === undefined ? [] : [[name, bsonValue(value)] as const]))
  )
}

function plainValue(value: Value): unknown {
  if (isDocument(value)) return toPlain(value)
  if (Array.isArray(value)) return value.map(plainValue)
  if (!isNumber(value)) return value
  if (value._bsontype === 'Int32' || value._bsontype === 'Double') return value.value
  const number = value._bsontype === 'Long' ? value.toNumber() : Number.NaN
  if (Number.isSafeInteger(number)) return number
  throw notImplemented('an aggregation stage that computes over decimals, or over integers beyond 53 bits,')
}

function bsonValue(value: unknown): Value {
  if (value === null || value === undefined) return null
  if (typeof value === 'number') {
    return Number.isInteger(value) && Math.abs(value) < 2 ** 31 && !Object.is(value, -0)
      ? new Int32(value)
      : new Double(value)
  }
  if (Array.isArray(value)) return value.map(bsonValue)
  if (typeof value === 'string' || typeof value === 'boolean' || value instanceof Date) return value
  if (typeof value === 'object' && '_bsontype' in value) return value as Exclude<Value, string | boolean | null>
  if (typeof value === 'object') return fromPlain(value)
  throw new CommandError(2, `an aggregation stage gave a value of the type ${typeof value}`)
}
