/**
 * Many rows written by their keys in one call: each changes the row that is there, and is inserted where none is. What a
 * merge means, in plain code; a table that has a faster way does it itself.
 */
import { copyRow } from '../records/record-values.ts'
import type { Change } from './change.ts'
import { valuesText } from './compare-held.ts'
import type { Condition, ConditionValue } from './condition.ts'
import { rowsOfIndex, uniqueIndexOf } from './index-conditions.ts'
import { all } from './operators.ts'
import { among } from './related-conditions.ts'
import type { Merge, Table } from './table.ts'
import type { TablePlan } from './table-plan.ts'

/**
 * Writes the rows inside a transaction, else in several steps where the table has no merge of its own.
 *
 * @returns the rows as they are afterwards, in any order, without those that stayed unchanged or are not there
 * @throws UniqueViolation
 */
export function mergeRows<Row extends object>(
  table: Table<Row>,
  rows: readonly Row[],
  merge: Merge<Row>
): Promise<Row[]> {
  if (rows.length === 0) return Promise.resolve([])
  return table.merge?.(rows, merge) ?? mergeInSteps(table, rows, merge)
}

/** One step for each row that is there, and one for all others. */
export async function mergeInSteps<Row extends object>(
  table: Table<Row>,
  rows: readonly Row[],
  merge: Merge<Row>
): Promise<Row[]> {
  const { by, guard = [], insert } = merge
  const existing = insert ? await table.find(existingRows(table.plan, rows, by)) : rows
  const keys = new Set(existing.map((row) => keyText(row, by)))
  const merged: Row[] = []
  for (const row of rows) {
    if (!keys.has(keyText(row, by))) continue
    const own = all<Row>(namedRow(table.plan, row, by), heldValues(row, merge), guard)
    const changed = await table.updateOne(own, mergeChange(row, merge))
    if (changed !== null) merged.push(changed)
  }
  const made = rows.filter((row) => !keys.has(keyText(row, by)))
  if (made.length > 0) await table.insert(made)
  return [...merged, ...made.map((row) => copyRow(row))]
}

/** The values that name a row, as text. */
export function keyText(row: object, by: readonly string[]): string {
  const [only = ''] = by
  const value = by.length === 1 ? heldIn(row, only) : null
  // Most keys are one text, which is compared as it is: no column holds a text with NUL, with which the others begin.
  return typeof value === 'string' ? value : `\0${valuesText(by.map((name) => heldIn(row, name)))}`
}

/** The rows that have the keys of these, which are at least one. */
export function existingRows(plan: TablePlan, rows: readonly object[], by: readonly string[]): readonly Condition[] {
  const named = rows.map((row) => namedRow(plan, row, by))
  if (named.some(({ length }) => length > 1)) return [{ operator: 'any', of: named }]
  const [field = ''] = by
  return [
    among(
      field,
      rows.map((row) => heldIn(row, field))
    )
  ]
}

/** What an existing row has to hold as the row of the call does. */
export function heldValues<Row>(row: Row & object, { held = [] }: Pick<Merge<Row>, 'held'>): readonly Condition[] {
  return held.map((field) => ({ field, operator: 'eq', value: heldIn(row, field) as ConditionValue }))
}

/** What becomes of the existing row of a row. */
export function mergeChange<Row extends object>(row: Row, { take, change = {} }: Merge<Row>): Change<Row> {
  const taken = Object.fromEntries(take.map((name) => [name, heldIn(row, name)]))
  return { ...change, set: { ...change.set, ...taken } } as Change<Row>
}

/** The one row with the same key, of those among which it is unique. */
function namedRow(plan: TablePlan, row: object, by: readonly string[]): readonly Condition[] {
  const index = uniqueIndexOf(plan, by, row)
  const same = by.map((field) => ({ field, operator: 'eq' as const, value: heldIn(row, field) as ConditionValue }))
  return [...same, ...(index === undefined ? [] : rowsOfIndex(index)).filter(({ field }) => !by.includes(field))]
}

function heldIn(row: object, name: string): ConditionValue | null {
  return (row as Readonly<Record<string, ConditionValue | null>>)[name] ?? null
}
