/**
 * Totals so far, computed on the rows of a list: of a page, on what the rows before it come to as well, which one statement
 * sums up. So they are exact on every engine, and a page reads no row that it does not have.
 */
import { after, all, type Condition, keyText, type Selection, type SortKey, type Table } from 'svc-stores/table'
import type { RunningTotal } from '../criteria/row-shape.ts'
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import { rowValueOf, storedValueOf } from '../entities/field-values.ts'
import type { AnyRow } from '../entities/row-of.ts'
import { storedRow } from './row-codec.ts'

/** Which rows of an order were read. */
export interface ReadRows {
  /** What all rows of the order meet. */
  readonly where: readonly Condition[]
  readonly order: readonly SortKey[]
  /** No row comes before those that were read. */
  readonly isBegin: boolean
  /** No row comes behind them. */
  readonly isEnd: boolean
}

/** @param count how many rows the selection found */
export function readRows(
  where: readonly Condition[],
  { order = [], limit, offset = 0 }: Selection<AnyRow>,
  count: number
): ReadRows {
  return { where, order, isBegin: offset === 0, isEnd: limit === undefined || count < limit }
}

export interface RunningRows extends ReadRows {
  readonly entity: CompiledEntity
  readonly table: Table<AnyRow>
}

/** Gives each row its totals. @param rows in their order */
export async function addRunning(
  rows: readonly AnyRow[],
  running: readonly RunningTotal[],
  read: RunningRows
): Promise<void> {
  const totals = new Map(rows.map((row): [AnyRow, Record<string, unknown>] => [row, {}]))
  for (const total of running) {
    const before = await totalsBefore(rows, total, read)
    for (const [row, value] of runningTotals(rows, total, before))
      Object.assign(totals.get(row) ?? {}, { [total.name]: value })
  }
  for (const [row, values] of totals) row.running = values
}

/** The total of each row, from the first or the last one on. @param before of each group, by the text of its key */
export function runningTotals(
  rows: readonly AnyRow[],
  { field, by, from }: RunningTotal,
  before: ReadonlyMap<string, unknown> = new Map()
): ReadonlyMap<AnyRow, unknown> {
  const sums = new Map<string, number | bigint>()
  for (const [key, sum] of before) if (sum !== null) sums.set(key, storedValueOf(field, sum) as number | bigint)
  const totals = new Map<AnyRow, unknown>()
  for (const row of from === 'first' ? rows : rows.toReversed()) {
    const key = keyText(row, by)
    const held = storedValueOf(field, row[field.name]) as number | bigint | null
    const sum = sums.get(key)
    if (held !== null) sums.set(key, sum === undefined ? held : added(sum, held))
    totals.set(row, rowValueOf(field, sums.get(key) ?? null))
  }
  return totals
}

/** Both are exact, or neither is. */
function added(one: number | bigint, other: number | bigint): number | bigint {
  return typeof one === 'bigint' ? one + (other as bigint) : Number(one) + Number(other)
}

/** What the rows before those that were read come to, or behind them where the total begins at the last row. */
async function totalsBefore(
  rows: readonly AnyRow[],
  { field, by, from }: RunningTotal,
  { entity, table, where, order, isBegin, isEnd }: RunningRows
): Promise<ReadonlyMap<string, unknown>> {
  const edge = from === 'first' ? rows[0] : rows.at(-1)
  if (edge === undefined || (from === 'first' ? isBegin : isEnd)) return new Map()
  const beyond = from === 'first' ? order.map(turned) : order
  const others = all<AnyRow>(where, after(beyond, storedRow(entity, edge)), among(rows, by, entity))
  const measure = { of: 'sum', column: field.name } as const
  const groups = await table.group(others, { by, measures: { [SUM]: measure }, unordered: true })
  return new Map(groups.map((group) => [keyText(group, by), group[SUM] ?? null]))
}

/** No field has this name. */
const SUM = 'the sum'

/** Of the groups that the rows belong to, as far as one field tells them. */
function among(rows: readonly AnyRow[], by: readonly string[], entity: CompiledEntity): readonly Condition[] {
  const [name, ...more] = by
  if (name === undefined || more.length > 0) return []
  const values = [...new Set(rows.map((row) => storedRow(entity, row)[name] as unknown))]
  const held = values.filter((value) => value !== null)
  return [{ field: name, operator: 'in', values: held as string[], orNull: held.length < values.length }]
}

function turned(key: SortKey): SortKey {
  return { ...key, direction: key.direction === 'ASC' ? 'DESC' : 'ASC' }
}
