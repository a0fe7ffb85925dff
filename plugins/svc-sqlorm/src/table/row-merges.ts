/** Writes many rows by their keys, as many in a statement as the engine takes: all of them or none. */
import {
  byKey,
  type Change,
  type Condition,
  existingRows,
  heldValues,
  keyText,
  type Merge,
  rowMatcher,
  type TablePlan
} from 'svc-stores/table'
import type { StatementRunner } from '../transactions/sql-transaction.ts'
import type { ItemTables } from './item-tables.ts'
import type { TableStatements } from './table-statements.ts'

export class RowMerges<Row extends object> {
  readonly #plan: TablePlan
  readonly #items: ItemTables

  constructor(plan: TablePlan, items: ItemTables) {
    this.#plan = plan
    this.#items = items
  }

  /** @param guard that of the merge @returns the rows afterwards */
  merge(
    rows: readonly Row[],
    merge: Merge<Row>,
    guard: readonly Condition[],
    statements: TableStatements,
    runner: StatementRunner
  ): Promise<Row[]> {
    const { rowsAtOnce } = statements.merges
    if (rows.length <= rowsAtOnce) return this.#mergeBatch(rows, merge, guard, statements, runner)
    return runner.together(async (inner) => {
      const merged: Row[] = []
      for (let start = 0; start < rows.length; start += rowsAtOnce) {
        const batch = rows.slice(start, start + rowsAtOnce)
        for (const row of await this.#mergeBatch(batch, merge, guard, statements, inner)) merged.push(row)
      }
      return merged
    })
  }

  async #mergeBatch(
    rows: readonly Row[],
    merge: Merge<Row>,
    guard: readonly Condition[],
    statements: TableStatements,
    runner: StatementRunner
  ): Promise<Row[]> {
    const { by, take, held = [], change = {}, insert } = merge
    const merged = { rows, by, take, held, change, guard }
    const { merges } = statements
    const query = insert ? merges.insert(merged) : merges.update(merged)
    const items = insert ? this.#items : this.#items.changedBy(withTaken(change, take))
    const written = await items.write(query, runner, (stored) => statements.read(stored) as Row[])
    if (!insert || merges.changes(merged)) return written
    const made = new Set(written.map((row) => keyText(row, by)))
    const others = new Map(rows.map((row) => [keyText(row, by), row] as const).filter(([key]) => !made.has(key)))
    if (others.size === 0) return written
    const conditions = [...existingRows(this.#plan, [...others.values()], by), ...guard]
    const bounds = { without: [], limit: null, offset: 0, lock: null, each: null }
    const { rows: found } = await runner.read(
      statements.selects.select({ conditions, order: byKey(this.#plan), ...bounds })
    )
    const existing = statements.read(found) as Row[]
    return [...written, ...existing.filter((row) => isHeld(row, others.get(keyText(row, by)) ?? row, merge))]
  }
}

function withTaken(change: Change<object>, take: readonly string[]): Change<object> {
  return { ...change, set: { ...change.set, ...Object.fromEntries(take.map((name) => [name, null])) } }
}

function isHeld<Row extends object>(existing: Row, row: Row, merge: Merge<Row>): boolean {
  return rowMatcher(heldValues(row, merge))(existing)
}
