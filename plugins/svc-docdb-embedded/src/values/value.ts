/**
 * Values as the engine keeps them: never promoted to JavaScript numbers, so that int32, double, int64 and decimal
 * stay what they were; documents are Maps, so that every field keeps its place and no name is special.
 */
import type {
  Binary,
  BSONRegExp,
  BSONSymbol,
  Code,
  Decimal128,
  Double,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp
} from 'bson'

export type Document = Map<string, Value>

export type NumberValue = Int32 | Double | Long | Decimal128

export type Value =
  | null
  | boolean
  | string
  | Date
  | NumberValue
  | ObjectId
  | Binary
  | Timestamp
  | BSONRegExp
  | BSONSymbol
  | Code
  | MinKey
  | MaxKey
  | Value[]
  | Document

/** The names of types that `$type` and messages use. */
export type TypeName =
  | 'double'
  | 'string'
  | 'object'
  | 'array'
  | 'binData'
  | 'objectId'
  | 'bool'
  | 'date'
  | 'null'
  | 'regex'
  | 'javascript'
  | 'symbol'
  | 'int'
  | 'timestamp'
  | 'long'
  | 'decimal'
  | 'minKey'
  | 'maxKey'

const TAGS: Readonly<
  Record<Exclude<Value, null | boolean | string | Date | Value[] | Document>['_bsontype'], TypeName>
> = {
  Binary: 'binData',
  BSONRegExp: 'regex',
  BSONSymbol: 'symbol',
  Code: 'javascript',
  Decimal128: 'decimal',
  Double: 'double',
  Int32: 'int',
  Long: 'long',
  MaxKey: 'maxKey',
  MinKey: 'minKey',
  ObjectId: 'objectId',
  Timestamp: 'timestamp'
}

export function typeName(value: Value): TypeName {
  if (value === null) return 'null'
  if (typeof value === 'string') return 'string'
  if (typeof value === 'boolean') return 'bool'
  if (value instanceof Map) return 'object'
  if (Array.isArray(value)) return 'array'
  if (value instanceof Date) return 'date'
  return TAGS[value._bsontype]
}

export function isDocument(value: Value | undefined): value is Document {
  return value instanceof Map
}

export function isNumber(value: Value | undefined): value is NumberValue {
  if (typeof value !== 'object' || value === null || !('_bsontype' in value)) return false
  const tag = value._bsontype
  return tag === 'Int32' || tag === 'Double' || tag === 'Long' || tag === 'Decimal128'
}

export function isRegex(value: Value | undefined): value is BSONRegExp {
  return typeof value === 'object' && value !== null && '_bsontype' in value && value._bsontype === 'BSONRegExp'
}
