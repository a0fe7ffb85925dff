/**
 * What stands behind the slots: where a delivery waits when none is free, and before a retry. In memory it is the queue of
 * the slots itself, bounded; a durable one keeps what does not fit, and what the process leaves behind.
 */
import type { AttemptEnd } from './attempt.ts'
import type { BacklogState, PendingDeliveries } from './queue/backlog-state.ts'
import type { DeliveryJob } from './queue/delivery-job.ts'
import type { EndpointHealth } from './queue/endpoint-queue.ts'

export interface Backlog {
  /** Deliveries that a stop has cost. */
  readonly lost: number
  start(): Promise<void>
  /** Never waits. @returns `false` when it found no room, or after the stop began: both are counted */
  admit(job: DeliveryJob): boolean
  /** Resolves when what was admitted so far outlives the process, where anything does. @throws WebhooksUnavailable */
  admitted(): Promise<void>
  /** Whether another attempt follows the one that failed. */
  retries(job: DeliveryJob): boolean
  /** The delivery leaves its slot, to be tried again. @returns `false` where that is too late: it is still in its slot, and lost */
  retry(job: DeliveryJob, end: AttemptEnd, health: EndpointHealth | undefined): boolean
  /**
   * The delivery leaves its slot: it has ended, or is wanted no more.
   *
   * @param health absent when the receiver was not asked @param isDelivered the receiver took it
   */
  finish(job: DeliveryJob, health?: EndpointHealth, isDelivered?: boolean): void
  /** Called when all slots were filled that could be. */
  filled(): void
  /** An endpoint wants nothing any more. @returns what waited here for it */
  discard(endpointId: string): readonly DeliveryJob[]
  state(): Promise<BacklogState>
  /** @param limit of those that come first @returns `null` where it cannot be asked now */
  pending(endpointId: string, limit: number): Promise<PendingDeliveries | null>
  /** The server stops. @returns what waited and is given up */
  stop(): readonly DeliveryJob[]
  /** The attempts are over. @param unfinished those that were not over in time */
  close(unfinished: number): Promise<void>
}
