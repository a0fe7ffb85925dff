/** One table of the memory engine. Each operation is one synchronous step, and so atomic. */
import type { MaybePromise } from 'svc-kernel'
import { copyRow } from '../records/record-values.ts'
import { type Change, changedRow } from '../table/change.ts'
import type { Condition } from '../table/condition.ts'
import type { Database } from '../table/database.ts'
import { firstOfEach } from '../table/first-of-each.ts'
import { type Group, type Grouping, groupRows } from '../table/grouping.ts'
import { orderedRows } from '../table/ordered-rows.ts'
import { type RowsOf, rowMatcher } from '../table/row-matcher.ts'
import { byKey } from '../table/sort-key.ts'
import type { Order, PutOptions, Selection, Table } from '../table/table.ts'
import type { ColumnPlan, ColumnType, TablePlan } from '../table/table-plan.ts'
import { runOperation, type Transaction } from '../table/transaction.ts'
import { conditionsOf, isValueOf, type Where } from '../table/where.ts'
import type { MemoryReferences, SeenTables } from './memory-references.ts'
import type { MemoryRows } from './memory-rows.ts'
import { MemoryTransaction } from './memory-transaction.ts'

const OBJECTS: ReadonlySet<ColumnType> = new Set(['date', 'json', 'bytes', 'document'])

export interface OtherTables {
  /** The references between the tables of the database. */
  readonly kept: MemoryReferences
  readonly tableNamed: (name: string) => MemoryRows | undefined
}

export class MemoryTable<Row extends object> implements Table<Row> {
  readonly plan: TablePlan
  readonly #committed: MemoryRows<Row>
  readonly #database: Database
  readonly #others: OtherTables
  readonly #tx: MemoryTransaction | null
  readonly #byKey: Order
  /** Columns whose values name one row each. */
  readonly #unique: ReadonlyMap<string, ColumnPlan>
  /** Columns that may hold an object. */
  readonly #deep: readonly string[]

  constructor(rows: MemoryRows<Row>, database: Database, others: OtherTables, tx: MemoryTransaction | null = null) {
    this.plan = rows.plan
    this.#committed = rows
    this.#database = database
    this.#others = others
    this.#tx = tx
    this.#byKey = byKey(rows.plan)
    const deep = rows.plan.columns.filter(({ type, list = false }) => list || OBJECTS.has(type))
    this.#deep = deep.map(({ name }) => name)
    const unique = rows.plan.columns.filter(({ name, list = false }) => !list && rows.isUnique(name))
    this.#unique = new Map(unique.map((column) => [column.name, column]))
  }

