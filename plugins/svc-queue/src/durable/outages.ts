/**
 * Lanes that fail for a while, as this worker sees them. When a job of one is done again, the jobs that wait in it are
 * rescheduled: a receiver that is back after ten hours gets them at once. A shorter outage needs nothing, and a single job
 * that fails between others that are done keeps its schedule.
 */
import type { Clock } from 'svc-kernel'
import type { Queue } from '../queue.ts'

/** Without a job that is done for so long, ms. */
const OUTAGE_MS = 60_000
const RESCHEDULED_AT_ONCE = 1_000
/** An outage that is over, but for its jobs: epoch ms. */
const LONG_AGO = 0

/** Lanes that never come back are not kept for ever: the oldest makes room. */
const MAX_KNOWN = 10_000

export interface OutageOwner {
  /** More is due. */
  rescheduled(): void
  failed(operation: 'reschedule', error: unknown): void
}

export interface OutageParts {
  readonly clock: Clock
  readonly queue: Pick<Queue, 'reschedule'>
  readonly owner: OutageOwner
}

export class Outages {
  readonly #parts: OutageParts
  /** Since when a lane fails, epoch ms; `null`: its last job was done. */
  readonly #since = new Map<string, number | null>()
  #rescheduling: Promise<void> = Promise.resolve()
  #stopped = false

  constructor(parts: OutageParts) {
    this.#parts = parts
  }

  /** An attempt has failed, and another one follows. */
  failed(lane: string): void {
    this.#learn(lane, this.#since.get(lane) ?? this.#parts.clock.now())
  }

  /** @param attempts of the job; more than one ends an outage if this worker knows nothing of the lane */
  done(lane: string, attempts: number): void {
    const since = this.#since.get(lane)
    this.#learn(lane, null)
    const isOver = since === undefined ? attempts > 1 : since !== null && this.#parts.clock.now() - since >= OUTAGE_MS
    if (isOver) this.#rescheduling = this.#rescheduling.then(() => this.#reschedule(lane))
  }

  forget(lane: string): void {
    this.#since.delete(lane)
  }

  /** Begins nothing more. Resolves when nothing is running. */
  stop(): Promise<void> {
    this.#stopped = true
    return this.#rescheduling
  }

  /** Some at a time, and no more once the lane fails again. */
  async #reschedule(lane: string): Promise<void> {
    const { queue, owner } = this.#parts
    try {
      for (let isMore = true; isMore && !this.#stopped && this.#since.get(lane) === null; ) {
        const found = await queue.reschedule(lane, RESCHEDULED_AT_ONCE)
        isMore = found === RESCHEDULED_AT_ONCE
        if (found > 0) owner.rescheduled()
      }
    } catch (error) {
      // The next job that is done tries again.
      this.#learn(lane, LONG_AGO)
      owner.failed('reschedule', error)
    }
  }

  #learn(lane: string, since: number | null): void {
    this.#since.set(lane, since)
    const [oldest = ''] = this.#since.keys()
    if (this.#since.size > MAX_KNOWN) this.#since.delete(oldest)
  }
}
