/**
 * Transactions under snapshot isolation: commits are numbered, and a transaction sees those up to the number at its
 * start. What it changed is pending on the records until it ends.
 */
import { CommandError } from '../failure/command-error.ts'

/** Something a transaction has changed, which is settled when it ends. */
export interface PendingChange {
  /** The collection it is in. */
  readonly where: object
  /** @param timestamp the number of the commit; `null` when the transaction is aborted */
  readonly settle: (timestamp: number | null) => void
}

export class Transaction {
  /** Commits after this one are not seen. */
  readonly snapshot: number
  /** Resolves when the transaction has ended, either way. */
  readonly ended: Promise<void>
  readonly changes = new Set<PendingChange>()
  #resolve: () => void = () => undefined
  /** Changed by `end` only. */
  state: 'active' | 'committed' | 'aborted' = 'active'

  constructor(snapshot: number) {
    this.snapshot = snapshot
    this.ended = new Promise((resolve) => {
      this.#resolve = resolve
    })
  }

  end(state: 'committed' | 'aborted'): void {
    this.state = state
    this.changes.clear()
    this.#resolve()
  }
}

/** The transactions of one catalogue, and the numbers of its commits. */
export class Transactions {
  readonly #active = new Set<Transaction>()
  #latest = 0

  /** Takes the number of a new commit. */
  nextTimestamp(): number {
    this.#latest += 1
    return this.#latest
  }

  /** The oldest commit that a reader may need: versions that a newer one follows up to here can go. */
  get oldestSnapshot(): number {
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
    this.#settle(transaction, 'committed')
  }

  abort(transaction: Transaction): void {
    this.#settle(transaction, 'aborted')
  }

  #settle(transaction: Transaction, state: 'committed' | 'aborted'): void {
    this.#active.delete(transaction)
    const timestamp = state === 'committed' ? this.nextTimestamp() : null
    for (const { settle } of [...transaction.changes]) settle(timestamp)
    transaction.end(state)
  }
}

/** A write outside a transaction met one inside: nothing was done, and it is tried again when that one has ended. */
export class Blocked extends Error {
  override readonly name = 'Blocked'
  readonly ended: Promise<void>

  constructor(by: Transaction) {
    super('the record is being changed by a transaction')
    this.ended = by.ended
  }
}

/** What MongoDB answers to the loser of a conflict; `withTransaction` tries again on it. */
export function writeConflict(): CommandError {
  return new CommandError(
    112,
    'WriteConflict error: this operation conflicted with another operation. Please retry your operation or multi-document transaction.',
    { labels: ['TransientTransactionError'] }
  )
}
