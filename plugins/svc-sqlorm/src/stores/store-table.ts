/**
 * One table of a store: its statements behind the connection, with failures in
 * the words of the store contracts. Reads by one column, which requests wait for,
 * are compiled once.
 */
import { setImmediate } from 'node:timers/promises'
import type { CompiledQuery, Kysely, QueryResult, RawBuilder } from 'kysely'
import { DuplicateRecord, type Page, type PageQuery, readPage, type SortFields } from 'svc-stores'
import type { SqlConnection } from '../connection/sql-connection.ts'
import { UniqueConflict } from '../engines/failure.ts'
import type { SqlEngine } from '../engines/sql-engine.ts'
import type { TableDefinition } from '../schema/table-definition.ts'
import { rerun } from '../transactions/rerun.ts'
import { exactly, isStorable, type Where } from './store-conditions.ts'
import { type StoredRecord, StoreStatements, type Values } from './store-statements.ts'

export interface StorePlan {
  readonly table: TableDefinition
  /** What the record is called in errors. */
  readonly brick: string
  /** What a duplicate is about. */
  readonly unique: string
}

type Run = <T>(work: (db: Kysely<unknown>) => Promise<T>) => Promise<T>

/** Rows that a purge removes at a time: on SQLite, how long the process does nothing else. */
const PURGED_AT_ONCE = 200

/** Rows of one insert: far below the parameters that an engine takes. */
const INSERTED_AT_ONCE = 100

export class StoreTable<Row extends object> {
  readonly engine: SqlEngine
  readonly #connection: SqlConnection
  readonly #plan: StorePlan
  readonly #statements: StoreStatements
  readonly #lookups = new Map<string, CompiledQuery>()
  readonly #run: Run

  private constructor(connection: SqlConnection, plan: StorePlan, statements: StoreStatements, run: Run) {
    this.engine = connection.engine
    this.#connection = connection
    this.#plan = plan
    this.#statements = statements
    this.#run = run
  }

  /** Has the table made when the connection opens. */
  static declare<Row extends object>(connection: SqlConnection, plan: StorePlan): StoreTable<Row> {
    connection.declare(plan.table)
    const statements = new StoreStatements(plan.table, connection.engine)
    return new StoreTable<Row>(connection, plan, statements, (work) => rerun(() => connection.run(work)))
  }

  /** Whether the application is shutting down. */
  get closed(): boolean {
    return this.#connection.closed
  }

