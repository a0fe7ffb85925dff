/**
 * What administrators see of a durable queue: wherever it reaches, and never as if there were nothing where it cannot be
 * asked.
 */
import type { AuditEvent } from 'svc-kernel'
import { WebhooksUnavailable } from '../../errors.ts'
import { type BacklogState, type PendingDeliveries, type PendingDelivery, pendingOf } from '../queue/backlog-state.ts'
import { DeliveryJob } from '../queue/delivery-job.ts'
import type { DueDelivery, DurableQueue } from './durable-queue.ts'

export interface QueueViewParts {
  readonly queue: Pick<DurableQueue, 'counts' | 'pending'>
  readonly report: (error: unknown, text: string) => void
}

const UNASKED = 'the queue of webhook deliveries could not be read'

export class QueueView {
  readonly #parts: QueueViewParts

  constructor(parts: QueueViewParts) {
    this.#parts = parts
  }

  /** @throws WebhooksUnavailable (503) */
  async state(dropped: number): Promise<BacklogState> {
    const { queue, report } = this.#parts
    try {
      const { waiting, held, oldestMs } = await queue.counts()
      const oldestS = oldestMs === null ? null : Math.floor(oldestMs / 1000)
      return { size: waiting, inFlight: held, dropped, oldestS }
    } catch (error) {
      report(error, UNASKED)
      throw new WebhooksUnavailable('the queue of webhook deliveries cannot be reached at the moment')
    }
  }

  /** @returns `null` where it cannot be asked now: what ended is an answer without it */
  async pending(endpointId: string, limit: number): Promise<PendingDeliveries | null> {
    const { queue, report } = this.#parts
    try {
      const { waiting, held, next } = await queue.pending(endpointId, limit)
      return { waiting, sending: held, nextAt: next[0]?.dueAt ?? null, next: next.flatMap(dueOf) }
    } catch (error) {
      report(error, UNASKED)
      return null
    }
  }
}

/** What cannot be read is discarded when its turn comes, and logged then. */
function dueOf({ id, endpointId, event, attempts, dueAt }: DueDelivery): readonly PendingDelivery[] {
  try {
    const job = new DeliveryJob(endpointId, JSON.parse(event) as AuditEvent, id, false)
    job.attempts = attempts
    return [pendingOf(job, dueAt)]
  } catch {
    return []
  }
}
