/** The audit journal in the collection `audit_event`, by the event's id. A batch that is sent again changes nothing. */
import type { Document, Filter } from 'mongodb'
import mongoose from 'mongoose'
import type { Clock } from 'svc-kernel'
import {
  type AuditEvent,
  type AuditFilter,
  type AuditPage,
  type AuditPageQuery,
  type AuditStore,
  auditCutoff,
  checkInteger,
  decodeCursor,
  encodeCursor,
  filterTypes,
  type JsonObject,
  readFilter
} from 'svc-stores'
import type { DocumentConnection } from '../connection/document-connection.ts'
import { readJson, storedJson } from '../table/stored-json.ts'
import { type CollectionPlan, StoreCollection, type StoredDocument } from './store-collection.ts'
import { JSON_TYPE, OPTIONAL_TEXT, storeSchema, TEXT, TIME } from './store-schema.ts'

const { MongoBulkWriteError } = mongoose.mongo

const DUPLICATE_KEY = 11_000

const NEWEST_FIRST = { ts: -1, _id: -1 } as const

export const auditPlan: CollectionPlan = {
  name: 'audit_event',
  brick: 'audit',
  unique: 'id',
  schema: storeSchema('audit_event', {
    _id: { type: String, required: true },
    ts: TIME,
    category: TEXT,
    action: TEXT,
    outcome: TEXT,
    actor: OPTIONAL_TEXT,
    resource: OPTIONAL_TEXT,
    reason: OPTIONAL_TEXT,
    ip: OPTIONAL_TEXT,
    userAgent: OPTIONAL_TEXT,
    requestId: OPTIONAL_TEXT,
    metadata: JSON_TYPE
  }),
  indexes: [
    { key: NEWEST_FIRST, name: 'by_time' },
    { key: { category: 1, ...NEWEST_FIRST }, name: 'by_category' },
    { key: { action: 1, ...NEWEST_FIRST }, name: 'by_action' },
    { key: { outcome: 1, ...NEWEST_FIRST }, name: 'by_outcome' },
    { key: { actor: 1, ...NEWEST_FIRST }, name: 'by_actor' }
  ]
}

export class DocumentAuditStore implements AuditStore {
  readonly #clock: Clock
  readonly #events: StoreCollection

  constructor(connection: DocumentConnection, clock: Clock) {
    this.#clock = clock
    this.#events = new StoreCollection(connection, auditPlan)
  }

  async append(events: readonly AuditEvent[]): Promise<void> {
    if (events.length === 0) return
    const documents = events.map(toDocument)
    await this.#events.run(async (collection) => {
      try {
        await collection.insertMany(documents, { ordered: false })
      } catch (error) {
        if (!onlyKnownEvents(error)) throw error
      }
    })
  }

  async list(filter: AuditFilter, { limit, cursor }: AuditPageQuery): Promise<AuditPage> {
    const matching = toFilter(filter)
    checkInteger('limit', limit, 1, 1000)
    const page = cursor === undefined ? matching : { $and: [matching, olderThan(cursor)] }
    const found = await this.#events.run((collection) =>
      collection.find(page, { sort: NEWEST_FIRST, limit: limit + 1 }).toArray()
    )
    const items = found.slice(0, limit).map(toEvent)
    const last = items.at(-1)
    const hasNext = found.length > limit
    return { items, limit, hasNext, nextCursor: hasNext && last !== undefined ? encodeCursor(last) : null }
  }

  async purge(retentionDays: number): Promise<number> {
    const cutoff = auditCutoff(retentionDays, this.#clock.now())
    return cutoff === null ? 0 : this.#events.deleted({ ts: { $lt: cutoff } })
  }
}

/** Of a batch that was sent before, in whole or in part. */
function onlyKnownEvents(error: unknown): boolean {
  if (!(error instanceof MongoBulkWriteError)) return false
  const failures = [error.writeErrors].flat()
  return failures.length > 0 && failures.every(({ code }) => code === DUPLICATE_KEY)
}

function olderThan(cursor: string): Filter<StoredDocument> {
  const { ts, id } = decodeCursor(cursor)
  return { $or: [{ ts: { $lt: ts } }, { ts, _id: { $lt: id } }] }
}

function toDocument({ id, metadata, ...rest }: AuditEvent): StoredDocument {
  return { _id: id, ...rest, metadata: storedJson(metadata as JsonObject) }
}

function toEvent({ _id, metadata, ...rest }: Document): AuditEvent {
  return { id: _id, ...rest, metadata: readJson(metadata) } as AuditEvent
}

function toFilter(filter: AuditFilter): Filter<StoredDocument> {
  const { since, until, ...exact } = readFilter(filter, filterTypes.audit)
  const bounds = { ...(since === undefined ? {} : { $gte: since }), ...(until === undefined ? {} : { $lte: until }) }
  return { ...exact, ...(Object.keys(bounds).length === 0 ? {} : { ts: bounds }) }
}
