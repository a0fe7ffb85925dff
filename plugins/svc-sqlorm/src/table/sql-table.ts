/** A table of the storage port on SQLite and PostgreSQL. */
import type { CompiledQuery } from 'kysely'
import { TransactionConflict, UniqueViolation } from 'svc-stores'
import {
  byKey,
  type Change,
  type Condition,
  conditionsOf,
  type Group,
  type Grouping,
  type Join,
  type JoinedLookup,
  type JoinedRow,
  keyOf,
  type Merge,
  type Order,
  type PutOptions,
  recordOf,
  rowsOfIndex,
  runOperation,
  type Selection,
  type Table,
  type TablePlan,
  type Transaction,
  uniqueIndexOf,
  type Where
} from 'svc-stores/table'
import { type FailedConstraint, ReferenceConflict } from '../engines/failure.ts'
import type { StoredRecord } from '../engines/sql-engine.ts'
import type { StatementRunner } from '../transactions/sql-transaction.ts'
import type { ItemTables } from './item-tables.ts'
import { namedRefusal } from './refused-columns.ts'
import { missingOwner, type OtherTables, remainingReferrer } from './refused-references.ts'
import { affected, RowInserts, sameValues } from './row-inserts.ts'
import { RowMerges } from './row-merges.ts'
import type { SqlTableParts } from './sql-table-parts.ts'
import type { TableStatements } from './table-statements.ts'

/** A row that is there for the insert and gone for the read, or the other way round: seldom twice in a row. */
const ATTEMPTS = 10

/** The error of a constraint that failed. */
type ReferenceRefusal = (failed: FailedConstraint | null) => Promise<Error>

export class SqlTable<Row extends object> implements Table<Row> {
  readonly plan: TablePlan
  readonly #parts: SqlTableParts
  readonly #runner: StatementRunner
  readonly #items: ItemTables
  readonly #inserting: RowInserts
  readonly #merging: RowMerges<Row>
  readonly #byKey: Order

  constructor(parts: SqlTableParts) {
    this.plan = parts.plan
    this.#parts = parts
    this.#runner = parts.runner
    this.#items = parts.items
    this.#inserting = new RowInserts(parts.plan, parts.items)
    this.#merging = new RowMerges(parts.plan, parts.items)
    this.#byKey = byKey(parts.plan)
  }

  insert(rows: readonly Row[]): Promise<void> {
    return this.#writing(rows, () => this.#inserting.insert(rows, this.statements.inserts, this.#runner))
  }

  insertNew(rows: readonly Row[]): Promise<number> {
    return this.#writing(rows, () => this.#inserting.insertNew(rows, this.statements.inserts, this.#runner))
  }

