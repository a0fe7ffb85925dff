/** A SQL database of the storage port: tables by their plans, transactions and health. */
import { isDeepStrictEqual } from 'node:util'
import type { Clock } from 'svc-kernel'
import type { CallerScopes, CompiledEntity, MigrationPort, OrmConnector, SchemaPort } from 'svc-orm/driver'
import {
  type ConnectionFacts,
  type ConnectionHealth,
  type Table,
  type TablePlan,
  type Transaction,
  type TransactionOptions,
  UuidIds
} from 'svc-stores/table'
import type { LiveConnection } from './connection/live-connection.ts'
import type { ReplicaSet } from './connection/replica-set.ts'
import { ReferenceConflict } from './engines/failure.ts'
import { SqlMigrations } from './migrations/sql-migrations.ts'
import { standingIn } from './migrations/standing-in.ts'
import { checkNames } from './schema/check-names.ts'
import { ItemTables } from './table/item-tables.ts'
import { missingAtCommit } from './table/refused-references.ts'
import { SqlTable } from './table/sql-table.ts'
import { tableColumns, tableDefinition } from './table/table-columns.ts'
import { TableStatements } from './table/table-statements.ts'
import { fencedRunner } from './transactions/fenced-runner.ts'
import { replicaRunner } from './transactions/replica-runner.ts'
import { connectionRunner, SqlTransaction, type StatementRunner } from './transactions/sql-transaction.ts'

export interface SqlDatabaseParts {
  readonly connection: LiveConnection
  /** Without credentials. */
  readonly target: string
  readonly clock: Clock
  /** Default: none. */
  readonly replicas?: ReplicaSet | null
}

export class SqlDatabase implements OrmConnector {
  readonly name: string
  readonly vendor: string
  readonly savepoints = true
  readonly references = true
  readonly search = true
  readonly cheapTransactions = true
  readonly countsInFind: boolean
  readonly ids: UuidIds
  readonly #live: LiveConnection
  /** One for all tables, which may be joined by it. */
  readonly #runner: StatementRunner
  readonly #target: string
  readonly #replicas: ReplicaSet | null
  readonly #tables = new Map<string, SqlTable<object>>()

  constructor({ connection, target, clock, replicas = null }: SqlDatabaseParts) {
    this.name = connection.name
    this.vendor = connection.engine.vendor
    this.countsInFind = connection.engine.countsInFind
    this.ids = new UuidIds(clock)
    this.#live = connection
    this.#runner = connectionRunner(connection)
    this.#target = target
    this.#replicas = replicas
  }

  get schema(): SchemaPort {
    const live = this.#live
    return {
      differences: () => live.differences(),
      standing: (plans) => standingIn(live, plans),
      references: () => live.unopened((db) => live.engine.alteration.references(db))
    }
  }

  get migrations(): MigrationPort {
    return new SqlMigrations(this.#live, this.ids)
  }

  get connection(): ConnectionFacts {
    return { driver: this.#live.engine.driver, target: this.#target, version: this.#live.version }
  }

  get connected(): boolean {
    return this.#live.connected
  }

  get closing(): boolean {
    return this.#live.closed
  }

  /** @throws BootError (SVC_SQLORM_NAME) for names that the database cannot keep */
  acceptEntities(entities: readonly CompiledEntity[], scopes: CallerScopes): void {
    checkNames(entities)
    this.#live.access.accept(entities, scopes)
    this.#live.fence.accept(entities, scopes)
  }

  /** @throws TypeError once the connection is open, or where another plan has the name */
  table<Row extends object>(plan: TablePlan): Table<Row> {
    const known = this.#table(plan)
    if (known.plan !== plan && !isDeepStrictEqual(known.plan, plan)) {
      throw new TypeError(`table ${plan.name} is declared twice`)
    }
    return known as unknown as Table<Row>
  }

  async ensureTable<Row extends object>(plan: TablePlan): Promise<Table<Row>> {
    if (this.#live.started && !this.#tables.has(plan.name)) {
      await this.#live.ensure(tableDefinition(plan))
      if (!this.#tables.has(plan.name)) this.#keep(plan, ItemTables.of(plan, this.#live.engine, this.#live.native))
    }
    return this.table(plan)
  }

  replicaTable<Row extends object>(plan: TablePlan): Table<Row> | null {
    const replicas = this.#replicas
    if (replicas === null) return null
    const { fence } = this.#live
    const runner = replicaRunner(replicas, this.#runnerOf(plan), () => (fence.covers(plan) ? fence.setting() : null))
    return this.#table(plan).readingBy(runner) as unknown as Table<Row>
  }

  storedAs({ name }: TablePlan): string {
    return name
  }

  async transaction<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T> {
    try {
      return await SqlTransaction.run(this.#live, work, options)
    } catch (error) {
      if (!(error instanceof ReferenceConflict)) throw error
      throw missingAtCommit(error.constraint, this.#plans)
    }
  }

  reset(): Promise<readonly string[]> {
    return this.#live.reset()
  }

  now(): Promise<number> {
    return this.#live.run((db) => this.#live.engine.now(db))
  }

  async health(): Promise<ConnectionHealth> {
    const health = await this.#live.health()
    return this.#replicas === null ? health : { ...health, replicas: this.#replicas.health }
  }

  get #plans(): readonly TablePlan[] {
    return [...this.#tables.values()].map(({ plan }) => plan)
  }

  /** Of statements outside of transactions. */
  #runnerOf(plan: TablePlan): StatementRunner {
    return this.#live.fence.covers(plan) ? fencedRunner(this.#live, this.#runner) : this.#runner
  }

  #table(plan: TablePlan): SqlTable<object> {
    return this.#tables.get(plan.name) ?? this.#declare(plan)
  }

  #declare(plan: TablePlan): SqlTable<object> {
    const { engine, native } = this.#live
    const items = ItemTables.of(plan, engine, native)
    this.#live.declare(tableDefinition(plan), ...items.definitions)
    return this.#keep(plan, items)
  }

  #keep(plan: TablePlan, items: ItemTables): SqlTable<object> {
    const live = this.#live
    const { engine, native } = live
    const columns = tableColumns(plan, engine)
    const otherOf = (other: TablePlan) => this.#table(other).statements
    const compiled = () => {
      const absent = columns.filter(({ name }) => live.isMissing(plan.name, name)).map(({ name }) => name)
      const number = plan.existing === undefined ? live.rowNumberOf(plan.name) : null
      return new TableStatements(plan, columns, { absent: new Set(absent), number }, engine, native, otherOf)
    }
    const statements = { current: compiled() }
    live.whenOpen(() => {
      statements.current = compiled()
    })
    const join = (tx: Transaction) => SqlTransaction.of(tx, live)
    const table = new SqlTable<object>({
      plan,
      statements,
      items,
      ids: this.ids,
      others: { plans: () => this.#plans, table: (other) => this.#table(other) },
      runner: this.#runnerOf(plan),
      join,
      tx: null
    })
    this.#tables.set(plan.name, table)
    return table
  }
}
