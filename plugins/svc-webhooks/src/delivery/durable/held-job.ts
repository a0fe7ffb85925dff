/** A delivery of the durable queue as one that a slot takes. */
import type { FastifyBaseLogger } from 'fastify'
import type { AuditEvent } from 'svc-kernel'
import { DeliveryJob } from '../queue/delivery-job.ts'
import type { HeldDelivery } from './durable-queue.ts'

/** @returns `null`, with a log line, where its event cannot be read: no instance will ever send it */
export function heldJob(
  { id, endpointId, event, attempts }: HeldDelivery,
  log: Pick<FastifyBaseLogger, 'error'>
): DeliveryJob | null {
  try {
    const job = new DeliveryJob(endpointId, JSON.parse(event) as AuditEvent, id, false)
    job.message()
    job.attempts = attempts
    return job
  } catch {
    // Without the error: it quotes the text.
    const fields = { code: 'SVC_WEBHOOKS_UNSENT', endpoint: endpointId, message: id }
    log.error(fields, 'a webhook delivery in the queue is unreadable and was discarded')
    return null
  }
}
