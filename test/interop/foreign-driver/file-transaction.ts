/** A transaction: what its operations made of the tables so far. Each single operation runs in one of its own. */
import { ForeignTransaction, TransactionOver } from 'svc-stores'
import type { TablePlan, Transaction } from 'svc-stores/table'
import { assertNotFailed, forgetFailure, type IdForm, runOperation, runWork } from 'svc-stores/table'
import { type Rows, RowsDraft } from './rows-draft.ts'

/** Rows by table and key. */
export type Tables = ReadonlyMap<string, Rows>

/** What tables ask of their database. */
export interface TransactionSource {
  readonly name: string
  readonly ids: IdForm
  /** Sees what was committed, and is never committed itself. @throws ConnectionUnavailable */
  snapshot(): FileTransaction
  transaction<T>(work: (tx: FileTransaction) => Promise<T>): Promise<T>
}

export class FileTransaction implements Transaction {
  readonly connector: string
  tables: Tables
  isOver = false
  readonly #source: TransactionSource

  constructor(source: TransactionSource, tables: Tables) {
    this.connector = source.name
    this.tables = tables
    this.#source = source
  }

  /** @throws ForeignTransaction for one of another database */
  static of(tx: Transaction, source: TransactionSource): FileTransaction {
    if (tx instanceof FileTransaction && tx.#source === source) return tx
    throw new ForeignTransaction(tx.connector, source.name)
  }

  /** @throws TransactionOver */
  run<T>(plan: TablePlan, operation: (draft: RowsDraft) => T): Promise<T> {
    return runOperation(this, async () => {
      if (this.isOver) throw new TransactionOver()
      const rows = this.tables.get(plan.name) ?? new Map()
      const draft = new RowsDraft(plan, rows, this.tables)
      const result = operation(draft)
      if (draft.rows !== rows) this.tables = new Map([...this.tables, [plan.name, draft.rows]])
      return result
    })
  }

  async savepoint<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    if (this.isOver) throw new TransactionOver()
    assertNotFailed(this)
    const before = this.tables
    try {
      return await runWork(this, work)
    } catch (error) {
      this.tables = before
      forgetFailure(this)
      throw error
    }
  }
}
