/**
 * Totals so far, computed on the rows of a list: of a page, on what the rows before it come to as well, which one statement
 * sums up. So they are exact on every engine, and a page reads no row that it does not have.
 */
import {
  after,
  all,
  type Condition,
  type Group,
  keyText,
  type Selection,
  type SortKey,
  type Table
} from 'svc-stores/table'
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

/** Gives each row its totals. @param rows in their order @param read absent: no row comes before or behind them */
export async function addRunning(
  rows: readonly AnyRow[],
  running: readonly RunningTotal[],
  read?: RunningRows
): Promise<void> {
  for (const row of rows) row.running = {}
  for (const total of running) addTotal(rows, total, read === undefined ? [] : await totalsBefore(rows, total, read))
}

/** From the first or the last row on. @param before of each group */
function addTotal(rows: readonly AnyRow[], total: RunningTotal, before: readonly Group[]): void {
  const { name, field, by, from } = total
  const keyOf = by.length === 0 ? () => '' : (row: object) => keyText(row, by)
  const sums = new Map(before.map((group) => [keyOf(group), storedValueOf(field, group[SUM]) as Sum]))
  for (const row of from === 'first' ? rows : rows.toReversed()) {
    const key = keyOf(row)
    const sum = added(sums.get(key) ?? null, storedValueOf(field, row[field.name]) as Sum)
    sums.set(key, sum)
    row.running[name] = rowValueOf(field, sum)
  }
}

/** Null: nothing is held so far. */
type Sum = number | bigint | null

/** Both are exact, or neither is. */
function added(one: Sum, other: Sum): Sum {
  if (one === null || other === null) return one ?? other
  return typeof one === 'bigint' ? one + (other as bigint) : one + (other as number)
}

/** What the rows before those that were read come to, or behind them where the total begins at the last row. */
async function totalsBefore(
  rows: readonly AnyRow[],
  { field, by, from }: RunningTotal,
  { entity, table, where, order, isBegin, isEnd }: RunningRows
): Promise<readonly Group[]> {
  const edge = from === 'first' ? rows[0] : rows.at(-1)
  if (edge === undefined || (from === 'first' ? isBegin : isEnd)) return []
  const beyond = from === 'first' ? order.map(turned) : order
  const others = all<AnyRow>(where, after(beyond, storedRow(entity, edge)), among(rows, by, entity))
  const measure = { of: 'sum', column: field.name } as const
  return table.group(others, { by, measures: { [SUM]: measure }, unordered: true })
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
