/**
 * A transaction in memory: it works on copies of the tables it touches, which take the place of the committed ones at
 * its end. Savepoints are copies of those copies.
 */
import { ForeignTransaction, TransactionConflict, TransactionOver, UniqueViolation } from '../errors.ts'
import type { Database } from '../table/database.ts'
import { assertNotFailed, forgetFailure, runWork, type Transaction } from '../table/transaction.ts'
import type { MemoryReferences } from './memory-references.ts'
import type { MemoryRows } from './memory-rows.ts'

export class MemoryTransaction implements Transaction {
  readonly connector: string
  readonly #database: Database
  readonly #isSerializable: boolean
  readonly #references: MemoryReferences
  /** Of the committed rows when they were copied. */
  readonly #versions = new Map<MemoryRows, number>()
  #copies = new Map<MemoryRows, MemoryRows>()
  #isOver = false

  constructor(database: Database, isSerializable: boolean, references: MemoryReferences) {
    this.connector = database.name
    this.#references = references
    this.#isSerializable = isSerializable
    this.#database = database
  }

  /** @throws ForeignTransaction for one of another database or kind */
  static of(tx: Transaction, database: Database): MemoryTransaction {
    if (tx instanceof MemoryTransaction && tx.#database === database) return tx
    throw new ForeignTransaction(tx.connector, database.name)
  }

  /** The rows of a table as this transaction sees them. @throws TransactionOver */
  rows<Row extends object>(committed: MemoryRows<Row>): MemoryRows<Row> {
    if (this.#isOver) throw new TransactionOver()
    const table = committed as unknown as MemoryRows
    let copy = this.#copies.get(table)
    if (copy === undefined) {
      copy = table.copy()
      this.#versions.set(table, table.version)
      this.#copies.set(table, copy)
    }
    return copy as unknown as MemoryRows<Row>
  }

  /** The same rows to be looked at only: a table that it has not touched is not copied. */
  seen<Row extends object>(committed: MemoryRows<Row>): MemoryRows<Row> {
    return (this.#copies.get(committed as unknown as MemoryRows) as MemoryRows<Row> | undefined) ?? committed
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

  /** Nothing more can be asked of it. */
  end(): void {
    this.#isOver = true
  }

  /** Puts what it changed into the tables, all or nothing. @throws TransactionConflict */
  keep(tableNamed: (name: string) => MemoryRows | undefined): void {
    this.end()
    // Whatever it read may have decided what it wrote.
    const isCurrent = (table: MemoryRows) => table.version === this.#versions.get(table)
    if (this.#isSerializable && ![...this.#copies.keys()].every(isCurrent)) throw new TransactionConflict()
    try {
      const copies = [...this.#copies]
      apply(copies, () => {
        for (const [table, copy] of copies) this.#references.confirm(table.plan, copy.changes(), tableNamed)
      })
    } catch (error) {
      // Its own copies took the value: only a row that came meanwhile can hold it.
      throw error instanceof UniqueViolation ? new TransactionConflict() : error
    }
  }
}

/** Nested, so that a table that refuses undoes those before it. */
function apply(
  [first, ...others]: readonly (readonly [table: MemoryRows, copy: MemoryRows])[],
  confirm: () => void
): void {
  if (first === undefined) {
    confirm()
    return
  }
  const [table, copy] = first
  table.atomically(() => {
    const changes = copy.changes()
    if (changes.some(([key, before]) => table.get(key) !== before)) throw new TransactionConflict()
    // Removed first, so that rows of one transaction may swap unique values.
    for (const [key] of changes) table.remove(key)
    for (const [, , after] of changes) if (after !== undefined) table.insert(after)
    apply(others, confirm)
  })
}
