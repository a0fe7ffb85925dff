/** The store of spent budgets as the limiter sees it. */
import type { MaybePromise } from 'svc-kernel'
import type { Pace, Spent } from '../limit/gcra.ts'

/** Who has spent how much of a limit. */
export interface Spending {
  /** A key of the limit. */
  readonly caller: string
  /** Microseconds until all that it has spent is paid back. */
  readonly aheadUs: number
}

/** The store of spent budgets: every operation is one atomic step. */
export interface LimitsStore {
  /**
   * Spends `cost` of the budget that a caller has of a limit. Of calls at once, no more are taken than it holds.
   *
   * @param name of the limit @param cost at least 1, at most the burst
   * @param standing whether the caller has probably something to pay back: which of two steps comes first
   */
  take(name: string, caller: string, pace: Pace, cost: number, standing?: boolean): MaybePromise<Spent>
  /** Undoes what a call has spent. */
  giveBack(name: string, caller: string, pace: Pace, cost: number): MaybePromise<void>
  /** Those with the most to pay back, first. @param count how many, at most */
  spending(name: string, count: number): Promise<readonly Spending[]>
  /** Removes keys that have nothing to pay back. @returns how many */
  purge(): Promise<number>
}
