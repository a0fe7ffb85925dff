/**
 * What a column holds by its field: a day, a UUID and one of some values are all kept as text, and not every text is one of
 * them. A column that does not say it holds whatever its type takes. Pure.
 */
import type { ColumnType } from 'svc-stores/table'
import type { CompiledField } from '../entities/compiled-entity.ts'
import { fieldTypeNamed, isOwnFieldType } from '../fields/define-field-type.ts'
import type { FieldTypeDefinition } from '../fields/field-type.ts'
import { BUILT_IN, type FieldType, lengthFault } from '../fields/field-types.ts'
import type { MigratedColumn } from './migration.ts'

/** Columns that say nothing of their field, and those of stores, which no entity has. */
const FIELD_TYPES: Readonly<Record<Exclude<ColumnType, 'time' | 'document'>, FieldType>> = {
  text: 'string',
  id: 'id',
  integer: 'integer',
  bigint: 'bigint',
  float: 'float',
  boolean: 'boolean',
  date: 'date',
  json: 'json',
  bytes: 'bytes'
}

type Narrowing = Pick<MigratedColumn, 'holds' | 'values' | 'maxLength'>

/** What a column says of its field: text and bytes can be less than the column takes, and so can types of an application's own. */
export function narrowingOf(
  { type, fieldType, values, maxLength, sealed }: CompiledField,
  column: ColumnType
): Narrowing {
  if (sealed !== undefined) return {}
  if (column !== 'text' && column !== 'bytes' && !isOwnFieldType(fieldType)) return {}
  return { holds: type, ...(values !== undefined && { values }), ...(maxLength !== null && { maxLength }) }
}

export function withoutNarrowing(column: MigratedColumn): MigratedColumn {
  const { holds: _holds, values: _values, maxLength: _maxLength, ...stored } = column
  return stored
}

/** Whether it takes every text, or all bytes, as its column does. */
export function isPlain({ holds = 'string', maxLength }: MigratedColumn): boolean {
  return maxLength === undefined && BUILT_IN[holds as FieldType]?.takes.includes('maxLength')
}

/** `null`: no field has such a column. A type that the code defines no more holds whatever its column takes. */
export function fieldTypeOf({ holds, type }: MigratedColumn): FieldTypeDefinition | null {
  const named = holds === undefined ? undefined : fieldTypeNamed(holds)
  return named ?? (type === 'time' || type === 'document' ? null : BUILT_IN[FIELD_TYPES[type]])
}

/** Whether a value of the one may be none of the other, where both are stored alike. */
export function isNarrower(from: MigratedColumn, to: MigratedColumn): boolean {
  const [before, after] = [fieldTypeOf(from), fieldTypeOf(to)]
  if (after === BUILT_IN.id || after?.narrow === true) return before?.name !== after.name
  if (after !== BUILT_IN.enum) return longest(from) > longest(to)
  const { values = [] } = to
  return before !== BUILT_IN.enum || from.values?.every((value) => values.includes(value)) !== true
}

function longest(column: MigratedColumn): number {
  const { maxLength = Number.POSITIVE_INFINITY, values = [] } = column
  const type = fieldTypeOf(column)
  if (type === BUILT_IN.enum) return Math.max(0, ...values.map((value) => Array.from(value).length))
  return type?.characters ?? maxLength
}

/** A value that was given or converted, as rows carry it; an exact number in units. @returns `undefined` for one that the column does not hold */
export function heldValue(column: MigratedColumn, given: unknown): unknown {
  if (column.list !== true) return heldItem(column, given)
  if (!Array.isArray(given)) return undefined
  const items = Array.from(given as unknown[], (item) => heldItem(column, item))
  return items.includes(undefined) ? undefined : items
}

function heldItem(column: MigratedColumn, given: unknown): unknown {
  const type = fieldTypeOf(column)
  if (type === null || given === undefined) return given
  // A moment may be given as anything that makes one.
  const value = type.read(type === BUILT_IN.date ? new Date(given as string) : given, column)
  return lengthFault(type, column, value) === null ? value : undefined
}

/** How many values of an enum are named. */
const SHOWN = 8

/** What it holds, for people: `uuid`, `one of a, b`, `text of at most 20 characters`, `list of integer`. */
export function heldText(column: MigratedColumn): string {
  const { type, list = false, values = [], maxLength } = column
  const field = fieldTypeOf(column)
  const more = values.length > SHOWN ? ` and ${values.length - SHOWN} more` : ''
  const named = field?.narrow === true ? field.name : type
  const kind = field === BUILT_IN.enum ? `one of ${values.slice(0, SHOWN).join(', ')}${more}` : named
  const unit = type === 'bytes' ? 'bytes' : 'characters'
  const bound = maxLength === undefined ? '' : ` of at most ${maxLength} ${unit}`
  return `${list ? 'list of ' : ''}${kind}${bound}`
}