  insertIfAbsent(row: Row, columns: readonly (keyof Row & string)[]): Promise<Row> {
    return this.#writing([row], async () => {
      const index = uniqueIndexOf(this.plan, columns, row)
      const same = sameValues(row, columns)
      const standing = index === undefined ? same : [...same, ...rowsOfIndex(index)]
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        const [created] = await this.#changed(this.#items, this.statements.inserts.insertIfAbsent(row, columns, index))
        if (created !== undefined) return created
        const [found] = await this.#select(standing, { limit: 1 })
        if (found !== undefined) return found
      }
      // One that is never seen belongs to another scope.
      if (this.#runner.isFenced) throw new UniqueViolation(recordOf(this.plan), columns)
      throw new TransactionConflict()
    })
  }

  put(row: Row, { guard = [], keep = [], max = [], change, by }: PutOptions<Row> = {}): Promise<Row | null> {
    return this.#writing([row], async () => {
      const { inserts } = this.statements
      const columns = { guard: this.#conditions(guard), keep, max }
      const index = by === undefined ? undefined : uniqueIndexOf(this.plan, by, row)
      const query =
        change === undefined
          ? inserts.put(row, columns)
          : inserts.putChange(row, { ...columns, change, by: by ?? keyOf(this.plan) }, index)
      const [standing] = await this.#changed(this.#items, query)
      if (standing === undefined && this.#runner.isFenced) await this.#refuseHidden(row, by ?? keyOf(this.plan))
      return standing ?? null
    })
  }

  /** A row that refuses another one and is not seen belongs to another scope. @throws UniqueViolation */
  async #refuseHidden(row: Row, columns: readonly string[]): Promise<void> {
    const [seen] = await this.#select(sameValues(row, columns), { limit: 1 })
    if (seen === undefined) throw new UniqueViolation(recordOf(this.plan), columns)
  }

  merge(rows: readonly Row[], merge: Merge<Row>): Promise<Row[]> {
    const guard = this.#conditions(merge.guard ?? [])
    return this.#writing(rows, () => this.#merging.merge(rows, merge, guard, this.statements, this.#runner))
  }

  find(where: Where<Row>, selection: Selection<Row> = {}): Promise<Row[]> {
    return this.#run(() => this.#select(this.#conditions(where), selection))
  }

  findOne(where: Where<Row>): Promise<Row | null> {
    return this.#run(async () => {
      const [row] = await this.#select(this.#conditions(where), { limit: 1 })
      return row ?? null
    })
  }

  findHolding(where: Where<Row>, column: string, text: string): Promise<Row | null> {
    return this.#run(async () => {
      const [row] = await this.#select(this.#conditions(where), { limit: 1 })
      return row === undefined || (row as StoredRecord)[column] !== text ? null : row
    })
  }

  /** Tables of the same connection, or of the same transaction. */
  joining(joins: readonly Join<Row, object>[]): JoinedLookup<Row, readonly object[]> | null {
    const others: { readonly table: SqlTable<object>; readonly column: string; readonly on: string }[] = []
    for (const { table, column, on } of joins) {
      if (!(table instanceof SqlTable) || table.#runner !== this.#runner) return null
      others.push({ table, column, on })
    }
    return (where) =>
      this.#run(async () => {
        const tables = others.map(({ table, column, on }) => ({ statements: table.statements, column, on }))
        const { rows } = await this.#runner.read(this.statements.joined(this.#conditions(where), tables))
        const [first] = rows
        if (first === undefined) return null
        return this.statements.readJoined(first, tables) as unknown as JoinedRow<Row, readonly object[]>
      })
  }

  count(where: Where<Row>): Promise<number> {
    return this.#run(async () => {
      const { rows } = await this.#runner.read(this.statements.count(this.#conditions(where)))
      return Number(rows[0]?.total)
    })
  }

  exists(where: Where<Row>): Promise<boolean> {
    return this.#run(async () => {
      const { rows } = await this.#runner.read(this.statements.exists(this.#conditions(where)))
      return rows.length > 0
    })
  }

  counts<Name extends string>(
    where: Where<Row>,
    parts: Readonly<Record<Name, Where<Row>>>
  ): Promise<Readonly<Record<Name | 'total', number>>> {
    return this.#run(async () => {
      const counted = Object.entries<Where<Row>>(parts).map(([name, part]) => [name, this.#conditions(part)] as const)
      const { rows } = await this.#runner.read(this.statements.counts(this.#conditions(where), counted))
      const numbers = Object.entries(rows[0] ?? {}).map(([name, count]) => [name, Number(count)])
      return Object.fromEntries(numbers) as Record<Name | 'total', number>
    })
  }

  group(where: Where<Row>, grouping: Grouping): Promise<Group[]> {
    return this.#run(async () => {
      const { rows } = await this.#runner.read(this.statements.groups.select(this.#conditions(where), grouping))
      return this.statements.groups.read(rows, grouping)
    })
  }

  update(where: Where<Row>, change: Change<Row>): Promise<number> {
    return this.#writing([change.set ?? {}], async () => {
      const conditions = this.#conditions(where)
      const items = this.#items.changedBy(change)
      if (items.isEmpty) return affected(await this.#runner.write(this.statements.update(conditions, change)))
      return (await this.#changed(items, this.statements.update(conditions, change, true))).length
    })
  }

  updateOne(where: Where<Row>, change: Change<Row>): Promise<Row | null> {
    return this.#writing([change.set ?? {}], async () => {
      const query = this.statements.updateOne(this.#conditions(where), change)
      const [row] = await this.#changed(this.#items.changedBy(change), query)
      return row ?? null
    })
  }

  delete(where: Where<Row>, atMost?: number): Promise<number> {
    return this.#deleting(where, async () => {
      const conditions = this.#conditions(where)
      const query = this.statements.delete(conditions, atMost ?? null, !this.#items.isEmpty)
      return this.#items.isEmpty
        ? affected(await this.#runner.write(query))
        : (await this.#items.remove(query, this.#runner)).length
    })
  }

  deleteOne(where: Where<Row>): Promise<Row | null> {
    return this.#deleting(where, async () => {
      const rows = await this.#items.remove(this.statements.deleteOne(this.#conditions(where)), this.#runner)
      return this.#read(rows)[0] ?? null
    })
  }

  claim(where: Where<Row>, change: Change<Row>, limit: number, order: Order = this.#byKey): Promise<Row[]> {
    return this.#writing([change.set ?? {}], () => {
      const query = this.statements.claim(this.#conditions(where), change, limit, order)
      return this.#changed(this.#items.changedBy(change), query)
    })
  }

  within(tx: Transaction): SqlTable<Row> {
    return new SqlTable<Row>({ ...this.#parts, runner: this.#parts.join(tx), tx })
  }

  /** The same table, whose statements outside of transactions go elsewhere. */
  readingBy(runner: StatementRunner): SqlTable<Row> {
    return new SqlTable<Row>({ ...this.#parts, runner })
  }

  #writing<T>(rows: readonly object[], work: () => Promise<T>): Promise<T> {
    return this.#run(work, (failed) => missingOwner(this.plan, failed, rows, this.#others))
  }

  #deleting<T>(where: Where<Row>, work: () => Promise<T>): Promise<T> {
    return this.#run(work, (failed) => remainingReferrer(this.plan, failed, this.#conditions(where), this.#others))
  }

  get #others(): OtherTables {
    const { others, tx } = this.#parts
    const table = (plan: TablePlan) => (tx === null ? others.table(plan) : others.table(plan).within(tx))
    return { plans: () => others.plans(), table }
  }

  /** Inside a transaction, the first operation that fails dooms it. @param refused what a reference refuses */
  #run<T>(work: () => Promise<T>, refused?: ReferenceRefusal): Promise<T> {
    const { tx } = this.#parts
    return tx === null ? this.#named(work, refused) : runOperation(tx, () => this.#named(work, refused))
  }

  async #named<T>(work: () => Promise<T>, refused?: ReferenceRefusal): Promise<T> {
    try {
      return await work()
    } catch (error) {
      const isReference = error instanceof ReferenceConflict && refused !== undefined
      throw namedRefusal(this.plan, isReference ? await refused(error.constraint).catch(itself) : error)
    }
  }

  async #select(
    conditions: readonly Condition[],
    { order = this.#byKey, limit = 0, offset = 0, each, without = [], lock, counted }: Selection<Row>
  ): Promise<Row[]> {
    const { selects } = this.statements
    const bounds = { limit: limit === 0 ? null : limit, offset, lock: lock ?? null, each: each ?? null }
    const rows = { conditions, order, without, ...bounds, ...(counted !== undefined && { counted }) }
    const found = selects.read((await this.#runner.read(selects.select(rows))).rows, rows) as Row[]
    if (lock !== undefined && lock !== 'share' && this.#runner.hasSnapshot && found.length > 0) {
      // A caller that only waited for a lock would go on with what it saw before; one that waited for a change runs again.
      await this.#runner.write(this.statements.touch(found))
    }
    return found
  }

  #changed(items: ItemTables, query: CompiledQuery): Promise<Row[]> {
    return items.write(query, this.#runner, (rows) => this.#read(rows))
  }

  get statements(): TableStatements {
    return this.#parts.statements.current
  }

  #conditions(where: Where<Row>): readonly Condition[] {
    return conditionsOf(this.plan, where, this.#parts.ids)
  }

  #read(rows: readonly StoredRecord[]): Row[] {
    return this.statements.read(rows) as Row[]
  }
}

function itself(error: unknown): unknown {
  return error
}
