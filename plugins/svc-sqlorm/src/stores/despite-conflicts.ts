/**
 * Does work again that lost a deadlock or a serialisation: the database has undone
 * all of it, and the next try meets what the winner left. Only for work that is one
 * statement, or one transaction, and waits for nobody else.
 */
import { TransactionConflict } from 'svc-orm'

/** Losing this often in a row is no chance: then the caller is told. */
const ATTEMPTS = 5

/** @throws TransactionConflict (409) when it keeps losing */
export async function despiteConflicts<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof TransactionConflict) || attempt === ATTEMPTS) throw error
    }
  }
}
