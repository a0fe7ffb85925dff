/**
 * Webhook endpoints. Counters are incremented and thresholds compared in the
 * store, so that concurrent deliveries on several instances lose nothing and
 * disable an endpoint once. A listing never shows the secret.
 */
import type { Page, PageQuery } from '../paging/page.ts'
import type { JsonObject } from '../records/json.ts'

export interface WebhookRecord {
  /** `wh_<random base64url>`, given by the caller. */
  readonly id: string
  readonly url: string
  /** `gcm1.`, encrypted by the caller. */
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

export type WebhookSummary = Omit<WebhookRecord, 'secretEnc'>

export interface WebhookFilter {
  readonly enabled?: boolean
  /** Endpoints whose list of events holds this very pattern. */
  readonly event?: string
  /** `true`: at least one failure; `false`: none. */
  readonly failing?: boolean
  /** Case-insensitive substring of url or description; every character stands for itself. */
  readonly q?: string
}

export type WebhookSortField = 'createdAt' | 'updatedAt' | 'url' | 'enabled' | 'failureCount' | 'id'

export interface WebhookStats {
  readonly total: number
  readonly active: number
  readonly disabled: number
  readonly failing: number
}

export interface WebhooksStore {
  /** @throws DuplicateRecord when the id exists */
  create(webhook: NewWebhook): Promise<WebhookRecord>
  find(id: string): Promise<WebhookRecord | null>
  /** `null` when absent. */
  update(id: string, patch: WebhookPatch): Promise<WebhookRecord | null>
  /** `true` when this call removed it. */
  delete(id: string): Promise<boolean>
  /** Every enabled endpoint with its secret, for the snapshot of the dispatcher. By id. */
  enabled(): Promise<readonly WebhookRecord[]>
  /** Final success: the counter falls to 0. `false` when absent. */
  recordSuccess(id: string, status: number): Promise<boolean>
  /** Final failure: atomic increment. @returns the new count, or `null` when absent */
  recordFailure(id: string, status: number | null, error: string): Promise<number | null>
  /** Compare-and-set: disables an enabled endpoint with at least this many failures. `true` for exactly one caller. */
  disable(id: string, threshold: number): Promise<boolean>
  /** Newest first. Without secrets. */
  list(filter: WebhookFilter, page: PageQuery<WebhookSortField>): Promise<Page<WebhookSummary>>
  count(filter: WebhookFilter): Promise<number>
  stats(filter: Pick<WebhookFilter, 'event' | 'q'>): Promise<WebhookStats>
}
