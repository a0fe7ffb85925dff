/**
 * Takes due jobs from the shared queue, one claim at a time, while this worker has capacity. Where the rate of a lane holds
 * jobs back, it looks again when the lane lets the next one through.
 */
import type { Clock } from 'svc-kernel'
import type { WorkerLimits } from '../options.ts'
import type { HeldJob, Queue } from '../queue.ts'
import { inTime, type QueueTexts } from '../texts.ts'
import type { Capacity } from './capacity.ts'
import type { WorkerLease } from './worker-lease.ts'

const CLAIMED_AT_ONCE = 100

/** No look for a lane with a rate comes sooner, ms: of a fast one, what is let through gathers. */
const GATHERED_MS = 20

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
  readonly limits: Pick<WorkerLimits, 'lanes'>
  readonly owner: ClaimOwner
}

export class Claims {
  readonly #parts: ClaimParts
  /** Lanes without room when the queue had something for them. */
  readonly #full = new Set<string>()
  #isMore = false
  #claiming: Promise<void> | null = null
  #stopped = false
  /** The next look for lanes with a rate. */
  #later: { readonly at: number; readonly timer: unknown } | null = null

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
    this.#forgetLater()
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
    const { queue, lease, capacity, clock, texts, limits } = this.#parts
    const room = (lane: string) => {
      const free = capacity.claimable(lane)
      if (free <= 0) this.#full.add(lane)
      return free
    }
    const rules = limits.lanes && { limits: limits.lanes, later: (ms: number) => this.#lookLater(ms) }
    const { worker } = lease
    const claim = queue.claim(worker, limit, room, rules)
    try {
      const found = await inTime(clock, texts, () => claim)
      // Where that lease ended meanwhile, others get what was handed out under it.
      return lease.worker === worker ? found : []
    } catch (error) {
      lease.doubt(claim)
      throw error
    }
  }

  #lookLater(ms: number): void {
    const { clock } = this.#parts
    const at = clock.now() + Math.max(ms, GATHERED_MS)
    if (this.#stopped || (this.#later !== null && this.#later.at <= at)) return
    this.#forgetLater()
    const look = () => {
      this.#later = null
      void this.takeMore()
    }
    this.#later = { at, timer: clock.setTimeout(look, Math.max(ms, GATHERED_MS)) }
  }

  #forgetLater(): void {
    if (this.#later !== null) this.#parts.clock.clearTimeout(this.#later.timer)
    this.#later = null
  }
}
