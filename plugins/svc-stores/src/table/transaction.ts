/**
 * An open transaction. Pass it to `within` of a table, or to `withTransaction` of a repository.
 *
 * A failure means the same on every driver: the first operation that fails inside a transaction dooms it. Later
 * operations fail with the same error, and the transaction rejects with it even if its work resolves. Some databases
 * roll such a transaction back by themselves, so no driver may keep a part of it. Only savepoints limit a failure.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

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
  /** `false`: work that loses to another transaction is not run again, and rejects with TransactionConflict. Default `true`. */
  readonly retry?: boolean
}

export const ISOLATIONS: readonly Isolation[] = ['read committed', 'repeatable read', 'serializable']

export interface Transaction {
  /** The database it belongs to; no other accepts it. */
  readonly connector: string
  /**
   * Rolls back what `work` did if it rejects, and keeps the rest of the transaction. A database without savepoints
   * runs `work` as part of the transaction: see `Database.savepoints`.
   */
  savepoint<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /**
   * For drivers whose savepoints are separate transactions: the running one, which the operations of its work join;
   * otherwise itself.
   */
  readonly running?: Transaction
}

/** The work that the caller is part of. */
const scopes = new AsyncLocalStorage<{ isOver: boolean }>()

/** Whether the caller is part of the work of a transaction, on whichever database. One of `beginTransaction` has no work. */
export function insideTransaction(): boolean {
  return scopes.getStore()?.isOver === false
}

interface Failure {
  readonly error: unknown
}

const failures = new WeakMap<Transaction, Failure>()

const effects = new WeakMap<Transaction, (() => void)[]>()

/** The number of effects when the work began that failed last. */
const effectsBefore = new WeakMap<Transaction, number>()

/**
 * Runs an effect after the commit, for example to notify others; never if the transaction or its savepoint is rolled
 * back.
 */
export function afterCommit(tx: Transaction, effect: () => void): void {
  effectsOf(tx.running ?? tx).push(effect)
}

/** For drivers whose savepoints are separate transactions: the pending effects, to pass on if one is committed. */
export function effectsOf(tx: Transaction): (() => void)[] {
  const known = effects.get(tx) ?? []
  effects.set(tx, known)
  return known
}

/** For drivers, after the commit. An error of an effect is not an error of the transaction: it stays uncaught. */
export function runEffects(tx: Transaction): void {
  // Most have none: an entry for each would be work for the garbage collector.
  for (const effect of effects.get(tx)?.splice(0) ?? []) {
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
 * Runs an operation of a repository. A failure inside a savepoint fails the savepoint, also for a repository of the
 * outer transaction. @throws the first failure, also instead of a later one
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

/** Runs the work of a transaction or a savepoint. @throws the error of the work, or the failure that the work caught */
export async function runWork<Tx extends Transaction, T>(tx: Tx, work: (tx: Tx) => Promise<T>): Promise<T> {
  assertNotFailed(tx)
  const before = effects.get(tx)?.length ?? 0
  const scope = { isOver: false }
  try {
    const result = await scopes.run(scope, work, tx)
    assertNotFailed(tx)
    return result
  } catch (error) {
    effectsBefore.set(tx, before)
    throw error
  } finally {
    scope.isOver = true
  }
}

/**
 * For a driver that has rolled back the failed part and continues the transaction; the effects of that part are
 * dropped.
 */
export function forgetFailure(tx: Transaction): void {
  failures.delete(tx)
  const pending = effects.get(tx)
  if (pending !== undefined) pending.length = effectsBefore.get(tx) ?? pending.length
}

/** @throws the first failure */
export function assertNotFailed(tx: Transaction): void {
  const failure = failures.get(tx)
  if (failure !== undefined) throw failure.error
}
