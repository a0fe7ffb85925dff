/**
 * Values as the engine keeps them: never promoted to JavaScript numbers, so that int32, double, int64 and decimal
 * stay what they were; documents are Maps, so that every field keeps its place and no name is special.
 */
import type * as bson from 'bson'

export type Document = Map<string, Value>

export type NumberValue = bson.Int32 | bson.Double | bson.Long | bson.Decimal128

type BsonValue =
  | NumberValue
  | bson.ObjectId
  | bson.Binary
  | bson.Timestamp
  | bson.BSONRegExp
  | bson.BSONSymbol
  | bson.Code
  | bson.MinKey
  | bson.MaxKey

export type Value = null | boolean | string | Date | BsonValue | Value[] | Document

/** A type of values. */
export interface ValueType {
  /** In `$type` and in messages. */
  readonly name: string
  /** In `$type` and on the wire. */
  readonly code: number
  /** In the order of values; those of one rank are comparable to each other. */
  readonly rank: number
}

const type = (name: string, code: number, rank: number): ValueType => ({ name, code, rank })

/** By the tag of the class, or by what JavaScript has for the type. */
const TYPES = {
  Double: type('double', 1, 10),
  string: type('string', 2, 15),
  Map: type('object', 3, 20),
  Array: type('array', 4, 25),
  Binary: type('binData', 5, 30),
  ObjectId: type('objectId', 7, 35),
  boolean: type('bool', 8, 40),
  Date: type('date', 9, 45),
  null: type('null', 10, 5),
  BSONRegExp: type('regex', 11, 50),
  Code: type('javascript', 13, 60),
  BSONSymbol: type('symbol', 14, 15),
  Int32: type('int', 16, 10),
  Timestamp: type('timestamp', 17, 47),
  Long: type('long', 18, 10),
  Decimal128: type('decimal', 19, 10),
  MinKey: type('minKey', -1, -1),
  MaxKey: type('maxKey', 127, 127)
}

export const VALUE_TYPES: readonly ValueType[] = Object.values(TYPES)

export function typeOf(value: Value): ValueType {
  if (value === null) return TYPES.null
  if (typeof value === 'string') return TYPES.string
  if (typeof value === 'boolean') return TYPES.boolean
  if (value instanceof Map) return TYPES.Map
  if (Array.isArray(value)) return TYPES.Array
  return value instanceof Date ? TYPES.Date : TYPES[value._bsontype]
}

export function isDocument(value: Value | undefined): value is Document {
  return value instanceof Map
}

export function isNumber(value: Value | undefined): value is NumberValue {
  if (typeof value !== 'object' || value === null || !('_bsontype' in value)) return false
  const tag = value._bsontype
  return tag === 'Int32' || tag === 'Double' || tag === 'Long' || tag === 'Decimal128'
}

export function isRegex(value: Value | undefined): value is bson.BSONRegExp {
  return typeof value === 'object' && value !== null && '_bsontype' in value && value._bsontype === 'BSONRegExp'
}

/** The name of the first field; empty where there is none. What begins with `$` is a document of operators. */
export function firstName(document: Document): string {
  const [name = ''] = document.keys()
  return name
}
