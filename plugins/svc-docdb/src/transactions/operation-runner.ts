/** Runs the operations of a table, by themselves or inside a transaction, with failures in the words of the port. */
import { setTimeout } from 'node:timers/promises'
import type { ClientSession } from 'mongodb'
import { TransactionConflict } from 'svc-stores'
import { runOperation, type TablePlan, type Transaction } from 'svc-stores/table'
import type { DocumentConnection } from '../connection/document-connection.ts'
import { isOverTime } from '../connection/storage-failure.ts'
import { type DocumentTransaction, ownTransaction, runTransaction } from './document-transaction.ts'

export interface WithSession {
  readonly session?: ClientSession
}

type Operation<T> = (within: WithSession) => Promise<T>

/** Losing this often in a row is no chance: then the caller gets the conflict. */
export const ATTEMPTS = 5

const NO_SESSION: WithSession = Object.freeze({})

export class OperationRunner {
  readonly #connection: DocumentConnection
  readonly #plan: TablePlan
  readonly #tx: DocumentTransaction | null

  constructor(connection: DocumentConnection, plan: TablePlan, tx: DocumentTransaction | null = null) {
    this.#connection = connection
    this.#plan = plan
    this.#tx = tx
  }

  get inTransaction(): boolean {
    return this.#tx !== null
  }

  /** @throws ForeignTransaction */
  within(tx: Transaction): OperationRunner {
    return new OperationRunner(this.#connection, this.#plan, ownTransaction(tx, this.#connection.name))
  }

  /** Inside a transaction, the first operation that fails dooms it. */
  run<T>(operation: Operation<T>): Promise<T> {
    const tx = this.#tx
    if (tx === null) return this.#connection.admission.operation(() => this.#translated(() => operation(NO_SESSION)))
    return runOperation(tx, () => this.#translated(() => tx.run((session) => operation({ session }))))
  }

  /**
   * What changes one document at most. Outside of a transaction MongoDB does it again by itself where writers collide;
   * other servers report it, and have changed nothing by then.
   */
  async runOne<T>(operation: Operation<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      const start = performance.now()
      try {
        return await this.run(operation)
      } catch (error) {
        const isLast = this.inTransaction || attempt === ATTEMPTS || isOverTime(error)
        if (!(error instanceof TransactionConflict) || isLast) throw error
        // The others need about as long as the server took to find out, and those who met once meet again at the same time.
        await setTimeout(Math.random() * attempt * (performance.now() - start))
      }
    }
  }

  /** Several commands as one step. A standalone server, which has no transactions, keeps what came before a failure. */
  async together<T>(work: (runner: OperationRunner) => Promise<T>): Promise<T> {
    await this.#connection.opened()
    if (this.inTransaction || this.#connection.facts?.transactions !== true) return work(this)
    return runTransaction(this.#connection, (tx) => work(this.within(tx)))
  }

  async #translated<T>(operation: () => Promise<T>): Promise<T> {
    await this.#connection.opened()
    const { outages } = this.#connection
    try {
      const result = await operation()
      this.#connection.answered(outages)
      return result
    } catch (error) {
      throw this.#connection.failure(error, this.#plan)
    }
  }
}
