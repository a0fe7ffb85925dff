/** The event of a message that an administrator sends to try an endpoint. It is never recorded in a journal. */
import { type AuditEvent, randomId } from 'svc-kernel'
import { OWN_CATEGORY } from './own-category.ts'

/** @param ts epoch ms */
export function testEvent(endpointId: string, ts: number): AuditEvent {
  return Object.freeze({
    id: randomId('test'),
    ts,
    category: OWN_CATEGORY,
    action: 'webhook.test',
    outcome: 'success',
    actor: null,
    resource: endpointId,
    reason: null,
    ip: null,
    userAgent: null,
    requestId: null,
    metadata: Object.freeze({})
  })
}
