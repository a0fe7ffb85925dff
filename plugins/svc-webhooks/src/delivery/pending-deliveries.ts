/** What administrators see of deliveries that have not ended: of all, and of one endpoint. */
import type { LanePending } from 'svc-queue'
import type { DeliveryJob } from './delivery-job.ts'

/** The deliveries of this instance, as counts. */
export interface QueueState {
  /** Deliveries that wait for a slot or for their retry. */
  readonly size: number
  /** Attempts under way. */
  readonly inFlight: number
  /** Since the start of this instance. */
  readonly dropped: number
}

/** What administrators see of all deliveries. */
export interface BacklogState extends QueueState {
  /** Age of the oldest delivery, in seconds; `null` where there is none. Absent where deliveries live in memory. */
  readonly oldestS?: number | null
}

/** A delivery that waits for its next attempt. */
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

export function pendingDeliveries({ waiting, running, next }: LanePending<DeliveryJob>): PendingDeliveries {
  const deliveries = next.map(({ job, dueAt }) => {
    const { id: messageId, event, attempts } = job
    return { messageId, eventId: event.id, type: event.action, attempts, dueAt }
  })
  return { waiting, sending: running, nextAt: next[0]?.dueAt ?? null, next: deliveries }
}
