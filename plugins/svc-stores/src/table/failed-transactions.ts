/**
 * The one meaning of a failure inside a transaction, on every driver: the first operation that fails there dooms it.
 * What follows fails with the same error, and a transaction whose work resolves all the same rejects with it. Some
 * databases undo such a transaction by themselves, so none of them may keep a part of it. Savepoints count alone.
 */
import type { Transaction } from './transaction.ts'

interface Failure {
  readonly error: unknown
}

const failures = new WeakMap<Transaction, Failure>()

/** Runs an operation of a repository. @throws the first failure of the transaction, also in place of a later one */
export async function runOperation<T>(tx: Transaction, operation: () => Promise<T>): Promise<T> {
  assertNotFailed(tx)
  try {
    return await operation()
  } catch (error) {
    if (!failures.has(tx)) failures.set(tx, { error })
    throw failures.get(tx)?.error
  }
}

/** Runs the work of a transaction or of a savepoint. @throws what it throws, else the failure that it caught */
export async function runWork<Tx extends Transaction, T>(tx: Tx, work: (tx: Tx) => Promise<T>): Promise<T> {
  assertNotFailed(tx)
  const result = await work(tx)
  assertNotFailed(tx)
  return result
}

/** For a driver that has undone the part which failed, and goes on with the same transaction. */
export function forgetFailure(tx: Transaction): void {
  failures.delete(tx)
}

/** @throws the first failure */
export function assertNotFailed(tx: Transaction): void {
  const failure = failures.get(tx)
  if (failure !== undefined) throw failure.error
}
