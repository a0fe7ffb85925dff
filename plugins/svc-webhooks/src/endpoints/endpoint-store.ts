/**
 * Webhook endpoints. Counters are incremented and thresholds compared in the store, so that concurrent deliveries on
 * several instances lose nothing and disable an endpoint once. A listing never shows the secret.
 */
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from 'svc-kernel'
import { InvalidRecord, type Page, type PageQuery, type StoreDefinition, type StoreParts } from 'svc-stores'
import {
  aroundCalls,
  checkText,
  operationsOf,
  type ResealRows,
  readFilter,
  resealRows,
  type SortFields,
  storablePatch,
  storableRecord
} from 'svc-stores/plugin'
import {
  above,
  all,
  any,
  asDuplicate,
  atLeast,
  atMost,
  containing,
  type Database,
  except,
  given,
  holding,
  oneOf,
  pageOf,
  sortIndexes,
  type Table,
  type TablePlan,
  type Where
} from 'svc-stores/table'
import { askStore, inTime } from '../store-calls.ts'
import type { NewWebhook, WebhookPatch, WebhookRecord, WebhookSummary } from './endpoint.ts'

export interface WebhookFilter {
  readonly enabled?: boolean
  /** Endpoints whose list of events holds this very pattern. */
  readonly event?: string
  /** `true`: at least one failure; `false`: none. */
  readonly failing?: boolean
  /** `true`: degraded endpoints, see `EndpointView.degraded`; `false`: the others. */
  readonly degraded?: boolean
  /** Case-insensitive substring of url or description; every character is literal. */
  readonly q?: string
}

/** The filter of a store, which does not know how deliveries ended. */
export interface StoredFilter extends Omit<WebhookFilter, 'degraded'> {
  /** `ids` have a degraded day. Enabled ones without a failure in a row are degraded: `is` asks for those, or for the rest. */
  readonly degraded?: { readonly ids: readonly string[]; readonly is: boolean }
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
  /**
   * `null` when absent, or when `secretEnc` or `seen` is given and no longer what is stored, `seen` as `updatedAt`: of
   * callers at once who read the same, one wins. `updatedAt` is later than `seen` afterwards.
   */
  update(id: string, patch: WebhookPatch, secretEnc?: string, seen?: number): Promise<WebhookRecord | null>
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
  list(filter: StoredFilter, page: PageQuery<WebhookSortField>): Promise<Page<WebhookSummary>>
  count(filter: StoredFilter): Promise<number>
  stats(filter: Pick<WebhookFilter, 'event' | 'q'>): Promise<WebhookStats>
  /** Seals secrets under the first key of a box. Absent from a store that cannot: former keys then stay in use. */
  readonly reseal?: ResealRows
}

const COLUMNS: TablePlan = {
  name: 'svc_webhook_endpoint',
  collection: 'webhook_endpoint',
  record: 'webhook',
  columns: [
    { name: 'id', type: 'text' },
    { name: 'url', type: 'text', searched: true },
    { name: 'secretEnc', type: 'text' },
    { name: 'events', type: 'text', list: true },
    { name: 'enabled', type: 'boolean' },
    { name: 'description', type: 'text', nullable: true, searched: true },
    { name: 'tenantId', type: 'text', nullable: true },
    { name: 'createdBy', type: 'text', nullable: true },
    { name: 'createdAt', type: 'integer' },
    { name: 'updatedAt', type: 'integer' },
    { name: 'lastDeliveryAt', type: 'integer', nullable: true },
    { name: 'lastDeliveryStatus', type: 'integer', nullable: true },
    { name: 'lastDeliveryError', type: 'text', nullable: true },
    { name: 'failureCount', type: 'integer' },
    { name: 'metadata', type: 'document' }
  ],
  indexes: [
    { columns: [['createdAt', 'desc'], 'id'], on: 'sql' },
    { columns: [['updatedAt', 'desc'], 'id'], on: 'sql' },
    { columns: ['url'], on: 'sql' },
    { columns: ['enabled', ['createdAt', 'desc'], 'id'], name: 'by_enabled' },
    { columns: [['failureCount', 'desc'], 'id'], on: 'sql' },
    { columns: ['events', ['createdAt', 'desc'], 'id'], name: 'by_event', on: 'documents' },
    ...sortIndexes(['createdAt', 'updatedAt', 'url', 'enabled', 'failureCount'])
  ]
}

/** A registry of another package: tables of its own, and endpoints that belong to tenants. */
export interface EndpointTables {
  readonly names: Required<Pick<TablePlan, 'name' | 'collection' | 'record'>>
  /** The store sees and makes endpoints of this tenant alone. Absent: it sees all. */
  readonly tenantId?: string
}

function planOf({ names }: EndpointTables): TablePlan {
  const byTenant = { columns: ['tenantId', ['createdAt', 'desc'], 'id'], name: 'by_tenant' } as const
  return { ...COLUMNS, ...names, indexes: [...(COLUMNS.indexes ?? []), byTenant] }
}

const shape = {
  fields: ['id', 'url', 'secretEnc', 'events', 'enabled', 'description', 'tenantId', 'createdBy', 'metadata'],
  patch: ['url', 'secretEnc', 'events', 'enabled', 'description', 'metadata', 'failureCount'],
  keys: ['id', 'url', 'events', 'tenantId'],
  json: ['metadata']
}

export const webhookSort: SortFields<WebhookSortField> = {
  fields: ['createdAt', 'updatedAt', 'url', 'enabled', 'failureCount', 'id'],
  fallback: ['createdAt', 'DESC']
}

const HIDDEN = ['secretEnc'] as const

