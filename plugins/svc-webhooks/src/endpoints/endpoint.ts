/** An endpoint: its record, what may be set of it, how its URL is stored, and how administrators see it. Pure. */
import type { JsonObject } from 'svc-stores'
import { type EndedCounts, isDegradedBy } from '../degraded.ts'
import { BadEvents, UrlRefused } from '../errors.ts'
import type { EndpointCredentials, EndpointHeaders } from './endpoint-credentials.ts'
import { checkHeaders } from './endpoint-headers.ts'
import { type Catalogue, eventWarnings, isEventPattern } from './event-types.ts'

export interface WebhookRecord {
  /** `wh_<random base64url>`, given by the caller. */
  readonly id: string
  readonly url: string
  /** `gcm1.`, encrypted by the caller: the secret, and what else of the endpoint is sealed. */
  readonly secretEnc: string
  /** `*`, an action, or `prefix.*`. */
  readonly events: readonly string[]
  readonly enabled: boolean
  readonly description: string | null
  readonly tenantId: string | null
  readonly createdBy: string | null
  /** Epoch ms. */
  readonly createdAt: number
  /** Epoch ms of the last change by an administrator. */
  readonly updatedAt: number
  readonly lastDeliveryAt: number | null
  /** `null` also after a network error. */
  readonly lastDeliveryStatus: number | null
  readonly lastDeliveryError: string | null
  /** Consecutive failures. */
  readonly failureCount: number
  readonly metadata: JsonObject
}

export type NewWebhook = Pick<
  WebhookRecord,
  'id' | 'url' | 'secretEnc' | 'events' | 'enabled' | 'description' | 'tenantId' | 'createdBy' | 'metadata'
>

/** Absent keys stay as they are. `failureCount` can only be reset. */
export type WebhookPatch = Partial<
  Pick<WebhookRecord, 'url' | 'secretEnc' | 'events' | 'enabled' | 'description' | 'metadata'>
> & { readonly failureCount?: 0 }

/** An endpoint as listings show it, without its secret. */
export type WebhookSummary = Omit<WebhookRecord, 'secretEnc'>

/** The endpoint to be created; its secret is made by svc. */
export interface NewEndpoint {
  readonly url: string
  /** `*`, an action, or `prefix.*`. */
  readonly events: readonly string[]
  readonly description?: string | null
  /** Default `true`. */
  readonly enabled?: boolean
  readonly metadata?: WebhookRecord['metadata']
  /** Sent with every message; their values are never shown again. A change replaces them all. */
  readonly headers?: EndpointHeaders
}

/** Absent keys stay as they are. */
export type EndpointPatch = Partial<NewEndpoint>

/**
 * The fields of a patch that may be set: a caller in plain JavaScript may hand over the body of a request, and sets
 * neither counters nor the secret.
 *
 * @throws BadEvents (400): one endpoint whose events cannot be read would stop the deliveries of all; BadHeaders (400)
 */
export function endpointChanges(patch: EndpointPatch): EndpointPatch {
  const { url, events, enabled, description, metadata, headers: given } = patch
  if (events !== undefined) checkEvents(events)
  const headers = given === undefined ? undefined : checkHeaders(given)
  const named = { url, events, enabled, description, metadata, headers }
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined))
}

/** @throws BadEvents (400) */
export function checkEvents(events: readonly string[]): void {
  if (!Array.isArray(events) || events.length === 0 || !events.every(isEventPattern)) throw new BadEvents()
}

/** In characters. Databases sort by the URL, and their indexes take no more than a few thousand bytes. */
export const MAX_URL = 2048

/**
 * The URL as it is stored: its normal form, which says in full what a short text may have abbreviated.
 *
 * @throws UrlRefused (422) where the normal form, in which other characters than ASCII take six or more, is too long
 */
export function endpointUrl({ href }: URL): string {
  if (href.length > MAX_URL) throw new UrlRefused(`the URL has more than ${MAX_URL} characters`)
  return href
}

/** An endpoint as administrators see it: everything but what is sealed, of which it says what there is. */
export interface EndpointView extends WebhookSummary {
  /** Deliveries that found no room, on this instance, since its start. */
  readonly dropped: number
  /**
   * Enabled, without a failure in a row, and yet of at least 5 deliveries that ended within the last 24 hours, 10 % or
   * more failed. Counted on this instance, since its start; for a single endpoint by the history, if that lasts.
   */
  readonly degraded: boolean
  /** A sentence per subscribed event that will not come. */
  readonly warnings: readonly string[]
  /** Names of its own headers. Absent in a listing, and where they cannot be read. */
  readonly headers?: readonly string[]
  /** Epoch ms: the secret before this one signs too until then; `null`: one secret signs. Absent as `headers` is. */
  readonly previousSecretEndsAt?: number | null
}

/** What of an endpoint lies beside its record. */
export interface ViewParts {
  /** Of the last 24 hours. */
  readonly ended: EndedCounts
  readonly dropped: number
  readonly catalogue: Catalogue | undefined
  /** Opens what is sealed. @returns `null` where that cannot be read */
  readonly credentialsOf: (secretEnc: string) => EndpointCredentials | null
  /** Epoch ms. */
  readonly now: number
}

/** @param record from a store, with or without what is sealed */
export function endpointView(record: WebhookSummary | WebhookRecord, parts: ViewParts): EndpointView {
  const { secretEnc, ...summary } = { secretEnc: null, ...record }
  const degraded = record.enabled && record.failureCount === 0 && isDegradedBy(parts.ended)
  const view = { ...summary, degraded, dropped: parts.dropped, warnings: eventWarnings(record.events, parts.catalogue) }
  const credentials = secretEnc === null ? null : parts.credentialsOf(secretEnc)
  if (credentials === null) return view
  const { headers, previous } = credentials
  const previousSecretEndsAt = previous === null || previous.endsAt <= parts.now ? null : previous.endsAt
  return { ...view, headers: Object.keys(headers), previousSecretEndsAt }
}
