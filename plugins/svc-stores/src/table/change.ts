/**
 * What an operation writes into a row, as data and in plain code. The engine decides on what stands there at that
 * moment, so that two writers at once lose nothing. A column appears in one part only.
 */
import { InvalidValue } from '../errors.ts'
import { compareHeld } from './compare-held.ts'
import { exactProduct, factorOf, MOST_FACTOR_DIGITS } from './exact-product.ts'
import type { ColumnType, TablePlan } from './table-plan.ts'
import { columnOf } from './where.ts'

type AnyRow = Readonly<Record<string, unknown>>

type NumberColumn<Row> = {
  [Name in keyof Row & string]: number extends Row[Name] ? Name : bigint extends Row[Name] ? Name : never
}[keyof Row & string]

type BoundedColumn<Row> = {
  [Name in keyof Row & string]: NonNullable<Row[Name]> extends number | bigint | Date ? Name : never
}[keyof Row & string]

type ListColumn<Row> = {
  [Name in keyof Row & string]: Row[Name] extends readonly unknown[] ? Name : never
}[keyof Row & string]

type ItemOf<List> = List extends readonly (infer Item)[] ? Item : never

export interface Change<Row> {
  /** New values. */
  readonly set?: { readonly [Name in keyof Row]?: Row[Name] }
  /** Added to what is held; null counts as 0. */
  readonly add?: { readonly [Name in NumberColumn<Row>]?: number | bigint }
  /**
   * What is held times this; null stays null. The factor of an integer is decimal text of at most 15 digits, and the
   * product is rounded half away from zero; that of a float is a number. Not beside `push` and `pull`.
   */
  readonly mul?: { readonly [Name in NumberColumn<Row>]?: string | number }
  /** The greater of what is held and this; null takes it. */
  readonly max?: { readonly [Name in BoundedColumn<Row>]?: NonNullable<Row[Name]> }
  /** The lesser of what is held and this; null takes it. */
  readonly min?: { readonly [Name in BoundedColumn<Row>]?: NonNullable<Row[Name]> }
  /** An item, put at the end of a list. */
  readonly push?: { readonly [Name in ListColumn<Row>]?: ItemOf<Row[Name]> }
  /** Items taken out of a list: those that equal this one, or of objects those that have these values. */
  readonly pull?: { readonly [Name in ListColumn<Row>]?: Partial<ItemOf<Row[Name]>> }
}

/** @returns the changed row; the given one stays as it is @throws InvalidValue for a sum that the column cannot hold */
export function changedRow<Row extends object>(plan: TablePlan, row: Row, change: Change<Row>): Row {
  const parts = change as { readonly [Part in keyof Change<Row>]?: AnyRow }
  const before = row as AnyRow
  const changed: Record<string, unknown> = { ...row, ...parts.set }
  for (const [name, given] of entries(parts.max)) if (isBeyond(given, before[name], 1)) changed[name] = given
  for (const [name, given] of entries(parts.min)) if (isBeyond(given, before[name], -1)) changed[name] = given
  for (const [name, delta] of entries(parts.add)) changed[name] = sum(plan, name, before[name] ?? null, delta)
  for (const [name, factor] of entries(parts.mul)) changed[name] = product(plan, name, before[name] ?? null, factor)
  for (const [name, item] of entries(parts.push)) changed[name] = [...listOf(before[name]), item]
  for (const [name, item] of entries(parts.pull))
    changed[name] = listOf(before[name]).filter((one) => !isItem(one, item))
  return changed as Row
}

/** What a column of lists holds. */
export function listOf(held: unknown): readonly unknown[] {
  return Array.isArray(held) ? held : []
}

/** Whether an item equals the wanted one, or has its values. */
export function isItem(one: unknown, wanted: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null) return one === wanted
  if (typeof one !== 'object' || one === null) return false
  return Object.entries(wanted).every(([name, value]) => (one as AnyRow)[name] === value)
}

function isBeyond(given: unknown, held: unknown, sign: 1 | -1): boolean {
  return held === null || held === undefined || sign * compareHeld(given, held) > 0
}

function sum(plan: TablePlan, name: string, held: unknown, delta: unknown): number | bigint {
  const { type } = columnOf(plan, name)
  const value =
    type === 'bigint' ? ((held as bigint | null) ?? 0n) + (delta as bigint) : Number(held ?? 0) + Number(delta)
  return fitting(name, type, value, 'sum')
}

function product(plan: TablePlan, name: string, held: unknown, factor: unknown): number | bigint | null {
  if (held === null) return null
  const { type } = columnOf(plan, name)
  // Adding 0 makes 0 of -0.
  if (type === 'float') return fitting(name, type, Number(held) * Number(factor) + 0, 'product')
  const read = factorOf(String(factor))
  if (read === null) throw new InvalidValue(name, `a factor of at most ${MOST_FACTOR_DIGITS} digits`)
  const value = exactProduct(BigInt(held as number | bigint), read)
  return fitting(name, type, type === 'bigint' ? value : Number(value), 'product')
}

/** @throws InvalidValue for what no column of the type holds */
function fitting(name: string, type: ColumnType, value: number | bigint, what: string): number | bigint {
  const fits = type === 'float' ? Number.isFinite(value) : Number.isSafeInteger(value) || isInt64(value)
  if (!fits) throw new InvalidValue(name, `a ${what} that the field can hold`)
  return value
}

function isInt64(value: number | bigint): boolean {
  return typeof value === 'bigint' && BigInt.asIntN(64, value) === value
}

function entries(part: AnyRow | undefined): [string, unknown][] {
  return part === undefined ? [] : Object.entries(part)
}
