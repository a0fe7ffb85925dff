/**
 * Sessions by their id: the transaction each has, and the answer to its last retryable write, so that a write whose
 * answer was lost is not done twice. A transaction that is not ended within a minute is aborted, as MongoDB does.
 */
import { CommandError } from '../failure/command-error.ts'
import type { Transaction, Transactions } from './transactions.ts'

const TRANSACTION_MS = 60_000
const SESSION_MS = 30 * 60_000

/** The transaction that a command names. */
export interface TransactionRequest {
  readonly session: string
  readonly number: bigint
  readonly starts: boolean
  /** Whether the command is `commitTransaction` or `abortTransaction`. */
  readonly ends: boolean
}

interface Session {
  number: bigint
  transaction: Transaction | null
  lifetime: NodeJS.Timeout | null
  retry: { readonly number: bigint; readonly answer: Promise<Record<string, unknown>> } | null
  usedAt: number
}

export class SessionRegistry {
  readonly #sessions = new Map<string, Session>()
  readonly #transactions: Transactions
  readonly #now: () => Date

  constructor(transactions: Transactions, now: () => Date) {
    this.#transactions = transactions
    this.#now = now
  }

  /** @throws CommandError 251, 256 or 225 when the transaction is not the one of the session, or has ended */
  enter({ session: id, number, starts, ends }: TransactionRequest): Transaction {
    const session = this.#session(id)
    if (number < session.number) {
      throw new CommandError(
        225,
        `Cannot start transaction ${number} because a newer transaction ${session.number} has already started.`
      )
    }
    if (starts) return this.#start(session, number)
    const { transaction } = session
    if (transaction === null || number > session.number) throw noSuchTransaction(number)
    if (transaction.state === 'aborted') throw noSuchTransaction(number)
    if (transaction.state === 'committed' && !ends)
      throw new CommandError(256, `Transaction ${number} has been committed.`)
    return transaction
  }

  /** Runs a retryable write once: a second call with the same number gets the answer of the first. */
  once(id: string, number: bigint, write: () => Promise<Record<string, unknown>>): Promise<Record<string, unknown>> {
    const session = this.#session(id)
    if (session.retry?.number === number) return session.retry.answer
    const answer = write()
    session.retry = { number, answer }
    return answer
  }

  abort(transaction: Transaction): void {
    if (transaction.state === 'active') this.#transactions.abort(transaction)
  }

  /** Removes a session, and aborts its open transaction. */
  end(id: string): void {
    const session = this.#sessions.get(id)
    this.#sessions.delete(id)
    if (session !== undefined) this.#abandon(session)
  }

  close(): void {
    for (const id of [...this.#sessions.keys()]) this.end(id)
  }

  #start(session: Session, number: bigint): Transaction {
    if (number === session.number && session.transaction !== null) {
      throw new CommandError(251, `Transaction ${number} has already been started.`)
    }
    this.#abandon(session)
    const transaction = this.#transactions.begin()
    session.number = number
    session.transaction = transaction
    session.lifetime = setTimeout(() => this.abort(transaction), TRANSACTION_MS).unref()
    void transaction.ended.then(() => clearTimeout(session.lifetime ?? undefined))
    return transaction
  }

  #abandon({ transaction, lifetime }: Session): void {
    clearTimeout(lifetime ?? undefined)
    if (transaction !== null) this.abort(transaction)
  }

  #session(id: string): Session {
    const now = this.#now().getTime()
    const known = this.#sessions.get(id)
    if (known !== undefined) {
      known.usedAt = now
      return known
    }
    for (const [other, { usedAt }] of this.#sessions) {
      if (usedAt < now - SESSION_MS) this.end(other)
    }
    const session: Session = { number: -1n, transaction: null, lifetime: null, retry: null, usedAt: now }
    this.#sessions.set(id, session)
    return session
  }
}

function noSuchTransaction(number: bigint): CommandError {
  return new CommandError(251, `Given transaction number ${number} does not match any in-progress transactions.`, {
    labels: ['TransientTransactionError']
  })
}
