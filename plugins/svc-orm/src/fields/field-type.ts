/**
 * What a field type is: one object that says everything of it. Definitions, criteria, changes, CRUD, exports, migrations
 * and the admin plane read the object, and none has a list of types.
 */
import type { ColumnType } from 'svc-stores/table'

/** What a definition may say of a field besides its type. */
export interface FieldSettings {
  readonly values?: readonly string[]
  /** Decimals of an exact number. */
  readonly scale?: number
  readonly maxLength?: number | null
}

/** Keys of a definition that only some types take; those of `check` too. */
export type Setting = 'values' | 'scale' | 'maxLength' | 'schema' | 'min' | 'max' | 'minLength' | 'pattern'

/** Of values as columns have them, with what the fields before and after say of themselves. */
export type Conversion = (value: unknown, from: FieldSettings, to: FieldSettings) => unknown

/** By the type before. */
export type Conversions = Readonly<Record<string, Conversion>>

declare const given: unique symbol

/** `Value` is what rows have, `Given` what `create` takes besides. */
export interface FieldTypeDefinition<Value = unknown, Given = Value> {
  /** For types alone. */
  readonly [given]?: Given
  readonly name: string
  /** The type of its column. */
  readonly storage: ColumnType
  /** What its definition may say; and what it has to say. */
  readonly takes: readonly Setting[]
  readonly needs?: 'values' | 'scale'
  readonly can: {
    /** Whether a criterion compares its values, an index holds them and a list has them one by one. */
    readonly compare: boolean
    /** Whether its values have an order that criteria and measures ask for. */
    readonly order: boolean
    /** Whether its values can be added. */
    readonly add: boolean
    /** Whether parts of its values are searched for. */
    readonly search: boolean
    readonly default: boolean
  }
  /** Why a list cannot hold it; absent: it can. */
  readonly noList?: string
  /** Another type whose values its values are: what can be made from that one can be made from this one. */
  readonly like?: string
  /** Whether not every value of its column is one of its own: a migration looks at each. */
  readonly narrow?: boolean
  /** The characters that each of its texts has. */
  readonly characters?: number
  /** The `format` of its schema, and what that expects, for messages. */
  readonly format?: { readonly name: string; readonly expected: string }
  /** What its values can be made from, by the type before. */
  readonly from: Conversions
  /** The same, where a time zone decides what the values become. */
  readonly fromInZone?: Readonly<Record<string, (value: unknown, zone: string) => unknown>>
  /** @returns the value as its column has it, `undefined` for what is none; never throws */
  read(given: unknown, settings: FieldSettings): unknown
  /** A value of its column as rows have it; absent: the same. */
  fromStored?(stored: unknown, settings: FieldSettings): Value
  /** The way back; absent: `read`. */
  toStored?(value: unknown): unknown
  /** For messages. */
  expected(settings: FieldSettings): string
  /** A value as JSON Schema, without what its field asks for besides. */
  schema(settings: FieldSettings): Readonly<Record<string, unknown>>
  /** The type in DBML. */
  dbml(settings: FieldSettings): string
}

const SCALAR = { compare: true, order: true, add: false, search: false, default: true }

/** What is compared and ordered, and no more than that. */
export const scalar: FieldTypeDefinition['can'] = Object.freeze(SCALAR)

export const amount: FieldTypeDefinition['can'] = Object.freeze({ ...SCALAR, add: true })

const JS_TYPES: Partial<Record<ColumnType, string>> = {
  ...{ text: 'string', id: 'string', integer: 'number', float: 'number', bigint: 'bigint', boolean: 'boolean' }
}

function isOfColumn(type: ColumnType, value: unknown): boolean {
  if (type === 'date') return value instanceof Date
  if (type === 'bytes') return value instanceof Uint8Array
  return JS_TYPES[type] === undefined || typeof value === JS_TYPES[type]
}

/** A value of a column as rows have it. What no such column holds, as a document of another program may, stays as it is. */
export function rowValue(type: FieldTypeDefinition, stored: unknown, settings: FieldSettings): unknown {
  if (stored === null || stored === undefined || type.fromStored === undefined) return stored
  return isOfColumn(type.storage, stored) ? type.fromStored(stored, settings) : stored
}

/** A value of a row as its column has it. */
export function storedValue(type: FieldTypeDefinition, value: unknown, settings: FieldSettings): unknown {
  if (value === null || value === undefined || type.fromStored === undefined) return value
  return type.toStored === undefined ? type.read(value, settings) : type.toStored(value)
}

/** In code points, which JSON Schema counts too; a pair of surrogates is one. */
export function isLongerThan(text: string, length: number): boolean {
  if (text.length <= length) return false
  return text.length > 2 * length || Array.from(text).length > length
}
