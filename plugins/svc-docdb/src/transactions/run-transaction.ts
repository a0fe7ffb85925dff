/**
 * Runs work in a transaction; the driver repeats it after a conflict, as its own convention has it. Any other failure
 * ends it: the server has undone the transaction by then, and to repeat its work would fail in the same way.
 */
import mongoose from 'mongoose'
import { runWork, type Transaction } from 'svc-stores/table'
import type { DocumentConnection } from '../connection/document-connection.ts'
import { ReplicaSetRequired } from '../errors.ts'
import { DocumentTransaction } from './document-transaction.ts'

const { MongoError } = mongoose.mongo

/** @throws ReplicaSetRequired, ConnectionUnavailable, TransactionConflict, and what `work` throws */
export async function runTransaction<T>(
  connection: DocumentConnection,
  work: (tx: Transaction) => Promise<T>
): Promise<T> {
  await connection.opened()
  if (connection.facts?.transactions !== true) throw new ReplicaSetRequired(connection.name)
  const session = connection.startSession()
  try {
    return await session.withTransaction(() => attempt(new DocumentTransaction(connection.name, session), work), {
      readConcern: { level: 'snapshot' },
      writeConcern: { w: 'majority' }
    })
  } catch (error) {
    throw connection.failure(error)
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

/** The driver repeats on its own errors alone: ours carry them as their cause. */
function retryable(error: unknown): unknown {
  const { cause } = (error ?? {}) as { cause?: unknown }
  return cause instanceof MongoError && cause.hasErrorLabel('TransientTransactionError') ? cause : null
}
