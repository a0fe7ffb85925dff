/**
 * A transaction on one session. Its operations run one after another, as the server allows no two at once. Savepoints do not
 * exist: `work` is part of the whole, and once it has asked something of the server, its failure is that of the whole.
 */
import type { ClientSession } from 'mongodb'
import mongoose from 'mongoose'
import type { NativeAccess, NativeOptions } from 'svc-orm/driver'
import { ForeignTransaction, TransactionConflict, TransactionOver } from 'svc-stores'
import { runEffects, runOperation, runWork, type Transaction, type TransactionOptions } from 'svc-stores/table'
import type { DocumentConnection } from '../connection/document-connection.ts'
import { ReplicaSetRequired } from '../errors.ts'

const { MongoError } = mongoose.mongo

declare module 'svc-stores/table' {
  interface Transaction {
    /** On documents: the session of the transaction. `fastify.docdb.session(tx)` refuses any other transaction. */
    readonly session?: ClientSession
  }
}

export class DocumentTransaction implements Transaction {
  readonly connector: string
  readonly #access: NativeAccess
  readonly #session: ClientSession
  #last: Promise<unknown> = Promise.resolve()
  #over = false
  /** What was asked of the server. */
  #asked = 0

  constructor({ name, access }: DocumentConnection, session: ClientSession) {
    this.connector = name
    this.#access = access
    this.#session = session
  }

  /**
   * For statements of the application's own, one after the other. What fails ends the transaction: let its error through.
   *
   * @throws TransactionOver, NativeInScope
   */
  get session(): ClientSession {
    return this.native()
  }

  /** The session, also across scopes. @throws TransactionOver, NativeInScope */
  native(options?: NativeOptions): ClientSession {
    this.#access.check('the session', options)
    if (this.#over) throw new TransactionOver()
    this.#asked += 1
    return this.#session
  }

  /** What `work` throws dooms the transaction, also where it is caught: nothing is undone alone. @throws TransactionOver */
  async savepoint<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    if (this.#over) throw new TransactionOver()
    const before = this.#asked
    try {
      return await runWork(this, work)
    } catch (error) {
      if (this.#asked === before) throw error
      return runOperation(this, () => Promise.reject(error))
    }
  }

  /** @throws TransactionOver */
  run<T>(operation: (session: ClientSession) => Promise<T>): Promise<T> {
    this.#asked += 1
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

/**
 * Runs work in a transaction; the driver repeats it after a conflict, as its own convention has it, for two minutes at
 * most. Any other failure ends it: the server has undone the transaction by then, and to repeat its work would fail in the
 * same way.
 *
 * @throws ReplicaSetRequired, ConnectionUnavailable, TransactionConflict, and what `work` throws
 */
export async function runTransaction<T>(
  connection: DocumentConnection,
  work: (tx: Transaction) => Promise<T>,
  options: TransactionOptions = {}
): Promise<T> {
  await connection.opened()
  return connection.admission.transaction(() => openTransaction(connection, work, options))
}

async function openTransaction<T>(
  connection: DocumentConnection,
  work: (tx: Transaction) => Promise<T>,
  { retry = true }: TransactionOptions
): Promise<T> {
  if (connection.facts?.transactions !== true) throw new ReplicaSetRequired(connection.name)
  const session = connection.startSession()
  let own: { readonly error: unknown } | null = null
  let isAgain = false
  const attempted = (error: unknown): never => {
    own = { error }
    throw error
  }
  try {
    const [result, tx] = await session.withTransaction(
      async () => {
        // An outage stays one: only what the driver would repeat comes here.
        if (isAgain && !retry) throw connection.failure(errorOf(own))
        isAgain = true
        const opened = new DocumentTransaction(connection, session)
        return [await attempt(opened, work).catch(attempted), opened] as const
      },
      { readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority' }, readPreference: 'primary' }
    )
    runEffects(tx)
    return result
  } catch (error) {
    // What the work throws is its own; what the server said of its operations is in the words of the port by then.
    throw isOwn(own, error) ? error : connection.failure(error)
  } finally {
    await session.endSession()
  }
}

async function attempt<T>(tx: DocumentTransaction, work: (tx: Transaction) => Promise<T>): Promise<T> {
  try {
    return await runWork(tx, work)
  } catch (error) {
    throw retryable(error) ?? error
  } finally {
    await tx.end()
  }
}

/** A commit that lost has no error of its work. */
function errorOf(own: { readonly error: unknown } | null): unknown {
  return own?.error ?? new TransactionConflict()
}

function isOwn(own: { readonly error: unknown } | null, error: unknown): boolean {
  return own?.error === error && !(error instanceof MongoError)
}

/** The driver repeats on its own errors only; ours carry them as their cause. */
function retryable(error: unknown): unknown {
  const { cause } = (error ?? {}) as { cause?: unknown }
  return cause instanceof MongoError && cause.hasErrorLabel('TransientTransactionError') ? cause : null
}
