/** A transaction: the moment it reads at, the records it has changed, and the promise of its end. */

export type TransactionState = 'active' | 'committed' | 'aborted'

/** Something a transaction has changed, which is settled when it ends. */
export interface PendingChange {
  commit: (transaction: Transaction, moment: number) => void
  abort: (transaction: Transaction) => void
}

export class Transaction {
  /** Commits after this moment are not seen. */
  readonly snapshot: number
  /** Resolves when the transaction has ended, either way. */
  readonly ended: Promise<void>
  readonly changes = new Set<PendingChange>()
  #resolve: () => void = () => undefined
  #state: TransactionState = 'active'

  constructor(snapshot: number) {
    this.snapshot = snapshot
    this.ended = new Promise((resolve) => {
      this.#resolve = resolve
    })
  }

  get state(): TransactionState {
    return this.#state
  }

  end(state: 'committed' | 'aborted'): void {
    this.#state = state
    this.changes.clear()
    this.#resolve()
  }
}
