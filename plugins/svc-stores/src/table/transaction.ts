/**
 * An open transaction, handed to `within` of every table, and `withTransaction` of every repository, that takes part.
 *
 * The one meaning of a failure inside a transaction, on every driver: the first operation that fails there dooms it.
 * What follows fails with the same error, and a transaction whose work resolves all the same rejects with it. Some
 * databases undo such a transaction by themselves, so none of them may keep a part of it. Savepoints count alone.
 */

/**
 * What a transaction sees of others, at least: a database that knows no such level takes a stronger one.
 *
 * - `repeatable read`, the default: everything as it was at the first read; of two that change the same row, or insert
 *   the same unique value, one runs again
 * - `serializable`: as if they had run one after the other, also where each only read what the other changed
 * - `read committed`: each read sees what was committed before it; changes may be lost between a read and the write that
 *   follows from it
 */
export type Isolation = 'read committed' | 'repeatable read' | 'serializable'

export interface TransactionOptions {
  readonly isolation?: Isolation
}

export const ISOLATIONS: readonly Isolation[] = ['read committed', 'repeatable read', 'serializable']

export interface Transaction {
  /** The database it belongs to; no other accepts it. */
  readonly connector: string
  /**
   * Undoes what `work` did when it rejects, and leaves the rest of the transaction as it is. A database without
   * savepoints runs `work` as part of the transaction: see `Database.savepoints`.
   */
  savepoint<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /**
   * Of drivers whose savepoints are transactions of their own: the one whose work runs, which what its work asks of this
   * transaction is a part of; itself outside of any.
   */
  readonly running?: Transaction
}

interface Failure {
  readonly error: unknown
}

const failures = new WeakMap<Transaction, Failure>()

const effects = new WeakMap<Transaction, (() => void)[]>()

/** How many effects there were when the work began that failed last. */
const effectsBefore = new WeakMap<Transaction, number>()

/** Does something once the transaction is kept, as to tell others of it: never where it, or its savepoint, is undone. */
export function afterCommit(tx: Transaction, effect: () => void): void {
  effectsOf(tx.running ?? tx).push(effect)
}

/** For drivers whose savepoints are transactions of their own: what is to be done, to be handed on where one is kept. */
export function effectsOf(tx: Transaction): (() => void)[] {
  const known = effects.get(tx) ?? []
  effects.set(tx, known)
  return known
}

/** For drivers, once a transaction is kept. What an effect throws is no failure of the transaction: it comes uncaught. */
export function runEffects(tx: Transaction): void {
  for (const effect of effectsOf(tx).splice(0)) {
    try {
      effect()
    } catch (error) {
      queueMicrotask(() => {
        throw error
      })
    }
  }
}

/**
 * Runs an operation of a repository. What fails inside the work of a savepoint fails the savepoint, by whichever
 * transaction around it the repository came. @throws the first failure, also in place of a later one
 */
export async function runOperation<T>(asked: Transaction, operation: () => Promise<T>): Promise<T> {
  const tx = asked.running ?? asked
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
  const before = effectsOf(tx).length
  try {
    const result = await work(tx)
    assertNotFailed(tx)
    return result
  } catch (error) {
    effectsBefore.set(tx, before)
    throw error
  }
}

/** For a driver that has undone the part which failed, and goes on with the same transaction: its effects go with it. */
export function forgetFailure(tx: Transaction): void {
  failures.delete(tx)
  effectsOf(tx).length = effectsBefore.get(tx) ?? effectsOf(tx).length
}

/** @throws the first failure */
export function assertNotFailed(tx: Transaction): void {
  const failure = failures.get(tx)
  if (failure !== undefined) throw failure.error
}
