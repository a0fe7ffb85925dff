/**
 * Sessions in the collection `session`. While the database is away every call is
 * refused: what cannot be asked is not absent. While the application shuts down,
 * calls find and do nothing instead, but for a new session, which would be lost.
 */
import type { Document, Filter } from 'mongodb'
import type { Clock } from 'svc-kernel'
import {
  filterTypes,
  type NewSession,
  newRecords,
  type Page,
  type PageQuery,
  readFilter,
  readPage,
  recordShapes,
  type SessionBounds,
  type SessionFilter,
  type SessionPatch,
  type SessionRecord,
  type SessionSortField,
  type SessionStore,
  type SessionSummary,
  sortFields,
  storablePatch,
  storableRecord
} from 'svc-stores'
import type { DocumentConnection } from '../connection/document-connection.ts'
import { readJson, storedJson } from '../table/stored-json.ts'
import { exactly } from './exactly.ts'
import { sortIndexes } from './sort-indexes.ts'
import { type CollectionPlan, StoreCollection, type StoredDocument } from './store-collection.ts'
import { JSON_TYPE, OPTIONAL_TEXT, storeSchema, TEXT, TIME } from './store-schema.ts'

export const sessionPlan: CollectionPlan = {
  name: 'session',
  brick: 'session',
  unique: 'id',
  schema: storeSchema('session', {
    sessionId: TEXT,
    user: OPTIONAL_TEXT,
    content: JSON_TYPE,
    flash: JSON_TYPE,
    meta: JSON_TYPE,
    createdAt: TIME,
    updatedAt: TIME
  }),
  indexes: [
    { key: { sessionId: 1 }, name: 'unique_session', unique: true },
    { key: { user: 1, createdAt: -1, sessionId: 1 }, name: 'by_user' },
    ...sortIndexes(['createdAt', 'updatedAt'], 'sessionId')
  ]
}

const LIST = {
  sort: sortFields.session,
  nameOf: (field: SessionSortField) => (field === 'id' ? 'sessionId' : field),
  projection: { content: 0, flash: 0 },
  toItem: (document: Document): SessionSummary => {
    const { content: _content, flash: _flash, ...summary } = toRecord(document)
    return summary
  }
}

export class DocumentSessionStore implements SessionStore {
  readonly #clock: Clock
  readonly #sessions: StoreCollection

  constructor(connection: DocumentConnection, clock: Clock) {
    this.#clock = clock
    this.#sessions = new StoreCollection(connection, sessionPlan)
  }

  async create(session: NewSession): Promise<SessionRecord> {
    const record = newRecords.session(storableRecord(session, recordShapes.session), this.#clock.now())
    const { id: sessionId, content, flash, meta, ...rest } = record
    const json = { content: storedJson(content), flash: storedJson(flash), meta: storedJson(meta) }
    await this.#sessions.run((collection) => collection.insertOne({ sessionId, ...json, ...rest } as never))
    return record
  }

  async find(id: string): Promise<SessionRecord | null> {
    const found = await this.#unlessClosing(null, () => this.#sessions.findOne({ sessionId: exactly(id) }))
    return found === null ? null : toRecord(found)
  }

  async update(id: string, patch: SessionPatch): Promise<boolean> {
    const { content, flash, meta, ...rest } = storablePatch(patch, recordShapes.session)
    const set = {
      ...rest,
      ...(content === undefined ? {} : { content: storedJson(content) }),
      ...(flash === undefined ? {} : { flash: storedJson(flash) }),
      ...(meta === undefined ? {} : { meta: storedJson(meta) })
    }
    const activity = { $max: { updatedAt: this.#clock.now() } }
    const update = Object.keys(set).length === 0 ? activity : { $set: set, ...activity }
    return this.#unlessClosing(false, () => this.#sessions.changedOne({ sessionId: exactly(id) }, update))
  }

  async touch(id: string): Promise<boolean> {
    const activity = { $max: { updatedAt: this.#clock.now() } }
    return this.#unlessClosing(false, () => this.#sessions.changedOne({ sessionId: exactly(id) }, activity))
  }

  async destroy(id: string): Promise<boolean> {
    return (await this.#unlessClosing(0, () => this.#sessions.deleted({ sessionId: exactly(id) }))) === 1
  }

  async destroyByUser(user: string, exceptId?: string): Promise<number> {
    const others = exceptId === undefined ? {} : { sessionId: { $ne: exactly(exceptId) } }
    return this.#unlessClosing(0, () => this.#sessions.deleted({ user: exactly(user), ...others }))
  }

  async list(filter: SessionFilter, page: PageQuery<SessionSortField>): Promise<Page<SessionSummary>> {
    const matching = toFilter(filter)
    const { limit, offset } = readPage(page, sortFields.session)
    const none = { items: [], limit, offset, hasNext: false }
    return this.#unlessClosing(none, () => this.#sessions.page(matching, page, LIST))
  }

  async count(filter: SessionFilter): Promise<number> {
    const matching = toFilter(filter)
    return this.#unlessClosing(0, () => this.#sessions.count(matching))
  }

  async purge({ idleTimeoutS, absoluteTimeoutS }: SessionBounds): Promise<number> {
    const now = this.#clock.now()
    const over = [
      ...(idleTimeoutS > 0 ? [{ updatedAt: { $lte: now - idleTimeoutS * 1000 } }] : []),
      ...(absoluteTimeoutS > 0 ? [{ createdAt: { $lte: now - absoluteTimeoutS * 1000 } }] : [])
    ]
    return over.length === 0 ? 0 : this.#unlessClosing(0, () => this.#sessions.deleted({ $or: over }))
  }

  /** A call that is refused can be made again; during the shutdown it never is. */
  async #unlessClosing<T>(otherwise: T, operation: () => Promise<T>): Promise<T> {
    try {
      return this.#sessions.closing ? otherwise : await operation()
    } catch (error) {
      if (this.#sessions.closing) return otherwise
      throw error
    }
  }
}

function toRecord(document: Document): SessionRecord {
  const { sessionId, user, content, flash, meta, createdAt, updatedAt } = document
  const json = { content: readJson(content), flash: readJson(flash), meta: readJson(meta) }
  return { id: sessionId, user: user ?? null, ...json, createdAt, updatedAt }
}

function toFilter(filter: SessionFilter): Filter<StoredDocument> {
  const { user } = readFilter(filter, filterTypes.session)
  return user === undefined ? {} : { user }
}