  /** The same table inside an open transaction. */
  within(db: Kysely<unknown>): StoreTable<Row> {
    return new StoreTable<Row>(this.#connection, this.#plan, this.#statements, (work) => work(db))
  }

  /** @param work done again where it lost a deadlock @throws DuplicateRecord (409), and as `SqlConnection` */
  transaction<T>(work: (db: Kysely<unknown>) => Promise<T>): Promise<T> {
    return this.#told(rerun(() => this.#connection.transaction(work)))
  }

  async insert(...rows: readonly Values[]): Promise<void> {
    if (rows.length > 0) await this.#execute(this.#statements.insert(rows))
  }

  /** Rows whose `id` is there already are left as they are. */
  async insertNew(rows: readonly Values[]): Promise<void> {
    for (let start = 0; start < rows.length; start += INSERTED_AT_ONCE) {
      await this.#execute(this.#statements.insertNew(rows.slice(start, start + INSERTED_AT_ONCE)))
    }
  }

  /** See `StoreStatements.upsert`. @returns the row as it stands, or `null` where the guard refused it */
  async upsert(row: Values, replaced: readonly string[], changes?: Values, guard?: Where): Promise<Row | null> {
    return this.#first(await this.#execute(this.#statements.upsert(row, replaced, changes, guard)))
  }

  /** @returns how many rows it changed */
  async update(changes: Values, where: Where): Promise<number> {
    return affected(await this.#execute(this.#statements.update(changes, where)))
  }

  async updateOne(changes: Values, where: Where): Promise<Row | null> {
    return this.#first(await this.#execute(this.#statements.updateReturning(changes, where)))
  }

  /** @returns how many rows it removed */
  async delete(where: Where): Promise<number> {
    return affected(await this.#execute(this.#statements.delete(where)))
  }

  /** Removes however many rows, a few at a time. @returns how many */
  async purge(where: Where): Promise<number> {
    for (let total = 0; ; await setImmediate()) {
      const removed = affected(await this.#execute(this.#statements.deleteSome(where, PURGED_AT_ONCE)))
      total += removed
      if (removed < PURGED_AT_ONCE) return total
    }
  }

  /** The row whose column holds this very text. */
  async findBy(column: keyof Row & string, text: string): Promise<Row | null> {
    if (!isStorable(text)) return null
    const found = this.#run((db) => {
      const compiled = this.#lookups.get(column) ?? this.#compile(db, column)
      return db.executeQuery<StoredRecord>({ ...compiled, parameters: [text] })
    })
    return this.#first(await this.#told(found))
  }

  async findOne(where: Where): Promise<Row | null> {
    return this.#first(await this.#execute(this.#statements.select(where)))
  }

  /** Every row, by `id`. */
  async findAll(where: Where): Promise<readonly Row[]> {
    const { rows } = await this.#execute(this.#statements.selectAll(where))
    return rows.map((stored) => this.#read(stored))
  }

  /** In a transaction: the row is this transaction's until it ends. */
  async lock(where: Where): Promise<Row | null> {
    return this.#first(await this.#execute(this.#statements.selectForUpdate(where)))
  }

  async count(where: Where): Promise<number> {
    const { rows } = await this.#execute(this.#statements.count(where))
    return Number(rows[0]?.total)
  }

  async exists(where: Where): Promise<boolean> {
    return (await this.#execute(this.#statements.exists(where))).rows.length > 0
  }

  /** Reads one row more than asked for, to know whether another page follows. The hidden columns are never read. */
  async page<Field extends string, Hidden extends keyof Row & string>(
    where: Where,
    query: PageQuery<Field>,
    sort: SortFields<Field>,
    hidden: readonly Hidden[]
  ): Promise<Page<Omit<Row, Hidden>>> {
    const { limit, offset, order } = readPage(query, sort)
    const columns = this.#statements.columns.filter((name) => !(hidden as readonly string[]).includes(name))
    const found = await this.#execute(this.#statements.page(columns, where, { limit: limit + 1, offset, order }))
    const items = found.rows.slice(0, limit).map((stored) => this.#read(stored, columns))
    return { items, limit, offset, hasNext: found.rows.length > limit }
  }

  /** The rows in all, and those of which each condition holds, counted at one moment. */
  async counts<Name extends string>(
    where: Where,
    conditions: Readonly<Record<Name, Where>>
  ): Promise<Readonly<Record<Name | 'total', number>>> {
    const { rows } = await this.#execute(this.#statements.counts(where, conditions))
    const [counted = {}] = rows
    const numbers = Object.entries(counted).map(([name, count]) => [name, Number(count)])
    return Object.fromEntries(numbers) as Record<Name | 'total', number>
  }

  #compile(db: Kysely<unknown>, column: string): CompiledQuery {
    const compiled = this.#statements.select(exactly(column, '')).compile(db)
    this.engine.prepare(compiled.sql)
    this.#lookups.set(column, compiled)
    return compiled
  }

  #first({ rows }: QueryResult<StoredRecord>): Row | null {
    const [stored] = rows
    return stored === undefined ? null : this.#read(stored)
  }

  #read(stored: StoredRecord, columns?: readonly string[]): Row {
    return this.#statements.read(stored, columns) as Row
  }

  #execute<T>(statement: RawBuilder<T>): Promise<QueryResult<T>> {
    return this.#told(this.#run((db) => statement.execute(db)))
  }

  async #told<T>(work: Promise<T>): Promise<T> {
    try {
      return await work
    } catch (error) {
      throw error instanceof UniqueConflict ? new DuplicateRecord(this.#plan.brick, this.#plan.unique) : error
    }
  }
}

function affected({ numAffectedRows = 0n }: QueryResult<unknown>): number {
  return Number(numAffectedRows)
}
