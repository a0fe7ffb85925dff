/** What administrators see of deliveries that have not ended: of all, and of one endpoint. */
import type { DeliveryJob } from './delivery-job.ts'
import type { QueueState } from './delivery-queue.ts'

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

export function pendingOf({ messageId, event, attempts }: DeliveryJob, dueAt: number | null): PendingDelivery {
  return { messageId, eventId: event.id, type: event.action, attempts, dueAt }
}
