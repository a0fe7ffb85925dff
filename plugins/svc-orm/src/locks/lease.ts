/**
 * One taking of a lock by this process. Heartbeats renew it. It ends by itself, on the clock of this process, a little
 * before another instance may take the lock: counted from when the last successful heartbeat was sent.
 */
import type { Clock } from 'svc-kernel'
import { LockLost } from '../errors.ts'
import type { LockRow, LockTable } from './lock-table.ts'

/** The argument of work under a lock. */
export interface HeldLock {
  /** A fencing number: it grows with each acquisition of any lock of the database and never repeats, so that a write can refuse an older holder. */
  readonly fence: number
  /** Aborts when the lock is lost, with a `LockLost` as its reason, or when the application closes. */
  readonly signal: AbortSignal
}

/** Heartbeats per lease. */
const BEATS = 3

/** The part of the lease after which the holder gives up: others wait for all of it. */
const OWN_PART = 0.9

export class Lease {
  readonly #table: LockTable
  readonly #clock: Clock
  readonly #row: LockRow
  readonly #controller = new AbortController()
  #lost: Error | null = null
  #isOver = false
  /** Ends the lease, unless a heartbeat comes first. */
  #end: unknown = null
  #next: unknown = null

  constructor(table: LockTable, clock: Clock, row: LockRow) {
    this.#table = table
    this.#clock = clock
    this.#row = row
  }

  /**
   * @param take puts the row in place
   * @returns the number of this taking; `null` if another instance has the lock
   * @throws LockLost where the database took longer than the lease
   */
  async begin(take: (row: LockRow) => Promise<boolean>): Promise<number | null> {
    try {
      const fence = (await this.#renewed(() => take(this.#row))) ? await this.#table.number(this.#row) : null
      if (this.#lost !== null) throw this.#lost
      if (fence === null) this.#stop()
      else this.#beatIn(this.#beatMs)
      return fence
    } catch (error) {
      // The row may be in place although its answer is lost.
      void this.end()
      throw error
    }
  }

  /** @throws what the work throws; LockLost where it resolves after the lock was lost */
  async run<T>(fence: number, work: (held: HeldLock) => T | Promise<T>): Promise<T> {
    try {
      const result = await work({ fence, signal: this.#controller.signal })
      if (this.#lost !== null) throw this.#lost
      return result
    } finally {
      await this.end()
    }
  }

  /** The work should come to its end; it still holds the lock. */
  interrupt(): void {
    this.#controller.abort(new LockLost(this.#row.id, 'the application is closing'))
  }

  /** Others may take the lock at once. Where the database cannot be asked, they may when the lease is over. */
  async end(): Promise<void> {
    this.#stop()
    await this.#table.remove(this.#row).catch(() => undefined)
  }

  get #beatMs(): number {
    return this.#row.leaseMs / BEATS
  }

  #stop(): void {
    this.#isOver = true
    this.#clock.clearTimeout(this.#end)
    this.#clock.clearTimeout(this.#next)
  }

  /** A step that holds the lease for a while from when it was sent. @returns whether it did */
  async #renewed(step: () => Promise<boolean>): Promise<boolean> {
    const { leaseMs } = this.#row
    const late = () => this.#lose('its lease could not be renewed in time')
    const end = this.#clock.setTimeout(late, leaseMs * OWN_PART)
    let isRenewed = false
    try {
      isRenewed = await step()
      return isRenewed
    } finally {
      const stale = isRenewed ? this.#end : end
      this.#clock.clearTimeout(stale)
      if (isRenewed) this.#end = end
      if (this.#isOver) this.#stop()
    }
  }

  #beatIn(ms: number): void {
    this.#next = this.#clock.setTimeout(() => void this.#beat(), ms)
  }

  async #beat(): Promise<void> {
    try {
      const isHeld = await this.#renewed(() => this.#table.beat(this.#row))
      if (this.#isOver) return
      if (isHeld) this.#beatIn(this.#beatMs)
      else this.#lose('another instance has it, or its row was deleted')
    } catch {
      // The database is away: tried again until the lease is over.
      if (!this.#isOver) this.#beatIn(this.#beatMs / BEATS)
    }
  }

  #lose(reason: string): void {
    if (this.#isOver) return
    this.#stop()
    this.#lost = new LockLost(this.#row.id, reason)
    this.#controller.abort(this.#lost)
  }
}
