/**
 * What stands behind the slots: where a delivery waits when none is free, and before a retry. In memory it is the queue of
 * the slots itself, bounded; a durable one keeps what does not fit, and what the process leaves behind.
 */
import type { AttemptEnd } from './attempt.ts'
import type { DeliveryJob } from './queue/delivery-job.ts'
import type { QueueState } from './queue/delivery-queue.ts'
import type { EndpointHealth } from './queue/endpoint-queue.ts'

/** What administrators see of all deliveries. */
export interface BacklogState extends QueueState {
  /** Age of the oldest delivery, in seconds; `null` where there is none. Absent where deliveries live in memory. */
  readonly oldestS?: number | null
}

export interface PendingDelivery {
  /** `null` before its first attempt, where deliveries live in memory. */
  readonly messageId: string | null
  /** Of the audit event that it carries, and its action. */
  readonly eventId: string
  readonly type: string
  /** Attempts that have failed. */
  readonly attempts: number
  /** Epoch ms of the next attempt: in the past, it waits for a slot. `null` where its queue alone knows. */
  readonly dueAt: number | null
}

/** What has not ended for one endpoint: on this instance, or wherever a durable queue reaches. */
export interface PendingDeliveries {
  /** Before an attempt. */
  readonly waiting: number
  /** Under way, or about to be. */
  readonly sending: number
  /** Epoch ms of the attempt that comes first; `null` where nothing waits, or it is not known. */
  readonly nextAt: number | null
  /** Those that come first. */
  readonly next: readonly PendingDelivery[]
}

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

export function pendingOf({ messageId, event, attempts }: DeliveryJob, dueAt: number | null): PendingDelivery {
  return { messageId, eventId: event.id, type: event.action, attempts, dueAt }
}
