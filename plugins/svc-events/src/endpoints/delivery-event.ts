/** An event as the deliveries of svc-webhooks carry it. Pure. */
import type { MessageEvent } from 'svc-webhooks/parts'
import type { StoredEvent } from '../records/event-record.ts'

/** What no event of the audit journal has as its category. */
const CATEGORY = 'event'

export function deliveryEvent({ id, type, version, organization, ts, data, cause }: StoredEvent): MessageEvent {
  return {
    id,
    ts,
    category: CATEGORY,
    action: type,
    outcome: 'success',
    actor: cause?.user ?? null,
    resource: organization,
    reason: null,
    ip: null,
    userAgent: null,
    requestId: cause?.requestId ?? null,
    metadata: {},
    message: { event: id, version, data }
  }
}