export class TableWebhooksStore implements WebhooksStore {
  readonly #clock: Clock
  readonly #endpoints: Table<WebhookRecord>
  readonly #scope: { readonly tenantId?: string }
  /** No method: an operation is what every store has. */
  readonly reseal: ResealRows

  /** @param tables absent: those of svc-webhooks */
  constructor(database: Database, { clock }: StoreParts, tables?: EndpointTables) {
    this.#clock = clock
    this.#endpoints = database.table(tables === undefined ? COLUMNS : planOf(tables))
    this.#scope = given({ tenantId: tables?.tenantId })
    this.reseal = resealRows(this.#endpoints)
  }

  async create(webhook: NewWebhook): Promise<WebhookRecord> {
    const now = this.#clock.now()
    const record = { ...storableRecord(webhook, shape), ...this.#scope, ...undelivered, createdAt: now, updatedAt: now }
    await asDuplicate('webhook', this.#endpoints.insert([record]))
    return record
  }

  async find(id: string): Promise<WebhookRecord | null> {
    return this.#endpoints.findOne({ id, ...this.#scope })
  }

  async update(id: string, patch: WebhookPatch, secretEnc?: string, seen?: number): Promise<WebhookRecord | null> {
    const changes = storablePatch(patch, shape)
    if (changes.failureCount !== undefined && changes.failureCount !== 0) {
      throw new InvalidRecord('failureCount', 'it can only be reset to 0')
    }
    const where = { id, ...this.#scope, ...given({ secretEnc, updatedAt: seen }) }
    const updatedAt = Math.max(this.#clock.now(), (seen ?? -1) + 1)
    return this.#endpoints.updateOne(where, { set: { ...changes, updatedAt } })
  }

  async delete(id: string): Promise<boolean> {
    return (await this.#endpoints.delete({ id, ...this.#scope })) === 1
  }

  enabled(): Promise<readonly WebhookRecord[]> {
    return this.#endpoints.find({ enabled: true, ...this.#scope })
  }

  async recordSuccess(id: string, status: number): Promise<boolean> {
    const set = { ...this.#delivery(status, null), failureCount: 0 }
    return (await this.#endpoints.update({ id, ...this.#scope }, { set })) === 1
  }

  async recordFailure(id: string, status: number | null, error: string): Promise<number | null> {
    checkText('lastDeliveryError', error, false)
    const change = { set: this.#delivery(status, error), add: { failureCount: 1 } }
    return (await this.#endpoints.updateOne({ id, ...this.#scope }, change))?.failureCount ?? null
  }

  async disable(id: string, threshold: number): Promise<boolean> {
    const failing = { id, ...this.#scope, enabled: true, failureCount: atLeast(threshold) }
    return (await this.#endpoints.update(failing, { set: { enabled: false } })) === 1
  }

  async list(filter: StoredFilter, page: PageQuery<WebhookSortField>): Promise<Page<WebhookSummary>> {
    return pageOf(this.#endpoints, this.#where(filter), page, webhookSort, HIDDEN)
  }

  async count(filter: StoredFilter): Promise<number> {
    return this.#endpoints.count(this.#where(filter))
  }

  async stats(filter: Pick<WebhookFilter, 'event' | 'q'>): Promise<WebhookStats> {
    const parts = { active: { enabled: true }, failing: { failureCount: above(0) } }
    const { total, active, failing } = await this.#endpoints.counts(this.#where(filter), parts)
    return { total, active, disabled: total - active, failing }
  }

  #where(filter: StoredFilter): Where<WebhookRecord> {
    return all<WebhookRecord>(this.#scope, whereOf(filter))
  }

  #delivery(lastDeliveryStatus: number | null, lastDeliveryError: string | null) {
    return { lastDeliveryAt: this.#clock.now(), lastDeliveryStatus, lastDeliveryError }
  }
}

const undelivered = { lastDeliveryAt: null, lastDeliveryStatus: null, lastDeliveryError: null, failureCount: 0 }

const filters = { enabled: 'boolean', event: 'text', failing: 'boolean', q: 'text' } as const

function whereOf({ degraded, ...filter }: StoredFilter): Where<WebhookRecord> {
  const { enabled, event, failing, q } = readFilter(filter, filters)
  const fields = given({
    enabled,
    events: event === undefined ? undefined : holding(event),
    failureCount: failing === undefined ? undefined : failing ? above(0) : atMost(0)
  })
  const parts: Where<WebhookRecord>[] = [fields]
  if (degraded !== undefined) {
    const found: Where<WebhookRecord> = { id: oneOf(degraded.ids), enabled: true, failureCount: atMost(0) }
    parts.push(degraded.is ? found : except(found))
  }
  if (q !== undefined) parts.push(any<WebhookRecord>({ url: containing(q) }, { description: containing(q) }))
  return all(...parts)
}

export const webhooksStore: StoreDefinition<WebhooksStore> = {
  brick: 'webhooks',
  operations: operationsOf(TableWebhooksStore),
  open: (database, parts) => new TableWebhooksStore(database, parts),
  check: (store) => store.find('health')
}

/** The store with a deadline for every call. @throws StoreTimeout, or what the store throws */
export function timedStore(store: WebhooksStore, clock: Clock, ms: number): WebhooksStore {
  return aroundCalls(store, webhooksStore.operations, (call) => inTime(clock, call, ms))
}

const FAILED = [
  'the store of webhook endpoints failed',
  'the webhook endpoints cannot be reached at the moment'
] as const

/** A mistake of the caller keeps its status; anything else that the store throws becomes WebhooksUnavailable (503). */
export function guardedStore(store: WebhooksStore, clock: Clock, log: FastifyBaseLogger): WebhooksStore {
  return aroundCalls(store, webhooksStore.operations, (call) => askStore({ clock, log }, call, FAILED))
}
