/**
 * Does work again that lost a deadlock, or to another transaction: the database has undone all of it, and the next try
 * meets what the winner left. Only for work that is one statement, or one transaction.
 */
import { setTimeout } from 'node:timers/promises'
import { TransactionConflict } from 'svc-stores'

/** Whenever one loses another has won: so many times in a row is no chance. */
const ATTEMPTS = 100

const LONGEST_PAUSE_MS = 40

/** @throws TransactionConflict (409) when it keeps losing */
export async function rerun<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof TransactionConflict) || attempt === ATTEMPTS) throw error
      // At different times, or those who met once meet again.
      await setTimeout(Math.random() * Math.min(2 ** attempt, LONGEST_PAUSE_MS))
    }
  }
}
