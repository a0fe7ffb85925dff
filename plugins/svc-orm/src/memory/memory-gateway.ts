/** One entity in memory as a gateway. Each operation is one synchronous step, and so atomic. */

import type { Transaction } from 'svc-stores/table'
import type { ParsedChanges } from '../criteria/changes.ts'
import type { Condition, ConditionValue } from '../criteria/condition.ts'
import type { SortKey } from '../criteria/find-options.ts'
import type { EntityGateway, Selection, StoredRow } from '../driver/entity-gateway.ts'
import { compareValues } from './compare-values.ts'
import { copyRow } from './copy-row.ts'
import type { MemoryTable } from './memory-table.ts'
import { rowMatcher } from './row-matcher.ts'

const NONE = new Map<string, never>()
const UNCHANGED: ParsedChanges = { set: NONE, max: NONE, min: NONE, add: NONE }

const BY_ID = [{ field: 'id', direction: 'ASC' }] as const

/** Where the rows are: the committed ones, or those a transaction sees. */
export interface MemoryTables {
  /** @throws TransactionOver, UnknownEntity */
  table(entity: string): MemoryTable
}

/** The rows that a transaction of this connector sees. @throws ForeignTransaction */
export type TablesWithin = (tx: Transaction) => MemoryTables

export class MemoryGateway implements EntityGateway {
  readonly #entity: string
  readonly #tables: MemoryTables
  readonly #within: TablesWithin

  constructor(entity: string, tables: MemoryTables, within: TablesWithin) {
    this.#entity = entity
    this.#tables = tables
    this.#within = within
  }

  async select({ conditions, order, limit, offset, lock = false }: Selection): Promise<StoredRow[]> {
    const sorted = this.#matches(conditions).sort(byOrder(order))
    const rows = sorted.slice(offset, limit === null ? undefined : offset + limit)
    const table = this.#tables.table(this.#entity)
    // Written as it is: of two transactions that do so, one finds that the other came first.
    if (lock) for (const row of rows) table.change(row, UNCHANGED)
    return rows.map(copyRow)
  }

  async insert(rows: readonly StoredRow[]): Promise<void> {
    const table = this.#tables.table(this.#entity)
    table.atomically(() => {
      for (const row of rows) table.insert(copyRow(row))
    })
  }

  async insertIfAbsent(row: StoredRow, key: readonly string[]): Promise<StoredRow> {
    const held = this.#tables.table(this.#entity).holder(row, key)
    if (held === undefined) await this.insert([row])
    return copyRow(held ?? row)
  }

  async updateOne(conditions: readonly Condition[], changes: ParsedChanges): Promise<StoredRow | null> {
    const row = this.#first(conditions)
    if (row === undefined) return null
    return copyRow(this.#tables.table(this.#entity).change(row, changes))
  }

  async updateMany(conditions: readonly Condition[], changes: ParsedChanges): Promise<number> {
    const rows = this.#matches(conditions)
    const table = this.#tables.table(this.#entity)
    table.atomically(() => {
      for (const row of rows) table.change(row, changes)
    })
    return rows.length
  }

  async deleteOne(conditions: readonly Condition[]): Promise<StoredRow | null> {
    const row = this.#first(conditions)
    if (row === undefined) return null
    this.#tables.table(this.#entity).remove(row.id)
    return copyRow(row)
  }

  async deleteMany(conditions: readonly Condition[]): Promise<number> {
    const rows = this.#matches(conditions)
    const table = this.#tables.table(this.#entity)
    for (const { id } of rows) table.remove(id)
    return rows.length
  }

  async count(conditions: readonly Condition[]): Promise<number> {
    return this.#matches(conditions).length
  }

  async exists(conditions: readonly Condition[]): Promise<boolean> {
    return this.#matches(conditions).length > 0
  }

  within(tx: Transaction): EntityGateway {
    return new MemoryGateway(this.#entity, this.#within(tx), this.#within)
  }

  #first(conditions: readonly Condition[]): StoredRow | undefined {
    return this.#matches(conditions).sort(byOrder(BY_ID))[0]
  }

  #matches(conditions: readonly Condition[]): StoredRow[] {
    const table = this.#tables.table(this.#entity)
    const matches = rowMatcher(conditions)
    const named = conditions.find(({ field, operator }) => field === 'id' && operator === 'eq')
    if (named === undefined || !('value' in named)) return table.rows().filter(matches)
    const row = table.get(String(named.value))
    return row !== undefined && matches(row) ? [row] : []
  }
}

function byOrder(order: readonly SortKey[]): (a: StoredRow, b: StoredRow) => number {
  return (a, b) => {
    for (const { field, direction } of order) {
      const compared = compareValues(sortValue(a, field), sortValue(b, field))
      if (compared !== 0) return direction === 'ASC' ? compared : -compared
    }
    return 0
  }
}

function sortValue(row: StoredRow, field: string): ConditionValue | null {
  return (row[field] ?? null) as ConditionValue | null
}
