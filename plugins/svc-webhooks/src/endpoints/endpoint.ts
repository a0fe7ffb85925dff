/** An endpoint: what may be set of it, how its URL is kept, and how administrators see it. Pure. */

import { BadEvents, UrlRefused } from '../errors.ts'
import type { WebhookRecord, WebhookSummary } from './endpoint-store.ts'
import { type Catalogue, eventWarnings } from './event-types.ts'
import { isEventPattern } from './subscriptions.ts'

export interface NewEndpoint {
  readonly url: string
  /** `*`, an action, or `prefix.*`. */
  readonly events: readonly string[]
  readonly description?: string | null
  /** Default `true`. */
  readonly enabled?: boolean
  readonly metadata?: WebhookRecord['metadata']
}

/** Absent keys stay as they are. */
export type EndpointPatch = Partial<NewEndpoint>

/**
 * The fields of a patch that may be set: a caller in plain JavaScript may hand over the body of a request, and sets
 * neither counters nor the secret.
 *
 * @throws BadEvents (400): one endpoint whose events cannot be read would stop the deliveries of all
 */
export function endpointChanges({ url, events, enabled, description, metadata }: EndpointPatch): EndpointPatch {
  if (events !== undefined) checkEvents(events)
  return {
    ...(url === undefined ? {} : { url }),
    ...(events === undefined ? {} : { events }),
    ...(enabled === undefined ? {} : { enabled }),
    ...(description === undefined ? {} : { description }),
    ...(metadata === undefined ? {} : { metadata })
  }
}

/** @throws BadEvents (400) */
export function checkEvents(events: readonly string[]): void {
  if (!Array.isArray(events) || events.length === 0 || !events.every(isEventPattern)) throw new BadEvents()
}

/** In characters. Databases sort by the URL, and their indexes take no more than a few thousand bytes. */
export const MAX_URL = 2048

/**
 * The URL as it is kept: its normal form, which says in full what a short text may have abbreviated.
 *
 * @throws UrlRefused (422) where the normal form, in which other characters than ASCII take six or more, is too long
 */
export function endpointUrl({ href }: URL): string {
  if (href.length > MAX_URL) throw new UrlRefused(`the URL has more than ${MAX_URL} characters as it is sent`)
  return href
}

/** An endpoint as administrators see it: everything but its secret. */
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
