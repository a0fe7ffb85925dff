/**
 * From which due time on a claim looks for jobs. PostgreSQL keeps the rows of jobs that were taken while another client
 * holds an earlier snapshot, and a look from the beginning passes over all of them. So a claim looks from the earliest job
 * that the last look found, and once a second from the beginning: only a job that comes in before that one, as when another
 * worker gives it back, waits for it.
 */
import type { Clock } from 'svc-kernel'
import { all, atLeast, type Where } from 'svc-stores/table'
import { AT_ONCE, type Row } from './queue-rows.ts'

/** How long looks go on from where the last one was, ms. */
const LONGEST_MS = 1_000

/** So far back a look begins at least, ms: a job is due from when it is added, and is seen once its transaction commits. */
const MARGIN_MS = 10_000

export class DueFloor {
  readonly #clock: Clock
  #from = AT_ONCE
  /** When a look last began at the beginning, epoch ms. */
  #wholeAt = Number.NEGATIVE_INFINITY

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Rows among which to look now. */
  above(where: Where<Row>): Where<Row> {
    const now = this.#clock.now()
    // Also if the clock was set back.
    if (Math.abs(now - this.#wholeAt) >= LONGEST_MS) {
      this.#from = AT_ONCE
      this.#wholeAt = now
    }
    return this.#from === AT_ONCE ? where : all(where, { dueAt: atLeast(this.#from) })
  }

  /** @param heads the first of each priority among these rows */
  found(heads: readonly Row[]): void {
    this.#from = Math.min(this.#clock.now() - MARGIN_MS, ...heads.map(({ dueAt }) => dueAt))
  }

  /** A job waits that is due then. @param dueAt epoch ms */
  lower(dueAt: number): void {
    this.#from = Math.min(this.#from, dueAt)
  }
}
