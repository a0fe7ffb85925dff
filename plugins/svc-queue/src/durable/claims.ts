/** Takes due jobs from the shared queue, one claim at a time, while this worker has capacity. */
import type { Clock } from 'svc-kernel'
import type { HeldJob, Queue } from '../queue.ts'
import { inTime, type QueueTexts } from '../texts.ts'
import type { Capacity } from './capacity.ts'
import type { WorkerLease } from './worker-lease.ts'

const CLAIMED_AT_ONCE = 100

export interface ClaimOwner {
  /** Called after every claim, also after one that failed. */
  claimed(found: readonly HeldJob[]): void
  failed(operation: 'claim', error: unknown): void
}

export interface ClaimParts {
  /** Without deadlines: what a late claim hands out has to be known. */
  readonly queue: Pick<Queue, 'claim'>
  readonly lease: Pick<WorkerLease, 'alive' | 'worker' | 'doubt'>
  readonly capacity: Pick<Capacity, 'free' | 'claimable'>
  readonly clock: Clock
  readonly texts: Pick<QueueTexts, 'timeout'>
  readonly owner: ClaimOwner
}

export class Claims {
  readonly #parts: ClaimParts
  /** Lanes without room when the queue had something for them. */
  readonly #full = new Set<string>()
  #isMore = false
  #claiming: Promise<void> | null = null
  #stopped = false

  constructor(parts: ClaimParts) {
    this.#parts = parts
  }

  /** The queue may have more that is due. */
  get isMore(): boolean {
    return this.#isMore
  }

  expectMore(): void {
    this.#isMore = true
  }

  /** A job of the lane has left. */
  left(lane: string): void {
    if (this.#full.delete(lane)) this.#isMore = true
  }

  take(): Promise<void> {
    if (this.#stopped || !this.#parts.lease.alive) return Promise.resolve()
    const limit = Math.min(CLAIMED_AT_ONCE, this.#parts.capacity.free)
    if (this.#claiming === null && limit > 0) this.#claiming = this.#take(limit)
    return this.#claiming ?? Promise.resolve()
  }

  /** The queue may have more by now. */
  takeMore(): Promise<void> {
    this.#isMore = true
    return this.take()
  }

  stop(): void {
    this.#stopped = true
  }

  /** Resolves when no claim is running. */
  async over(): Promise<void> {
    await this.#claiming
  }

  async #take(limit: number): Promise<void> {
    const { owner } = this.#parts
    this.#isMore = false
    let found: readonly HeldJob[] = []
    try {
      found = await this.#claim(limit)
    } catch (error) {
      owner.failed('claim', error)
    }
    // Before the owner learns of it: a job that came meanwhile needs another claim at once.
    this.#claiming = null
    this.#isMore ||= found.length > 0
    owner.claimed(found)
  }

  async #claim(limit: number): Promise<readonly HeldJob[]> {
    const { queue, lease, capacity, clock, texts } = this.#parts
    const claim = queue.claim(lease.worker, limit, (lane) => {
      const room = capacity.claimable(lane)
      if (room <= 0) this.#full.add(lane)
      return room
    })
    try {
      return await inTime(clock, texts, () => claim)
    } catch (error) {
      lease.doubt(claim)
      throw error
    }
  }
}
