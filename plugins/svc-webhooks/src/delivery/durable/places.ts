/**
 * How many deliveries of an endpoint this instance may hold now: no more than its slots will soon send, and no more than
 * the limits of an endpoint let through. What is on its way in counts already, so a limit is never exceeded.
 */
import type { Clock } from 'svc-kernel'
import type { WebhooksConfig } from '../../options.ts'
import type { DeliveryJob } from '../queue/delivery-job.ts'
import type { DeliveryQueue, QueueBounds } from '../queue/delivery-queue.ts'
import type { Admitted } from './admission.ts'

export type PlaceBounds = QueueBounds & Pick<WebhooksConfig, 'endpointLimits'>

export interface PlaceParts {
  readonly queue: DeliveryQueue
  readonly limits: PlaceBounds
  readonly clock: Clock
}

const SECOND_MS = 1_000

/** Of one endpoint. */
interface Line {
  /** About to be sent, or under way. */
  held: number
  /** About to be sent, or begun within the last second. */
  readonly recent: Set<DeliveryJob>
}

export class Places {
  readonly #parts: PlaceParts
  readonly #lines = new Map<string, Line>()
  /** By endpoint, those that a write or a claim under way may bring. */
  #admitting = new Map<string, number>()
  readonly #claiming = new Map<string, number>()

  constructor(parts: PlaceParts) {
    this.#parts = parts
  }

  /** Of all endpoints. */
  get free(): number {
    return this.#parts.limits.maxQueue - this.#parts.queue.size
  }

  /** Those for which there is a place, in their order. It is kept for them until `stored`. */
  wanted(batch: readonly Admitted[]): ReadonlySet<string> {
    const wanted = new Set<string>()
    const taken = new Map<string, number>()
    this.#admitting = new Map()
    for (const { id, endpointId } of batch) {
      if (wanted.size >= this.free) break
      const own = taken.get(endpointId) ?? 0
      if (this.#room(endpointId) <= own) continue
      taken.set(endpointId, own + 1)
      wanted.add(id)
    }
    this.#admitting = taken
    return wanted
  }

  stored(): void {
    this.#admitting.clear()
  }

  /** The places of an endpoint. They are kept for the claim until `claimed`. */
  claimable(endpointId: string): number {
    const room = this.#room(endpointId)
    this.#claiming.set(endpointId, Math.max(0, room))
    return room
  }

  claimed(): void {
    this.#claiming.clear()
    for (const endpointId of this.#lines.keys()) this.#pruned(endpointId)
  }

  hold(job: DeliveryJob): void {
    const line = this.#lines.get(job.endpointId) ?? { held: 0, recent: new Set() }
    this.#lines.set(job.endpointId, line)
    line.held += 1
    line.recent.add(job)
  }

  /** It has ended, or waits in the queue again. */
  leave(job: DeliveryJob): void {
    const line = this.#lines.get(job.endpointId)
    if (line === undefined || job.manual) return
    line.held -= 1
    if (job.begunAt === null) line.recent.delete(job)
  }

  #room(endpointId: string): number {
    const { queue, limits } = this.#parts
    const room = queue.room(endpointId)
    if (limits.endpointLimits === undefined) return room
    const { maxConcurrent = Infinity, maxPerSecond = Infinity } = limits.endpointLimits
    const line = this.#pruned(endpointId)
    const coming = (this.#admitting.get(endpointId) ?? 0) + (this.#claiming.get(endpointId) ?? 0)
    const free = Math.min(maxConcurrent - (line?.held ?? 0), maxPerSecond - (line?.recent.size ?? 0))
    return Math.min(room, free - coming)
  }

  #pruned(endpointId: string): Line | undefined {
    const line = this.#lines.get(endpointId)
    if (line === undefined) return undefined
    const now = this.#parts.clock.now()
    for (const job of line.recent) {
      // Also where the clock was set back.
      if (job.begunAt !== null && Math.abs(now - job.begunAt) >= SECOND_MS) line.recent.delete(job)
    }
    if (line.held === 0 && line.recent.size === 0) this.#lines.delete(endpointId)
    return line
  }
}
