/** One table of the memory engine. Each operation is one synchronous step, and so atomic. */
import type { Change } from '../table/change.ts'
import { copyRow } from '../table/copy-row.ts'
import { runOperation } from '../table/failed-transactions.ts'
import type { IdForm } from '../table/id-form.ts'
import { changedRow, rowMatcher, rowOrder } from '../table/row-matcher.ts'
import type { Order, PutOptions, Selection, Table } from '../table/table.ts'
import { keyOf, type TablePlan } from '../table/table-plan.ts'
import type { Transaction } from '../table/transaction.ts'
import { conditionsOf, type Where } from '../table/where.ts'
import type { MemoryRows } from './memory-rows.ts'
import { MemoryTransaction, type RowSource } from './memory-transaction.ts'

type AnyRow = Readonly<Record<string, unknown>>

/** Of a table: its database. */
export interface MemoryTables extends RowSource {
  readonly ids: IdForm
}

export class MemoryTable<Row extends object> implements Table<Row> {
  readonly plan: TablePlan
  readonly #database: MemoryTables
  readonly #tx: MemoryTransaction | null
  readonly #byKey: Order

  constructor(plan: TablePlan, database: MemoryTables, tx: MemoryTransaction | null = null) {
    this.plan = plan
    this.#database = database
    this.#tx = tx
    this.#byKey = keyOf(plan).map((field) => ({ field, direction: 'ASC' }))
  }

  insert(rows: readonly Row[]): Promise<void> {
    return this.#run((table) =>
      table.atomically(() => {
        for (const row of rows) table.insert(copyRow(row) as AnyRow)
      })
    )
  }

  insertNew(rows: readonly Row[]): Promise<number> {
    return this.#run((table) => {
      let count = 0
      table.atomically(() => {
        for (const row of rows) {
          if (table.get(table.keyText(row as AnyRow)) !== undefined) continue
          table.insert(copyRow(row) as AnyRow)
          count += 1
        }
      })
      return count
    })
  }

  insertIfAbsent(row: Row, columns: readonly (keyof Row & string)[]): Promise<Row> {
    return this.#run((table) => {
      const holder = table.holder(row as AnyRow, columns)
      if (holder === undefined) table.insert(copyRow(row) as AnyRow)
      return copyRow((holder ?? row) as Row)
    })
  }

  put(row: Row, { guard, keep = [], max = [] }: PutOptions<Row> = {}): Promise<Row | null> {
    return this.#run((table) => {
      const before = table.get(table.keyText(row as AnyRow)) as Row | undefined
      if (before !== undefined && guard !== undefined && !this.#matcher(guard)(before)) return null
      const kept = before === undefined ? [] : keep.map((name) => [name, before[name]])
      const replaced = { ...row, ...Object.fromEntries(kept) }
      const greater = Object.fromEntries(before === undefined ? [] : max.map((name) => [name, before[name]]))
      const next = changedRow(this.plan, replaced, { max: greater } as Change<Row>)
      table.replace(copyRow(next) as AnyRow)
      return copyRow(next)
    })
  }

  find(
    where: Where<Row>,
    { order, limit, offset = 0, without = [], lock = false }: Selection<Row> = {}
  ): Promise<Row[]> {
    return this.#run((table) => {
      const sorted = this.#matches(table, where).sort(rowOrder(order ?? this.#byKey))
      const found = sorted.slice(offset, limit === undefined ? undefined : offset + limit)
      // Written as it is: of two transactions that do so, one finds that the other came first.
      if (lock) for (const row of found) table.replace({ ...(row as AnyRow) })
      return found.map((row) => copyRow(row, without))
    })
  }

  findOne(where: Where<Row>): Promise<Row | null> {
    return this.#run((table) => {
      const first = this.#first(table, where)
      return first === undefined ? null : copyRow(first)
    })
  }

  count(where: Where<Row>): Promise<number> {
    return this.#run((table) => this.#matches(table, where).length)
  }

  exists(where: Where<Row>): Promise<boolean> {
    return this.#run((table) => this.#matches(table, where).length > 0)
  }

  counts<Name extends string>(
    where: Where<Row>,
    parts: Readonly<Record<Name, Where<Row>>>
  ): Promise<Readonly<Record<Name | 'total', number>>> {
    return this.#run((table) => {
      const rows = this.#matches(table, where)
      const counted = Object.entries<Where<Row>>(parts).map(([name, part]) => {
        return [name, rows.filter(this.#matcher(part)).length] as const
      })
      return Object.fromEntries([['total', rows.length], ...counted]) as Record<Name | 'total', number>
    })
  }

  update(where: Where<Row>, change: Change<Row>): Promise<number> {
    return this.#run((table) => this.#change(table, this.#matches(table, where), change).length)
  }

  updateOne(where: Where<Row>, change: Change<Row>): Promise<Row | null> {
    return this.#run((table) => {
      const first = this.#first(table, where)
      if (first === undefined) return null
      return this.#change(table, [first], change).map((row) => copyRow(row))[0] ?? null
    })
  }

  delete(where: Where<Row>, atMost?: number): Promise<number> {
    return this.#run((table) => {
      const rows = this.#matches(table, where).slice(0, atMost)
      for (const row of rows) table.remove(table.keyText(row as AnyRow))
      return rows.length
    })
  }

  deleteOne(where: Where<Row>): Promise<Row | null> {
    return this.#run((table) => {
      const first = this.#first(table, where)
      if (first === undefined) return null
      table.remove(table.keyText(first as AnyRow))
      return copyRow(first)
    })
  }

  claim(where: Where<Row>, change: Change<Row>, limit: number, order: Order = this.#byKey): Promise<Row[]> {
    return this.#run((table) => {
      const first = this.#matches(table, where).sort(rowOrder(order)).slice(0, limit)
      return this.#change(table, first, change).map((row) => copyRow(row))
    })
  }

  within(tx: Transaction): Table<Row> {
    return new MemoryTable<Row>(this.plan, this.#database, MemoryTransaction.of(tx, this.#database))
  }

  async #run<T>(work: (table: MemoryRows) => T): Promise<T> {
    const tx = this.#tx
    if (tx === null) return work(this.#database.rows(this.plan.name))
    return runOperation(tx, async () => work(tx.rows(this.plan.name)))
  }

  #change(table: MemoryRows, rows: readonly Row[], change: Change<Row>): Row[] {
    const changed = rows.map((row) => copyRow(changedRow(this.plan, row, change)))
    table.atomically(() => {
      for (const row of changed) table.replace(row as AnyRow)
    })
    return changed
  }

  #matches(table: MemoryRows, where: Where<Row>): Row[] {
    return table.matches(conditionsOf(this.plan, where, this.#database.ids)) as unknown as Row[]
  }

  #matcher(where: Where<Row>): (row: object) => boolean {
    return rowMatcher(conditionsOf(this.plan, where, this.#database.ids))
  }

  #first(table: MemoryRows, where: Where<Row>): Row | undefined {
    const [first, ...others] = this.#matches(table, where)
    return others.length === 0 ? first : [first as Row, ...others].sort(rowOrder(this.#byKey))[0]
  }
}
