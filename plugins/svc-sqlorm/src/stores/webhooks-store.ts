/**
 * Webhook endpoints in the table `svc_webhook_endpoint`, by their `wh_` id. Counters
 * and thresholds are the database's. Events are a JSON list; their filter looks into
 * each, since a registry is small: its dispatcher holds all of it in memory.
 */
import { sql } from 'kysely'
import type { Clock } from 'svc-kernel'
import {
  checkText,
  filterTypes,
  InvalidRecord,
  type NewWebhook,
  newRecords,
  type Page,
  type PageQuery,
  readFilter,
  recordShapes,
  sortFields,
  storablePatch,
  storableRecord,
  type WebhookFilter,
  type WebhookPatch,
  type WebhookRecord,
  type WebhookSortField,
  type WebhookStats,
  type WebhookSummary,
  type WebhooksStore
} from 'svc-stores'
import type { SqlConnection } from '../connection/sql-connection.ts'
import { flag, foldOf, freeJson, integer, list, optionalInteger, optionalText, text } from './store-columns.ts'
import { all, any, compared, containing, exactly, holds, type Where } from './store-conditions.ts'
import { type StorePlan, StoreTable } from './store-table.ts'

export const webhookPlan: StorePlan = {
  brick: 'webhook',
  unique: 'id',
  table: {
    name: 'svc_webhook_endpoint',
    columns: [
      text('id'),
      text('url'),
      foldOf('url'),
      text('secretEnc'),
      list('events'),
      flag('enabled'),
      optionalText('description'),
      foldOf('description'),
      optionalText('tenantId'),
      optionalText('createdBy'),
      integer('createdAt'),
      integer('updatedAt'),
      optionalInteger('lastDeliveryAt'),
      optionalInteger('lastDeliveryStatus'),
      optionalText('lastDeliveryError'),
      integer('failureCount'),
      freeJson('metadata')
    ],
    indexes: [
      { columns: [['createdAt', 'desc'], 'id'] },
      { columns: [['updatedAt', 'desc'], 'id'] },
      { columns: ['url'] },
      { columns: ['enabled', ['createdAt', 'desc'], 'id'] },
      { columns: [['failureCount', 'desc'], 'id'] }
    ]
  }
}

const HIDDEN = ['secretEnc'] as const

export class SqlWebhooksStore implements WebhooksStore {
  readonly #clock: Clock
  readonly #endpoints: StoreTable<WebhookRecord>

  constructor(connection: SqlConnection, clock: Clock) {
    this.#clock = clock
    this.#endpoints = StoreTable.declare(connection, webhookPlan)
  }

  async create(webhook: NewWebhook): Promise<WebhookRecord> {
    const record = newRecords.webhook(storableRecord(webhook, recordShapes.webhooks), this.#clock.now())
    await this.#endpoints.insert(record)
    return record
  }

  find(id: string): Promise<WebhookRecord | null> {
    return this.#endpoints.findBy('id', id)
  }

  async update(id: string, patch: WebhookPatch): Promise<WebhookRecord | null> {
    const changes = storablePatch(patch, recordShapes.webhooks)
    if (changes.failureCount !== undefined && changes.failureCount !== 0) {
      throw new InvalidRecord('failureCount', 'it can only be reset to 0')
    }
    return this.#endpoints.updateOne({ ...changes, updatedAt: this.#clock.now() }, exactly('id', id))
  }

  async delete(id: string): Promise<boolean> {
    return (await this.#endpoints.delete(exactly('id', id))) === 1
  }

  enabled(): Promise<readonly WebhookRecord[]> {
    return this.#endpoints.findAll(compared('enabled', '=', true))
  }

  async recordSuccess(id: string, status: number): Promise<boolean> {
    const changes = { ...this.#delivery(status, null), failureCount: 0 }
    return (await this.#endpoints.update(changes, exactly('id', id))) === 1
  }

  async recordFailure(id: string, status: number | null, error: string): Promise<number | null> {
    checkText('lastDeliveryError', error, false)
    const failureCount = sql<number>`${sql.ref('failureCount')} + 1`
    const updated = await this.#endpoints.updateOne(
      { ...this.#delivery(status, error), failureCount },
      exactly('id', id)
    )
    return updated?.failureCount ?? null
  }

  async disable(id: string, threshold: number): Promise<boolean> {
    const dying = all(exactly('id', id), compared('enabled', '=', true), compared('failureCount', '>=', threshold))
    return (await this.#endpoints.update({ enabled: false }, dying)) === 1
  }

  async list(filter: WebhookFilter, page: PageQuery<WebhookSortField>): Promise<Page<WebhookSummary>> {
    return this.#endpoints.page(this.#where(filter), page, sortFields.webhooks, HIDDEN)
  }

  async count(filter: WebhookFilter): Promise<number> {
    return this.#endpoints.count(this.#where(filter))
  }

  async stats(filter: Pick<WebhookFilter, 'event' | 'q'>): Promise<WebhookStats> {
    const { total, active, failing } = await this.#endpoints.counts(this.#where(filter), {
      active: compared('enabled', '=', true),
      failing: compared('failureCount', '>', 0)
    })
    return { total, active, disabled: total - active, failing }
  }

  #delivery(lastDeliveryStatus: number | null, lastDeliveryError: string | null) {
    return { lastDeliveryAt: this.#clock.now(), lastDeliveryStatus, lastDeliveryError }
  }

  #where(filter: WebhookFilter): Where {
    const { enabled, event, failing, q } = readFilter(filter, filterTypes.webhooks)
    const { engine } = this.#endpoints
    return all(
      enabled === undefined ? undefined : compared('enabled', '=', enabled),
      event === undefined ? undefined : holds(engine, 'events', event),
      failing === undefined ? undefined : compared('failureCount', failing ? '>' : '<=', 0),
      q === undefined ? undefined : any(containing(engine, 'url', q), containing(engine, 'description', q))
    )
  }
}
