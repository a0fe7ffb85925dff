/**
 * A transaction in memory: it works on copies of the tables it touches, which
 * become everybody's when it is kept. Savepoints are copies of those copies.
 */

import type { Transaction } from 'svc-stores/table'
import { assertNotFailed, forgetFailure, runWork } from 'svc-stores/table'
import { ForeignTransaction, TransactionConflict, TransactionOver, UniqueViolation } from '../errors.ts'
import type { CommittedTables } from './committed-tables.ts'
import type { MemoryTables } from './memory-gateway.ts'
import type { MemoryTable } from './memory-table.ts'

export class MemoryTransaction implements Transaction, MemoryTables {
  readonly connector: string
  readonly #outer: MemoryTables
  readonly #isSerializable: boolean
  readonly #versions = new Map<string, number>()
  #copies = new Map<string, MemoryTable>()
  #isOver = false

  constructor(connector: string, outer: MemoryTables, isSerializable = false) {
    this.#isSerializable = isSerializable
    this.connector = connector
    this.#outer = outer
  }

  /** The transaction as its tables. @throws ForeignTransaction for one of another connector or kind */
  static of(tx: Transaction, connector: string, own: WeakSet<Transaction>): MemoryTransaction {
    if (tx instanceof MemoryTransaction && own.has(tx)) return tx
    throw new ForeignTransaction(tx.connector, connector)
  }

  table(entity: string): MemoryTable {
    if (this.#isOver) throw new TransactionOver()
    let copy = this.#copies.get(entity)
    if (copy === undefined) {
      const table = this.#outer.table(entity)
      copy = table.copy()
      this.#versions.set(entity, table.version)
      this.#copies.set(entity, copy)
    }
    return copy
  }

  async savepoint<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    if (this.#isOver) throw new TransactionOver()
    assertNotFailed(this)
    const before = new Map([...this.#copies].map(([entity, table]) => [entity, table.copy()]))
    try {
      return await runWork(this, work)
    } catch (error) {
      this.#copies = before
      forgetFailure(this)
      throw error
    }
  }

  /** Ends it; `committed` takes its changes. @throws TransactionConflict */
  commit(committed: CommittedTables): void {
    this.#isOver = true
    // Whatever it read may have decided what it wrote.
    const isStale = [...this.#versions].some(([entity, version]) => committed.table(entity).version !== version)
    if (this.#isSerializable && isStale) throw new TransactionConflict()
    try {
      committed.commit(this.#copies)
    } catch (error) {
      // Its own copies took the value: only a row that came meanwhile can hold it.
      throw error instanceof UniqueViolation ? new TransactionConflict() : error
    }
  }

  rollBack(): void {
    this.#isOver = true
  }
}
