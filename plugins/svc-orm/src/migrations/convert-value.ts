/**
 * Values of a column before as values of the column after, the same on every database, without a loss. What does not convert
 * is told, and never replaced by something else. A field type says what its values can be made from. Pure.
 */
import type { IdForm } from 'svc-stores/table'
import { rowValue } from '../fields/field-type.ts'
import { isZone } from '../fields/zoned-day.ts'
import { fieldTypeOf, heldText, heldValue, isNarrower } from './migrated-column.ts'
import type { ConversionData, MigratedColumn } from './migration.ts'
import { type MigrationFault, missingData } from './migration-problem.ts'

/** `undefined`: the value has no counterpart. */
type Convert = (value: unknown) => unknown

function zoned(from: MigratedColumn, to: MigratedColumn) {
  const [before, after] = [fieldTypeOf(from), fieldTypeOf(to)]
  return before === null ? undefined : after?.fromInZone?.[before.name]
}

/** Whether a time zone decides what the values become. */
export function needsZone(from: MigratedColumn, to: MigratedColumn): boolean {
  return zoned(from, to) !== undefined
}

/** @returns the conversion of values that are not null, which answers `undefined` for one without a counterpart; `null` where there is none */
export function conversion(from: MigratedColumn, to: MigratedColumn, zone?: string): Convert | null {
  const item = itemConversion(from, to, zone)
  if (item === null) return null
  if (from.list === true) return to.list === true ? eachItem(item) : onlyItem(item)
  return to.list === true ? (value) => listOf(item(value)) : item
}

function itemConversion(from: MigratedColumn, to: MigratedColumn, zone: string | undefined): Convert | null {
  const [before, after] = [fieldTypeOf(from), fieldTypeOf(to)]
  if (before === null || after === null) return from.type === to.type ? (value) => value : null
  const inZone = zoned(from, to)
  if (inZone !== undefined) return zone === undefined ? null : held(to, (value) => inZone(value, zone))
  const convert = after.from[before.name] ?? after.from[before.like ?? '']
  return convert === undefined ? null : held(to, (value) => convert(value, from, to))
}

function held({ list: _list, ...item }: MigratedColumn, convert: Convert): Convert {
  return (value) => {
    return heldValue(item, shownValue(item, convert(value)))
  }
}

/**
 * What is written for rows that hold nothing: as a migration gives it, or the default. An exact number is given as rows
 * carry it. @throws BootError SVC_ORM_MIGRATION_DATA for what the column does not hold
 */
export function filledValue(column: MigratedColumn, given: unknown): unknown {
  if (given !== undefined && given !== null) {
    const value = heldValue(column, given)
    if (value !== undefined) return value
    throw missingData(
      `the value given for ${column.name} is not ${heldText(column)}`,
      'give a value that the column can hold'
    )
  }
  const { type, default: preset } = column
  if (preset === undefined) return given
  if (type === 'date') return new Date(preset as string)
  return type === 'bigint' ? BigInt(preset as string) : preset
}

/**
 * The conversion that a migration gives, or else the one that loses nothing; each exact number as rows carry it. Both
 * answer `undefined` for a value that does not become one of the new column.
 *
 * @param ids of the database @throws BootError SVC_ORM_MIGRATION_DATA for a zone that there is not
 */
export function columnConversion(
  from: MigratedColumn,
  to: MigratedColumn,
  { convert, zone }: ConversionData,
  ids: IdForm
): Convert {
  if (zone !== undefined && !isZone(zone)) {
    throw missingData(
      `${to.name} names the time zone ${JSON.stringify(zone)}, which does not exist`,
      `use a name such as 'Europe/Vienna'`
    )
  }
  if (convert === undefined) return onlyIds(to, ids, conversion(from, to, zone) ?? (() => undefined))
  return onlyIds(to, ids, (value) => {
    const converted = convert(shownValue(from, value))
    return converted === null ? null : heldValue(to, converted)
  })
}

/** As rows have it. */
function shownValue(column: MigratedColumn, value: unknown): unknown {
  const type = fieldTypeOf(column)
  if (type === null) return value
  return column.list === true && Array.isArray(value)
    ? value.map((item) => rowValue(type, item, column))
    : rowValue(type, value, column)
}

/** Every database makes ids of one form, and finds no row by another. */
function onlyIds(to: MigratedColumn, ids: IdForm, convert: Convert): Convert {
  if (to.type !== 'id') return convert
  return (value) => {
    const converted = convert(value)
    const texts = [converted].flat()
    return converted === null || texts.every((id) => typeof id === 'string' && ids.accepts(id)) ? converted : undefined
  }
}

function eachItem(convert: Convert): Convert {
  return (list) => {
    const items = (list as readonly unknown[]).map(convert)
    return items.includes(undefined) ? undefined : items
  }
}

/** A list of one is its item; any other list is more, or less, than one value. */
function onlyItem(convert: Convert): Convert {
  return (list) => {
    const [item, ...others] = list as readonly unknown[]
    return item === undefined || others.length > 0 ? undefined : convert(item)
  }
}

function listOf(item: unknown): unknown {
  return item === undefined ? undefined : [item]
}

function isSameType(from: MigratedColumn, to: MigratedColumn): boolean {
  return from.type === to.type && (from.scale ?? 0) === (to.scale ?? 0) && (from.list ?? false) === (to.list ?? false)
}

/** Whether values have to be looked at: they change, or may be none of what the column is to hold. */
export function isConverted(from: MigratedColumn, to: MigratedColumn): boolean {
  return !isSameType(from, to) || isNarrower(from, to)
}

/** Whether the column stays, and each of its values has to be one that it holds from now on. */
export function isChecked(from: MigratedColumn, to: MigratedColumn): boolean {
  return isSameType(from, to) && isNarrower(from, to)
}

/** How many rows are named. */
const NAMED = 5

/**
 * Values that do not become what their column is to hold: the rows by their ids, never a value.
 *
 * @param at the column, such as `article.stars` @param rows at least one
 */
export function refusedValues(
  at: string,
  from: MigratedColumn,
  to: MigratedColumn,
  rows: readonly string[]
): MigrationFault {
  const named = rows.slice(0, NAMED).join(', ')
  const more = rows.length > NAMED ? ` and ${rows.length - NAMED} more` : ''
  const [values, ids] = rows.length === 1 ? ['value', 'row'] : ['values', 'rows']
  const what = `${rows.length} ${values} of ${at} cannot become ${heldText(to)}: ${ids} ${named}${more}`
  const zone = needsZone(from, to) ? `zone: 'Europe/Vienna', or ` : ''
  return missingData(what, `correct the rows, or add ${zone}convert: (value) => ...`)
}
