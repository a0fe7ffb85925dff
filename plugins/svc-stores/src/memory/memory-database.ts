/**
 * The memory engine: rows of this process, gone with it. The other engines are compared with it, and it is enough for
 * tests and for first steps.
 */
import { type Clock, systemClock } from 'svc-kernel'
import { TransactionConflict } from '../errors.ts'
import type { ConnectionHealth, Database } from '../table/database.ts'
import { UuidIds } from '../table/ids.ts'
import type { Table } from '../table/table.ts'
import type { TablePlan } from '../table/table-plan.ts'
import { runEffects, runWork, type Transaction, type TransactionOptions } from '../table/transaction.ts'
import { MemoryReferences } from './memory-references.ts'
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

/** A database that keeps rows in memory, with transactions and savepoints. */
export function memoryDatabase(parts: MemoryDatabaseParts = {}): Database {
  return new MemoryDatabase(parts)
}

class MemoryDatabase implements Database {
  readonly name: string
  readonly vendor = 'memory'
  readonly connection = { driver: 'svc-stores', target: 'memory', version: null }
  readonly connected = true
  readonly closing = false
  readonly savepoints = true
  readonly references = true
  readonly search = true
  /** They copy the tables that they touch. */
  readonly cheapTransactions = false
  readonly ids: UuidIds
  readonly #connectedSince: number
  readonly #rows = new Map<string, MemoryRows>()
  readonly #tables = new Map<string, Table<object>>()
  readonly #kept = new MemoryReferences()

  constructor({ name = 'memory', clock = systemClock }: MemoryDatabaseParts) {
    this.name = name
    this.ids = new UuidIds(clock)
    this.#connectedSince = clock.now()
  }

  table<Row extends object>(plan: TablePlan): Table<Row> {
    let table = this.#tables.get(plan.name)
    if (table === undefined) {
      const rows = new MemoryRows(plan)
      this.#kept.declare(plan)
      table = new MemoryTable<object>(rows, this, { kept: this.#kept, tableNamed: this.#tableNamed })
      this.#rows.set(plan.name, rows)
      this.#tables.set(plan.name, table)
    }
    return table as Table<Row>
  }

  readonly #tableNamed = (name: string): MemoryRows | undefined => this.#rows.get(name)

  storedAs(plan: TablePlan): string {
    return plan.name
  }

  /** Whoever changes a row first wins; the other is run again on what is there then. */
  async transaction<T>(
    work: (tx: Transaction) => Promise<T>,
    { isolation, retry = true }: TransactionOptions = {}
  ): Promise<T> {
    const attempts = retry ? ATTEMPTS : 1
    for (let attempt = 1; ; attempt += 1) {
      const tx = new MemoryTransaction(this, isolation === 'serializable', this.#kept)
      try {
        const result = await runWork(tx, work)
        tx.keep(this.#tableNamed)
        runEffects(tx)
        return result
      } catch (error) {
        tx.end()
        if (!(error instanceof TransactionConflict) || attempt === attempts) throw error
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
    for (const rows of this.#rows.values()) rows.clear()
    return [...this.#rows.keys()]
  }
}