  insert(rows: readonly Row[]): Promise<void> {
    return this.#run((kept) =>
      this.#write(kept, () => {
        for (const row of rows) kept.insert(copyRow(row))
      })
    )
  }

  insertNew(rows: readonly Row[]): Promise<number> {
    return this.#run((kept) => {
      let count = 0
      this.#write(kept, () => {
        for (const row of rows) {
          if (kept.get(kept.keyText(row)) !== undefined) continue
          kept.insert(copyRow(row))
          count += 1
        }
      })
      return count
    })
  }

  insertIfAbsent(row: Row, columns: readonly (keyof Row & string)[]): Promise<Row> {
    return this.#run((kept) => {
      const holder = kept.holder(row, columns)
      if (holder === undefined) this.#write(kept, () => kept.insert(copyRow(row)))
      return copyRow(holder ?? row)
    })
  }

  put(row: Row, { guard, keep = [], max = [], change, by }: PutOptions<Row> = {}): Promise<Row | null> {
    return this.#run((kept) => {
      const before = by === undefined ? kept.get(kept.keyText(row)) : kept.holder(row, by)
      if (before !== undefined && guard !== undefined && !rowMatcher(this.#conditions(guard), this.#rowsOf)(before))
        return null
      const held = (names: readonly (keyof Row)[]) =>
        Object.fromEntries(before === undefined ? [] : names.map((name) => [name, before[name]]))
      const isChanged = before !== undefined && change !== undefined
      const next = isChanged
        ? changedRow(this.plan, before, change)
        : changedRow(this.plan, { ...row, ...held(keep) }, { max: held(max) } as Change<Row>)
      this.#write(kept, () => (before === undefined ? kept.insert(copyRow(next)) : kept.replace(copyRow(next))))
      return copyRow(next)
    })
  }

  find(where: Where<Row>, { order, limit, offset = 0, each, without, lock }: Selection<Row> = {}): Promise<Row[]> {
    return this.#run((kept) => {
      const sorted = this.#sorted(kept, where, order, each === undefined && offset === 0 ? limit : undefined)
      if (each !== undefined) return firstOfEach(sorted, each).map((row) => copyRow(row, without, this.#deep))
      const found = sorted.slice(offset, limit === undefined ? undefined : offset + limit)
      // Written as it is: of two transactions that do so, one finds that the other came first.
      if (lock !== undefined) for (const row of found) kept.replace({ ...(kept.get(kept.keyText(row)) as Row) })
      return found.map((row) => copyRow(row, without, this.#deep))
    })
  }

  findOne(where: Where<Row>): MaybePromise<Row | null> {
    if (this.#tx !== null) return this.#run((kept) => this.#first(kept, where))
    try {
      return this.#first(this.#committed, where)
    } catch (error) {
      return Promise.reject(error)
    }
  }

  count(where: Where<Row>): Promise<number> {
    return this.#run((kept) => this.#matching(kept, where).length)
  }

  async exists(where: Where<Row>): Promise<boolean> {
    return (await this.count(where)) > 0
  }

  counts<Name extends string>(
    where: Where<Row>,
    parts: Readonly<Record<Name, Where<Row>>>
  ): Promise<Readonly<Record<Name | 'total', number>>> {
    return this.#run((kept) => {
      const rows = this.#matching(kept, where)
      const counted = Object.entries<Where<Row>>(parts).map(([name, part]) => {
        return [name, rows.filter(rowMatcher(this.#conditions(part), this.#rowsOf)).length] as const
      })
      return Object.fromEntries([['total', rows.length], ...counted]) as Record<Name | 'total', number>
    })
  }

  group(where: Where<Row>, grouping: Grouping): Promise<Group[]> {
    return this.#run((kept) => groupRows(this.#matching(kept, where), grouping, this.#rowsOf))
  }

  update(where: Where<Row>, change: Change<Row>): Promise<number> {
    return this.#run((kept) => this.#change(kept, this.#matching(kept, where), change).length)
  }

  async updateOne(where: Where<Row>, change: Change<Row>): Promise<Row | null> {
    return (await this.claim(where, change, 1))[0] ?? null
  }

  delete(where: Where<Row>, atMost?: number): Promise<number> {
    return this.#run((kept) => {
      const rows = this.#matching(kept, where).slice(0, atMost)
      this.#write(kept, () => {
        for (const row of rows) kept.remove(kept.keyText(row))
      })
      return rows.length
    })
  }

  deleteOne(where: Where<Row>): Promise<Row | null> {
    return this.#run((kept) => {
      const [first] = this.#sorted(kept, where, this.#byKey, 1)
      if (first === undefined) return null
      this.#write(kept, () => kept.remove(kept.keyText(first)))
      return copyRow(first)
    })
  }

  claim(where: Where<Row>, change: Change<Row>, limit: number, order?: Order): Promise<Row[]> {
    return this.#run((kept) => {
      const first = this.#sorted(kept, where, order, limit).slice(0, limit)
      return this.#change(kept, first, change).map((row) => copyRow(row, [], this.#deep))
    })
  }

  within(tx: Transaction): Table<Row> {
    return new MemoryTable(this.#committed, this.#database, this.#others, MemoryTransaction.of(tx, this.#database))
  }

  async #run<T>(work: (kept: MemoryRows<Row>) => T): Promise<T> {
    const tx = this.#tx
    return tx === null ? work(this.#committed) : runOperation(tx, async () => work(this.#kept))
  }

  /** By the one value that names the row, where there is one, without a walk through conditions. */
  #first(kept: MemoryRows<Row>, where: Where<Row>): Row | null {
    const names = Object.keys(where)
    const column = names.length === 1 ? this.#unique.get(names[0] as string) : undefined
    const value: unknown = column === undefined ? undefined : (where as Readonly<Record<string, unknown>>)[column.name]
    const isNamed = column !== undefined && isValueOf(column, value, this.#database.ids)
    const row = isNamed ? kept.byValue(column.name, value) : this.#sorted(kept, where, this.#byKey, 1)[0]
    return row === undefined ? null : copyRow(row, [], this.#deep)
  }

  #change(kept: MemoryRows<Row>, rows: readonly Row[], change: Change<Row>): Row[] {
    const changed = rows.map((row) => copyRow(changedRow(this.plan, row, change)))
    this.#write(kept, () => {
      for (const row of changed) kept.replace(row)
    })
    return changed
  }

  /** One statement: all of it, with what its references ask for, or nothing. */
  #write(kept: MemoryRows<Row>, work: () => void): void {
    const { kept: references } = this.#others
    if (references.concern(this.plan)) kept.atomically(work, (made) => references.keep(this.plan, made, this.#seen))
    else kept.atomically(work)
  }

  get #seen(): SeenTables {
    const { tableNamed } = this.#others
    const tx = this.#tx
    const rows = (name: string) => tableNamed(name) as MemoryRows
    return {
      read: (name) => {
        const found = tableNamed(name)
        return tx === null || found === undefined ? found : tx.seen(found)
      },
      write: (name) => (tx === null ? rows(name) : tx.rows(rows(name))),
      inTransaction: tx !== null
    }
  }

  #sorted(kept: MemoryRows<Row>, where: Where<Row>, order = this.#byKey, atMost?: number): Row[] {
    const matching = (conditions: readonly Condition[]) => kept.matches(conditions, this.#rowsOf)
    return orderedRows(matching, this.#conditions(where), order, this.#rowsOf, atMost)
  }

  #conditions(where: Where<Row>): readonly Condition[] {
    return conditionsOf(this.plan, where, this.#database.ids)
  }

  #matching(kept: MemoryRows<Row>, where: Where<Row>): Row[] {
    return kept.matches(this.#conditions(where), this.#rowsOf)
  }

  /** Of another table, as the transaction sees it. */
  readonly #rowsOf: RowsOf = (plan) => {
    const other = this.#database.table(plan)
    return ((this.#tx === null ? other : other.within(this.#tx)) as MemoryTable<object>).#kept.matches([])
  }

  get #kept(): MemoryRows<Row> {
    return this.#tx === null ? this.#committed : this.#tx.rows(this.#committed)
  }
}
