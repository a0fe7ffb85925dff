/**
 * The order of commits, and who still reads at an earlier one. Commits are numbered; a transaction sees those up to
 * the number at its start.
 */
import { CommandError } from '../failure/command-error.ts'
import { Transaction } from './transaction.ts'

export class Moments {
  readonly #active = new Set<Transaction>()
  #latest = 0

  /** Takes the number of a new commit. */
  next(): number {
    this.#latest += 1
    return this.#latest
  }

  /** Versions that a newer one follows at or before this number are seen by nobody. */
  get oldestSeen(): number {
    let oldest = this.#latest
    for (const { snapshot } of this.#active) oldest = Math.min(oldest, snapshot)
    return oldest
  }

  get active(): ReadonlySet<Transaction> {
    return this.#active
  }

  begin(): Transaction {
    const transaction = new Transaction(this.#latest)
    this.#active.add(transaction)
    return transaction
  }

  commit(transaction: Transaction): void {
    const changes = [...transaction.changes]
    this.#active.delete(transaction)
    const moment = this.next()
    for (const change of changes) change.commit(transaction, moment)
    transaction.end('committed')
  }

  abort(transaction: Transaction): void {
    const changes = [...transaction.changes]
    this.#active.delete(transaction)
    for (const change of changes) change.abort(transaction)
    transaction.end('aborted')
  }
}

/** What MongoDB answers to the loser of a conflict; `withTransaction` tries again on it. */
export function writeConflict(): CommandError {
  return new CommandError(
    112,
    'WriteConflict error: this operation conflicted with another operation. Please retry your operation or multi-document transaction.',
    {
      labels: ['TransientTransactionError']
    }
  )
}
