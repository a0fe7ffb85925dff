/**
 * The memory engine: rows of this process, gone with it. The other engines are compared with it, and it is enough for
 * tests and for first steps.
 */
import { type Clock, systemClock } from 'svc-kernel'
import { TransactionConflict, UniqueViolation } from '../errors.ts'
import type { ConnectionHealth } from '../table/connection-health.ts'
import type { Database } from '../table/database.ts'
import { runWork } from '../table/failed-transactions.ts'
import type { Table } from '../table/table.ts'
import type { TablePlan } from '../table/table-plan.ts'
import type { Transaction, TransactionOptions } from '../table/transaction.ts'
import { UuidIds } from '../table/uuid-ids.ts'
import { MemoryRows } from './memory-rows.ts'
import { MemoryTable } from './memory-table.ts'
import { MemoryTransaction } from './memory-transaction.ts'

/** So often a transaction is tried before its caller gets the conflict. */
const ATTEMPTS = 100

export interface MemoryDatabaseParts {
  /** Default `memory`. */
  readonly name?: string
  readonly clock?: Pick<Clock, 'now'>
}

export class MemoryDatabase implements Database {
  readonly name: string
  readonly vendor = 'memory'
  readonly connection = { driver: 'svc-stores', target: 'memory', version: null }
  readonly connected = true
  readonly closing = false
  readonly savepoints = true
  /** They copy the tables that they touch. */
  readonly cheapTransactions = false
  readonly ids: UuidIds
  readonly #connectedSince: number
  readonly #rows = new Map<string, MemoryRows>()
  readonly #tables = new Map<string, Table<never>>()

  constructor({ name = 'memory', clock = systemClock }: MemoryDatabaseParts = {}) {
    this.name = name
    this.ids = new UuidIds(clock)
    this.#connectedSince = clock.now()
  }

  table<Row extends object>(plan: TablePlan): Table<Row> {
    const known = this.#tables.get(plan.name)
    if (known !== undefined) return known as unknown as Table<Row>
    this.#rows.set(plan.name, new MemoryRows(plan))
    const table = new MemoryTable<Row>(plan, this)
    this.#tables.set(plan.name, table as unknown as Table<never>)
    return table
  }

  storedAs(plan: TablePlan): string {
    return plan.name
  }

  rows(table: string): MemoryRows {
    const rows = this.#rows.get(table)
    if (rows === undefined) throw new TypeError(`no table ${table}`)
    return rows
  }

  /** Whoever changes a row first wins; the other is run again on what is there then. */
  async transaction<T>(work: (tx: Transaction) => Promise<T>, { isolation }: TransactionOptions = {}): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      const tx = new MemoryTransaction(this, isolation === 'serializable')
      try {
        const result = await runWork(tx, work)
        this.#commit(tx)
        return result
      } catch (error) {
        tx.end()
        if (!(error instanceof TransactionConflict) || attempt === ATTEMPTS) throw error
      }
    }
  }

  async health(): Promise<ConnectionHealth> {
    return {
      connected: true,
      connectedSince: this.#connectedSince,
      connectCount: 1,
      reconnectCount: 0,
      errorCount: 0,
      lastError: null,
      pingMs: 0,
      pool: null
    }
  }

  async reset(): Promise<readonly string[]> {
    const names = [...this.#rows.keys()]
    for (const [name, { plan }] of this.#rows) this.#rows.set(name, new MemoryRows(plan))
    return names
  }

  /** @throws TransactionConflict */
  #commit(tx: MemoryTransaction): void {
    const changed = tx.end()
    // Whatever it read may have decided what it wrote.
    if (tx.isSerializable && changed.some(({ table, version }) => this.rows(table).version !== version)) {
      throw new TransactionConflict()
    }
    try {
      this.#apply(changed.map(({ table, copy }) => [this.rows(table), copy]))
    } catch (error) {
      // Its own copies took the value: only a row that came meanwhile can hold it.
      throw error instanceof UniqueViolation ? new TransactionConflict() : error
    }
  }

  /** Nested, so that a table that refuses undoes those before it. */
  #apply([first, ...others]: readonly (readonly [rows: MemoryRows, copy: MemoryRows])[]): void {
    if (first === undefined) return
    const [rows, copy] = first
    rows.atomically(() => {
      const changes = [...copy.changes()]
      if (changes.some(([key, { before }]) => rows.get(key) !== before)) throw new TransactionConflict()
      // Removed first, so that rows of one transaction may swap unique values.
      for (const [key] of changes) rows.remove(key)
      for (const [, { after }] of changes) if (after !== undefined) rows.insert(after)
      this.#apply(others)
    })
  }
}

/** A database that keeps rows in memory, with transactions and savepoints. */
export function memoryDatabase(parts: MemoryDatabaseParts = {}): Database {
  return new MemoryDatabase(parts)
}
