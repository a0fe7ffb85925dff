/** What rows are sorted by that is none of their columns, in plain code. Pure. */
import { valuesText } from './compare-held.ts'
import { valueAt } from './json-path.ts'
import type { RowsOf } from './row-matcher.ts'
import { occurrences } from './search-matcher.ts'
import type { CountedValue, RankedValue, ReachedValue, SortKey, SortValue, Step } from './sort-key.ts'

type AnyRow = Readonly<Record<string, unknown>>

type Read = (row: AnyRow) => unknown

/** Copies of rows, with the values of an order under the names of their keys. */
export function withSortValues(order: readonly SortKey[], rowsOf: RowsOf): <Row extends object>(row: Row) => Row {
  const reads = order.flatMap(({ field, by }) => (by === undefined ? [] : [[field, readerOf(by, rowsOf)] as const]))
  return (row) => ({ ...row, ...Object.fromEntries(reads.map(([field, read]) => [field, read(row as AnyRow)])) })
}

/** Whether a row, with these values, has all that the order requires. */
export function isPlaced(order: readonly SortKey[]): (row: object) => boolean {
  const required = order.filter(({ by }) => by?.kind === 'reached' && by.required === true).map(({ field }) => field)
  return (row) => required.every((field) => ((row as AnyRow)[field] ?? null) !== null)
}

function readerOf(by: SortValue, rowsOf: RowsOf): Read {
  switch (by.kind) {
    case 'reached':
      return reached(by, rowsOf)
    case 'counted':
      return counted(by, rowsOf)
    case 'ranked':
      return ranked(by)
    case 'path':
      return (row) => valueAt(row[by.column], by.path) ?? null
  }
}

function reached({ steps, column }: ReachedValue, rowsOf: RowsOf): Read {
  const rows = steps.map((step) => {
    return new Map(presentRows(step, rowsOf).map((row) => [textOf(row[step.column]), row] as const))
  })
  return (row) => {
    let found: AnyRow | undefined = row
    for (const [place, { field }] of steps.entries()) found = found && rows[place]?.get(textOf(found[field]))
    return found?.[column] ?? null
  }
}

function counted(step: CountedValue, rowsOf: RowsOf): Read {
  const counts = new Map<string, number>()
  for (const row of presentRows(step, rowsOf)) {
    const held = textOf(row[step.column])
    counts.set(held, (counts.get(held) ?? 0) + 1)
  }
  return (row) => counts.get(textOf(row[step.field])) ?? 0
}

function ranked({ columns, words }: RankedValue): Read {
  return (row) => columns.reduce((sum, { column, weight }) => sum + weight * occurrences(row[column], words), 0)
}

function presentRows({ table, column, unless, only }: Step, rowsOf: RowsOf): readonly AnyRow[] {
  const rows = [...rowsOf(table)] as AnyRow[]
  const isPresent = (row: AnyRow) => {
    const isThere = unless === undefined || (row[unless] ?? null) === null
    return isThere && (only === undefined || row[only.column] === only.value)
  }
  return rows.filter((row) => (row[column] ?? null) !== null && isPresent(row))
}

function textOf(value: unknown): string {
  return valuesText([value ?? null])
}
