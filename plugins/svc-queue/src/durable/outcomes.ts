/** Outcomes of jobs on their way into the shared queue, many in one batch. A batch that could not be written is written later. */
import type { Clock } from 'svc-kernel'
import type { OutcomeBatch, Queue, Retry } from '../queue.ts'
import type { WorkerLease } from './worker-lease.ts'

/** How long an outcome waits for others, ms: that much more runs twice when the process is killed. */
const GATHERED_MS = 10
/** If a write takes long, outcomes wait for so many times as long: most of the time is left for running jobs. */
const GATHERED_WRITES = 4
const LONGEST_GATHERED_MS = 50
const BATCH = 100
const RETRY_MS = 1_000

export interface OutcomeOwner {
  settled(outcomes: OutcomeBatch): void
  failed(operation: 'settle', error: unknown): void
}

export interface OutcomeParts {
  readonly clock: Clock
  readonly queue: Pick<Queue, 'settle'>
  readonly lease: Pick<WorkerLease, 'worker'>
  readonly owner: OutcomeOwner
}

export class Outcomes {
  readonly #parts: OutcomeParts
  #ended: string[] = []
  #retried: Retry[] = []
  #released: string[] = []
  #gatheredMs = GATHERED_MS
  #timer: unknown = null
  #writing: Promise<void> | null = null

  constructor(parts: OutcomeParts) {
    this.#parts = parts
  }

  ended(id: string): void {
    this.#ended.push(id)
    this.#soon()
  }

  retried(retry: Retry): void {
    this.#retried.push(retry)
    this.#soon()
  }

  released(id: string): void {
    this.#released.push(id)
    this.#soon()
  }

  /** Writes what waits. @throws what the write throws */
  async flush(): Promise<void> {
    await this.#writing
    this.#stopTimer()
    if (this.#size > 0) await this.#write()
  }

  get #size(): number {
    return this.#ended.length + this.#retried.length + this.#released.length
  }

  #soon(): void {
    if (this.#writing !== null) return
    if (this.#size >= BATCH) this.#begin()
    else this.#timer ??= this.#parts.clock.setTimeout(() => this.#begin(), this.#gatheredMs)
  }

  #begin(): void {
    this.#stopTimer()
    this.#writing ??= this.#write()
      .then(
        () => 0,
        (error: unknown) => {
          this.#parts.owner.failed('settle', error)
          return RETRY_MS
        }
      )
      .then((pause) => {
        this.#writing = null
        if (this.#size === 0) return
        if (pause === 0) this.#soon()
        else this.#timer ??= this.#parts.clock.setTimeout(() => this.#begin(), pause)
      })
  }

  async #write(): Promise<void> {
    const batch = { ended: this.#ended, retried: this.#retried, released: this.#released }
    this.#ended = []
    this.#retried = []
    this.#released = []
    const { clock, queue, lease, owner } = this.#parts
    const began = clock.now()
    try {
      await queue.settle(lease.worker, batch)
    } catch (error) {
      this.#ended.unshift(...batch.ended)
      this.#retried.unshift(...batch.retried)
      this.#released.unshift(...batch.released)
      throw error
    }
    const wanted = (clock.now() - began) * GATHERED_WRITES
    this.#gatheredMs = Math.min(Math.max(wanted, GATHERED_MS), LONGEST_GATHERED_MS)
    owner.settled(batch)
  }

  #stopTimer(): void {
    if (this.#timer !== null) this.#parts.clock.clearTimeout(this.#timer)
    this.#timer = null
  }
}
