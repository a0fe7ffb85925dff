/**
 * Checks that a transaction runs before it is kept, for deferrable references on a database that does not keep them
 * itself.
 */
import type { Database, Transaction } from 'svc-stores/table'

type Check = () => Promise<void>

const pending = new WeakMap<Transaction, Check[]>()

type Transactions = Pick<Database, 'transaction' | 'references'>

/** The transactions of a database, with the checks that they leave for their end. */
export function checkedTransactions(database: Transactions): Pick<Database, 'transaction'> {
  if (database.references === true) return database
  return { transaction: (work, options) => database.transaction(withDeferredChecks(work), options) }
}

function withDeferredChecks<T>(work: (tx: Transaction) => Promise<T>): (tx: Transaction) => Promise<T> {
  return async (tx) => {
    pending.set(tx, [])
    const result = await work(tx)
    for (const check of pending.get(tx) ?? []) await check()
    return result
  }
}

/** @returns `false` where the transaction has no such end: check at once */
export function deferCheck(tx: Transaction, check: Check): boolean {
  const checks = pending.get(tx)
  checks?.push(check)
  return checks !== undefined
}
