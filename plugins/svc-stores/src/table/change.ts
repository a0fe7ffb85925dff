/**
 * What an operation writes into a row, as data and in plain code. The engine decides on what stands there at that
 * moment, so that two writers at once lose nothing. A column appears in one part only.
 */
import { InvalidValue } from '../errors.ts'
import { compareHeld } from './compare-held.ts'
import type { TablePlan } from './table-plan.ts'
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
  const fits = type === 'float' ? Number.isFinite(value) : Number.isSafeInteger(value) || isInt64(value)
  if (!fits) throw new InvalidValue(name, 'a sum that the field can hold')
  return value
}

function isInt64(value: number | bigint): boolean {
  return typeof value === 'bigint' && BigInt.asIntN(64, value) === value
}

function entries(part: AnyRow | undefined): [string, unknown][] {
  return part === undefined ? [] : Object.entries(part)
}
