/**
 * A transaction on one session. Its operations run one after another, as the
 * server allows no two at once. Savepoints do not exist: `work` is part of the whole.
 */
import type { ClientSession } from 'mongodb'
import { ForeignTransaction, TransactionOver } from 'svc-stores'
import { runWork, type Transaction } from 'svc-stores/table'

export class DocumentTransaction implements Transaction {
  readonly connector: string
  readonly #session: ClientSession
  #last: Promise<unknown> = Promise.resolve()
  #over = false

  constructor(connector: string, session: ClientSession) {
    this.connector = connector
    this.#session = session
  }

  /** @throws TransactionOver */
  async savepoint<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    if (this.#over) throw new TransactionOver()
    return runWork(this, work)
  }

  /** @throws TransactionOver */
  run<T>(operation: (session: ClientSession) => Promise<T>): Promise<T> {
    const next = this.#last.then(() => {
      if (this.#over) throw new TransactionOver()
      return operation(this.#session)
    })
    this.#last = next.catch(() => undefined)
    return next
  }

  /** Waits for what runs; from here on it takes nothing more. */
  async end(): Promise<void> {
    await this.#last
    this.#over = true
  }
}

/** @throws ForeignTransaction */
export function ownTransaction(tx: Transaction, connector: string): DocumentTransaction {
  if (tx instanceof DocumentTransaction && tx.connector === connector) return tx
  throw new ForeignTransaction(tx.connector, connector)
}
