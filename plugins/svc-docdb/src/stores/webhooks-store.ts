/**
 * Webhook endpoints in the collection `webhook_endpoint`, by their `wh_` id. Counters
 * and thresholds are the server's; a listing is paged by the server or refused.
 */
import type { Document, Filter } from 'mongodb'
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
import type { DocumentConnection } from '../connection/document-connection.ts'
import { readJson, storedJson } from '../table/stored-json.ts'
import { exactly } from './exactly.ts'
import { containing } from './search-pattern.ts'
import { sortIndexes } from './sort-indexes.ts'
import { type CollectionPlan, StoreCollection, type StoredDocument } from './store-collection.ts'
import { JSON_TYPE, OPTIONAL_TEXT, OPTIONAL_TIME, storeSchema, TEXT, TEXTS, TIME } from './store-schema.ts'

export const webhookPlan: CollectionPlan = {
  name: 'webhook_endpoint',
  brick: 'webhook',
  unique: 'id',
  schema: storeSchema('webhook_endpoint', {
    _id: { type: String, required: true },
    url: TEXT,
    secretEnc: TEXT,
    events: TEXTS,
    enabled: { type: Boolean, required: true },
    description: OPTIONAL_TEXT,
    tenantId: OPTIONAL_TEXT,
    createdBy: OPTIONAL_TEXT,
    createdAt: TIME,
    updatedAt: TIME,
    lastDeliveryAt: OPTIONAL_TIME,
    lastDeliveryStatus: { type: Number, default: null },
    lastDeliveryError: OPTIONAL_TEXT,
    failureCount: { type: Number, required: true },
    metadata: JSON_TYPE
  }),
  indexes: [
    { key: { enabled: 1, createdAt: -1, _id: 1 }, name: 'by_enabled' },
    { key: { events: 1, createdAt: -1, _id: 1 }, name: 'by_event' },
    ...sortIndexes(['createdAt', 'updatedAt', 'url', 'enabled', 'failureCount'])
  ]
}

const LIST = {
  sort: sortFields.webhooks,
  nameOf: (field: WebhookSortField) => (field === 'id' ? '_id' : field),
  projection: { secretEnc: 0 },
  toItem: (document: Document): WebhookSummary => {
    const { secretEnc: _secret, ...summary } = toRecord(document)
    return summary
  }
}

export class DocumentWebhooksStore implements WebhooksStore {
  readonly #clock: Clock
  readonly #endpoints: StoreCollection

  /** @param native `false`: without its model, and so without indexes and listings */
  constructor(connection: DocumentConnection, clock: Clock, native = true) {
    this.#clock = clock
    this.#endpoints = new StoreCollection(connection, webhookPlan, native)
  }

  async create(webhook: NewWebhook): Promise<WebhookRecord> {
    const record = newRecords.webhook(storableRecord(webhook, recordShapes.webhooks), this.#clock.now())
    const { id, metadata, ...rest } = record
    await this.#endpoints.run((collection) =>
      collection.insertOne({ _id: id, ...rest, metadata: storedJson(metadata) })
    )
    return record
  }

  async find(id: string): Promise<WebhookRecord | null> {
    const found = await this.#endpoints.findOne({ _id: exactly(id) })
    return found === null ? null : toRecord(found)
  }

  async update(id: string, patch: WebhookPatch): Promise<WebhookRecord | null> {
    const { metadata, ...rest } = storablePatch(patch, recordShapes.webhooks)
    if (rest.failureCount !== undefined && rest.failureCount !== 0) {
      throw new InvalidRecord('failureCount', 'it can only be reset to 0')
    }
    const json = metadata === undefined ? {} : { metadata: storedJson(metadata) }
    const set = { ...rest, ...json, updatedAt: this.#clock.now() }
    const updated = await this.#changed(id, { $set: set })
    return updated === null ? null : toRecord(updated)
  }

  async delete(id: string): Promise<boolean> {
    return (await this.#endpoints.deleted({ _id: exactly(id) })) === 1
  }

  async enabled(): Promise<readonly WebhookRecord[]> {
    const found = await this.#endpoints.run((collection) =>
      collection.find({ enabled: true }, { sort: { _id: 1 } }).toArray()
    )
    return found.map(toRecord)
  }

  async recordSuccess(id: string, status: number): Promise<boolean> {
    const set = { ...this.#delivery(status, null), failureCount: 0 }
    return this.#endpoints.changedOne({ _id: exactly(id) }, { $set: set })
  }

  async recordFailure(id: string, status: number | null, error: string): Promise<number | null> {
    checkText('lastDeliveryError', error, false)
    const updated = await this.#changed(id, { $inc: { failureCount: 1 }, $set: this.#delivery(status, error) })
    return updated === null ? null : (updated.failureCount as number)
  }

  async disable(id: string, threshold: number): Promise<boolean> {
    const dying = { _id: exactly(id), enabled: true, failureCount: { $gte: threshold } }
    return this.#endpoints.changedOne(dying, { $set: { enabled: false } })
  }

  /** @throws NativeModelRequired rather than load the whole collection */
  async list(filter: WebhookFilter, page: PageQuery<WebhookSortField>): Promise<Page<WebhookSummary>> {
    return this.#endpoints.page(toFilter(filter), page, LIST)
  }

  async count(filter: WebhookFilter): Promise<number> {
    return this.#endpoints.count(toFilter(filter))
  }

  async stats(filter: Pick<WebhookFilter, 'event' | 'q'>): Promise<WebhookStats> {
    const matching = toFilter(filter)
    const [total, active, failing] = await Promise.all([
      this.#endpoints.count(matching),
      this.#endpoints.count({ $and: [matching, { enabled: true }] }),
      this.#endpoints.count({ $and: [matching, { failureCount: { $gt: 0 } }] })
    ])
    return { total, active, disabled: total - active, failing }
  }

  #changed(id: string, update: Document): Promise<Document | null> {
    return this.#endpoints.run((collection) =>
      collection.findOneAndUpdate({ _id: exactly(id) }, update, { returnDocument: 'after' })
    )
  }

  #delivery(lastDeliveryStatus: number | null, lastDeliveryError: string | null): Document {
    return { lastDeliveryAt: this.#clock.now(), lastDeliveryStatus, lastDeliveryError }
  }
}

function toRecord({ _id, metadata, ...rest }: Document): WebhookRecord {
  return { id: _id, ...rest, metadata: readJson(metadata) } as WebhookRecord
}

function toFilter(filter: WebhookFilter): Filter<StoredDocument> {
  const { enabled, event, failing, q } = readFilter(filter, filterTypes.webhooks)
  return {
    ...(enabled === undefined ? {} : { enabled }),
    ...(event === undefined ? {} : { events: event }),
    ...(failing === undefined ? {} : { failureCount: failing ? { $gt: 0 } : { $lte: 0 } }),
    ...(q === undefined ? {} : { $or: [{ url: containing(q) }, { description: containing(q) }] })
  }
}
