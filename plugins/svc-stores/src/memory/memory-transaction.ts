/**
 * A transaction in memory: it works on copies of the tables it touches, which take the place of the committed ones at
 * its end. Savepoints are copies of those copies.
 */
import { ForeignTransaction, TransactionOver } from '../errors.ts'
import { assertNotFailed, forgetFailure, runWork } from '../table/failed-transactions.ts'
import type { Transaction } from '../table/transaction.ts'
import type { MemoryRows } from './memory-rows.ts'

/** Where the rows are: the committed ones, or those a transaction sees. */
export interface RowSource {
  readonly name: string
  /** @throws TransactionOver */
  rows(table: string): MemoryRows
}

/** A table that the transaction has touched. */
export interface TouchedTable {
  readonly table: string
  readonly copy: MemoryRows
  /** Of the committed rows when they were copied. */
  readonly version: number
}

export class MemoryTransaction implements Transaction, RowSource {
  readonly connector: string
  readonly isSerializable: boolean
  readonly #outer: RowSource
  readonly #versions = new Map<string, number>()
  #copies = new Map<string, MemoryRows>()
  #isOver = false

  constructor(outer: RowSource, isSerializable: boolean) {
    this.connector = outer.name
    this.isSerializable = isSerializable
    this.#outer = outer
  }

  /** The transaction as a source of rows. @throws ForeignTransaction for one of another database or kind */
  static of(tx: Transaction, database: RowSource): MemoryTransaction {
    if (tx instanceof MemoryTransaction && tx.#outer === database) return tx
    throw new ForeignTransaction(tx.connector, database.name)
  }

  get name(): string {
    return this.connector
  }

  rows(table: string): MemoryRows {
    if (this.#isOver) throw new TransactionOver()
    let copy = this.#copies.get(table)
    if (copy === undefined) {
      const committed = this.#outer.rows(table)
      copy = committed.copy()
      this.#versions.set(table, committed.version)
      this.#copies.set(table, copy)
    }
    return copy
  }

  async savepoint<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    if (this.#isOver) throw new TransactionOver()
    assertNotFailed(this)
    const before = new Map([...this.#copies].map(([table, rows]) => [table, rows.copy()]))
    try {
      return await runWork(this, work)
    } catch (error) {
      this.#copies = before
      forgetFailure(this)
      throw error
    }
  }

  /** Nothing more can be asked of it. @returns what it touched */
  end(): readonly TouchedTable[] {
    this.#isOver = true
    return [...this.#copies].map(([table, copy]) => ({ table, copy, version: this.#versions.get(table) ?? -1 }))
  }
}
