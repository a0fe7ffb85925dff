/** An endpoint as administrators see it: everything but its secret. Pure. */
import type { WebhookRecord, WebhookSummary } from 'svc-stores'
import { type Catalogue, eventWarnings } from './event-warnings.ts'

export interface EndpointView extends WebhookSummary {
  /** Deliveries that found no room, on this instance, since its start. */
  readonly dropped: number
  /** A sentence per subscribed event that will not come. */
  readonly warnings: readonly string[]
}

/** @param record from a store, with or without its secret */
export function endpointView(
  record: WebhookSummary | WebhookRecord,
  dropped: number,
  catalogue: Catalogue | undefined
): EndpointView {
  const { secretEnc: _, ...summary } = { secretEnc: '', ...record }
  return { ...summary, dropped, warnings: eventWarnings(record.events, catalogue) }
}
