/**
 * What a field type is: one object that says everything of it. Definitions, criteria, changes, CRUD, exports, migrations
 * and the admin plane read the object, and none has a list of types.
 */
import type { ColumnType } from 'svc-stores/table'

/** The settings of a field that its type reads. */
export interface FieldSettings {
  readonly values?: readonly string[]
  /** Decimals of an exact number. */
  readonly scale?: number
  readonly maxLength?: number | null
}

/** Keys of a definition that only some types take; those of `check` too. */
export type Setting = 'values' | 'scale' | 'maxLength' | 'schema' | 'min' | 'max' | 'minLength' | 'pattern'

/** Converts a stored value, with the settings of the field before and after. */
export type Conversion = (value: unknown, from: FieldSettings, to: FieldSettings) => unknown

/** Conversions by the type before. */
export type Conversions = Readonly<Record<string, Conversion>>

declare const given: unique symbol

/** A field type. `Value`: the type of values in rows; `Given`: what `create` accepts besides. */
export interface FieldTypeDefinition<Value = unknown, Given = Value> {
  /** For types alone. */
  readonly [given]?: Given
  readonly name: string
  /** The type of its column. */
  readonly storage: ColumnType
  /** The settings that a definition may have, and those that it must have. */
  readonly takes: readonly Setting[]
  readonly needs?: 'values' | 'scale'
  readonly can: {
    /** Criteria compare values, indexes contain them, and lists have them as items. */
    readonly compare: boolean
    /** Values have an order, for criteria and measures. */
    readonly order: boolean
    /** Values can be added. */
    readonly add: boolean
    /** Criteria find parts of values. */
    readonly search: boolean
    readonly default: boolean
  }
  /** Why a list cannot have such items. Absent: it can. */
  readonly noList?: string
  /** A more general type: what converts from that type converts from this one. */
  readonly like?: string
  /** The column can hold values that are not of this type: a migration checks each. */
  readonly narrow?: boolean
  /** The fixed number of characters of its text. */
  readonly characters?: number
  /** The `format` of its JSON Schema, and its description for messages. */
  readonly format?: { readonly name: string; readonly expected: string }
  /** Conversions from other types. */
  readonly from: Conversions
  /** Conversions from other types that need a time zone. */
  readonly fromInZone?: Readonly<Record<string, (value: unknown, zone: string) => unknown>>
  /** Reads a given value. @returns the stored value, `undefined` if it is not valid; never throws */
  read(given: unknown, settings: FieldSettings): unknown
  /** Converts a stored value to the value in rows. Absent: they are the same. */
  fromStored?(stored: unknown, settings: FieldSettings): Value
  /** Converts a value in rows to the stored value. Default: `read`. */
  toStored?(value: unknown): unknown
  /** Describes valid values, for messages. */
  expected(settings: FieldSettings): string
  /** The JSON Schema of a value, without the rules of its field. */
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
