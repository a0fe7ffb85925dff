/**
 * The body of a message: the event in the envelope of the spec ("Webhook delivery
 * message"). The same id and event always give the same bytes, so that a message
 * can be sent again without having been kept.
 */
import type { AuditEvent } from 'svc-kernel'

/** @param id `msg_<random base64url>` */
export function webhookMessage(id: string, event: AuditEvent): Buffer {
  const timestamp = new Date(event.ts).toISOString()
  return Buffer.from(JSON.stringify({ id, timestamp, type: event.action, data: event }))
}
