/**
 * How many jobs of a lane this worker may hold now: no more than its slots will soon run, and no more than the limits of a
 * lane allow. Jobs on their way in count already, so a limit is never exceeded.
 */
import type { Clock } from 'svc-kernel'
import type { Job } from '../job.ts'
import type { WorkerLimits } from '../options.ts'
import type { LaneScheduler } from '../scheduler/lane-scheduler.ts'

export interface CapacityParts {
  readonly scheduler: Pick<LaneScheduler, 'room' | 'size' | 'queuedOf'>
  readonly limits: WorkerLimits
  readonly clock: Clock
}

const SECOND_MS = 1_000

/** Of one lane. */
interface Load {
  /** About to run, or running. */
  held: number
  /** About to run, or begun within the last second; empty where nothing limits that. */
  readonly recent: Set<Job>
}

export class Capacity {
  readonly #parts: CapacityParts
  readonly #loads = new Map<string, Load>()
  /** By lane, jobs that a write or a running claim may bring. */
  #admitting = new Map<string, number>()
  readonly #claiming = new Map<string, number>()

  constructor(parts: CapacityParts) {
    this.#parts = parts
  }

  /** Of all lanes. */
  get free(): number {
    return this.#parts.limits.maxQueue - this.#parts.scheduler.size
  }

  /** Those that this worker can hold, in their order. Room is kept for them until `stored`. */
  wanted<J extends Job>(batch: readonly J[]): ReadonlySet<J> {
    const wanted = new Set<J>()
    const taken = new Map<string, number>()
    this.#admitting = new Map()
    const { lanes } = this.#parts.limits
    for (const job of batch) {
      if (wanted.size >= this.free) break
      // Only a claim asks what all workers together keep to.
      if (lanes?.(job.lane) !== undefined) continue
      const own = taken.get(job.lane) ?? 0
      if (this.#room(job.lane) <= own) continue
      taken.set(job.lane, own + 1)
      wanted.add(job)
    }
    this.#admitting = taken
    return wanted
  }

  stored(): void {
    this.#admitting.clear()
  }

  /** The room of a lane. It is kept for the claim until `claimed`. */
  claimable(lane: string): number {
    const room = this.#room(lane)
    this.#claiming.set(lane, Math.max(0, room))
    return room
  }

  claimed(): void {
    this.#claiming.clear()
    for (const lane of this.#loads.keys()) this.#pruned(lane)
  }

  hold(job: Job): void {
    const load = this.#loads.get(job.lane) ?? { held: 0, recent: new Set() }
    this.#loads.set(job.lane, load)
    load.held += 1
    if (this.#parts.limits.laneLimits?.maxPerSecond !== undefined) load.recent.add(job)
  }

  /** The job has ended, or waits in the queue again. */
  leave(job: Job): void {
    const load = this.#loads.get(job.lane)
    if (load === undefined || job.manual) return
    load.held -= 1
    if (job.begunAt === null) load.recent.delete(job)
  }

  #room(lane: string): number {
    const { scheduler, limits } = this.#parts
    const room = Math.min(scheduler.room(lane), this.#roomBeforeRate(lane))
    if (limits.laneLimits === undefined) return room
    const { maxConcurrent = Infinity, maxPerSecond = Infinity } = limits.laneLimits
    const load = this.#pruned(lane)
    const coming = (this.#admitting.get(lane) ?? 0) + (this.#claiming.get(lane) ?? 0)
    const free = Math.min(maxConcurrent - (load?.held ?? 0), maxPerSecond - (load?.recent.size ?? 0))
    return Math.min(room, free - coming)
  }

  /** What the rate of a lane lets through is to begin at once: no more than slots are free for, or one that waits for a slot. */
  #roomBeforeRate(lane: string): number {
    const { scheduler, limits } = this.#parts
    if (limits.lanes?.(lane)?.rate === undefined) return Number.POSITIVE_INFINITY
    return Math.max(1, limits.maxConcurrent - scheduler.size) - scheduler.queuedOf(lane)
  }

  #pruned(lane: string): Load | undefined {
    const load = this.#loads.get(lane)
    if (load === undefined) return undefined
    const now = this.#parts.clock.now()
    for (const job of load.recent) {
      // Also if the clock was set back.
      if (job.begunAt !== null && Math.abs(now - job.begunAt) >= SECOND_MS) load.recent.delete(job)
    }
    if (load.held === 0 && load.recent.size === 0) this.#loads.delete(lane)
    return load
  }
}
