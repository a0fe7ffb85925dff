/**
 * A transaction that its holder ends, for `await using`: what is not committed by the end of the block is undone. Its
 * work cannot run again, so a conflict that `Database.transaction` would survive is the holder's to answer.
 */
import { TransactionConflict, TransactionOver } from '../errors.ts'
import type { Database } from './database.ts'
import type { Transaction, TransactionOptions } from './transaction.ts'

export interface OpenTransaction extends Transaction, AsyncDisposable {
  /**
   * Keeps what was done, all or nothing.
   *
   * @throws TransactionConflict (409) where another one came first, TransactionOver after a rollback, and the first
   * failure of an operation inside
   */
  commit(): Promise<void>
  /** Undoes what was done; nothing where it has ended already. */
  rollback(): Promise<void>
}

class RolledBack extends Error {}

/** @throws as `Database.transaction` */
export function beginTransaction(
  database: Pick<Database, 'transaction'>,
  options?: TransactionOptions
): Promise<OpenTransaction> {
  return new Promise((begun, failed) => {
    let end: Record<'commit' | 'rollback', () => void>
    const ended = new Promise<void>((keep, undo) => {
      end = { commit: keep, rollback: () => undo(new RolledBack()) }
    })
    let ending: 'commit' | 'rollback' | null = null
    const rollback = async () => {
      if (ending !== null) return
      ending = 'rollback'
      end.rollback()
      // Whatever it fails with, nothing was kept.
      await settled.catch(() => undefined)
    }
    const commit = async () => {
      if (ending === 'rollback') throw new TransactionOver()
      ending = 'commit'
      end.commit()
      await settled
    }
    let wasCalled = false
    const work = async (tx: Transaction): Promise<void> => {
      // A database calls again where another transaction came first. It must not take its own error for another loss.
      if (wasCalled) throw new RolledBack()
      wasCalled = true
      begun(
        Object.assign(tx, {
          commit,
          rollback,
          [Symbol.asyncDispose]: rollback
        })
      )
      await ended
    }
    const settled = database.transaction(work, options).catch((error: unknown) => {
      throw error instanceof RolledBack && ending === 'commit' ? new TransactionConflict() : error
    })
    settled.catch(failed)
  })
}
