/** Users in the collection `User`. The server keeps identifiers and social accounts apart, also between instances. */
import type { Document, Filter } from 'mongodb'
import mongoose from 'mongoose'
import type { Clock } from 'svc-kernel'
import {
  checkText,
  DuplicateRecord,
  filterTypes,
  type NewUser,
  newRecords,
  type Page,
  type PageQuery,
  readFilter,
  recordShapes,
  sortFields,
  storablePatch,
  storableRecord,
  type UserFilter,
  type UserPatch,
  type UserRecord,
  type UserSortField,
  type UserStore,
  type UserSummary
} from 'svc-stores'
import type { DocumentConnection } from '../connection/document-connection.ts'
import { objectIds } from '../table/object-ids.ts'
import { readJson, storedJson } from '../table/stored-json.ts'
import { exactly } from './exactly.ts'
import { containing } from './search-pattern.ts'
import { sortIndexes } from './sort-indexes.ts'
import { type CollectionPlan, StoreCollection, type StoredDocument } from './store-collection.ts'
import { JSON_TYPE, OPTIONAL_TEXT, storeSchema, TEXT, TEXTS, TIME } from './store-schema.ts'

const { ObjectId } = mongoose.mongo

const MOMENT = { type: Date, required: true }

const SWITCH = { type: Boolean, required: true }

export const userPlan: CollectionPlan = {
  name: 'User',
  brick: 'user',
  unique: 'identifier',
  schema: storeSchema('User', {
    identifier: TEXT,
    password: OPTIONAL_TEXT,
    roles: TEXTS,
    enabled: SWITCH,
    locked: SWITCH,
    socialAccounts: [{ _id: false, provider: TEXT, subject: TEXT, linkedAt: TIME }],
    metadata: JSON_TYPE,
    createdAt: MOMENT,
    updatedAt: MOMENT
  }),
  indexes: [
    { key: { identifier: 1 }, name: 'unique_identifier', unique: true },
    {
      key: { 'socialAccounts.provider': 1, 'socialAccounts.subject': 1 },
      name: 'unique_social_account',
      unique: true,
      partialFilterExpression: { 'socialAccounts.subject': { $exists: true } }
    },
    { key: { roles: 1, identifier: 1 }, name: 'by_role' },
    { key: { enabled: 1, identifier: 1 }, name: 'by_enabled' },
    { key: { locked: 1, identifier: 1 }, name: 'by_locked' },
    ...sortIndexes(['createdAt', 'updatedAt', 'enabled', 'locked'])
  ]
}

const LIST = {
  sort: sortFields.user,
  nameOf: (field: UserSortField) => (field === 'id' ? '_id' : field),
  projection: { password: 0 },
  toItem: (document: Document): UserSummary => {
    const { password: _password, ...summary } = toRecord(document)
    return summary
  }
}

export class DocumentUserStore implements UserStore {
  readonly #clock: Clock
  readonly #users: StoreCollection

  constructor(connection: DocumentConnection, clock: Clock) {
    this.#clock = clock
    this.#users = new StoreCollection(connection, userPlan)
  }

  async create(user: NewUser): Promise<UserRecord> {
    const given = storableRecord(user, recordShapes.user)
    const record = newRecords.user(given, objectIds.generate(), this.#clock.now())
    await this.#users.run((collection) => collection.insertOne(toDocument(record) as StoredDocument))
    return record
  }

  async find(id: string): Promise<UserRecord | null> {
    return isUserId(id) ? this.#one({ _id: new ObjectId(id) }) : null
  }

  findByIdentifier(identifier: string): Promise<UserRecord | null> {
    return this.#one({ identifier: exactly(identifier) })
  }

  findBySocialAccount(provider: string, subject: string): Promise<UserRecord | null> {
    return this.#one({ socialAccounts: holding(provider, subject) })
  }

  async update(id: string, patch: UserPatch): Promise<UserRecord | null> {
    const { metadata, ...rest } = storablePatch(patch, recordShapes.user)
    if (!isUserId(id)) return null
    const set = { ...rest, ...(metadata === undefined ? {} : { metadata: storedJson(metadata) }), ...this.#now() }
    const updated = await this.#users.run((collection) =>
      collection.findOneAndUpdate({ _id: new ObjectId(id) }, { $set: set }, { returnDocument: 'after' })
    )
    return updated === null ? null : toRecord(updated)
  }

  async replacePassword(id: string, expected: string | null, next: string): Promise<boolean> {
    checkText('password', next, false)
    if (!isUserId(id)) return false
    const password = expected === null ? null : exactly(expected)
    return this.#users.changedOne({ _id: new ObjectId(id), password }, { $set: { password: next, ...this.#now() } })
  }

  async linkSocialAccount(id: string, provider: string, subject: string): Promise<boolean> {
    checkText('socialAccounts', provider, true)
    checkText('socialAccounts', subject, true)
    if (!isUserId(id)) return false
    const own = { _id: new ObjectId(id) }
    const account = { provider, subject, linkedAt: this.#clock.now() }
    const update = { $push: { socialAccounts: account }, $set: this.#now() }
    try {
      const linked = await this.#users.changedOne(
        { ...own, socialAccounts: { $not: holding(provider, subject) } },
        update
      )
      return linked || (await this.#users.findOne(own, { projection: { _id: 1 } })) !== null
    } catch (error) {
      throw error instanceof DuplicateRecord ? new DuplicateRecord('user', 'social account') : error
    }
  }

  async unlinkSocialAccount(id: string, provider: string, subject: string): Promise<boolean> {
    if (!isUserId(id)) return false
    return this.#users.changedOne(
      { _id: new ObjectId(id), socialAccounts: holding(provider, subject) },
      { $pull: { socialAccounts: { provider, subject } }, $set: this.#now() }
    )
  }

  async delete(id: string): Promise<boolean> {
    return isUserId(id) && (await this.#users.deleted({ _id: new ObjectId(id) })) === 1
  }

  async list(filter: UserFilter, page: PageQuery<UserSortField>): Promise<Page<UserSummary>> {
    return this.#users.page(toFilter(filter), page, LIST)
  }

  async count(filter: UserFilter): Promise<number> {
    return this.#users.count(toFilter(filter))
  }

  /** Counted by the server. */
  async countAdministrators(roles: readonly string[]): Promise<number> {
    return this.#users.count({ enabled: true, locked: false, roles: { $in: [...roles] } })
  }

  async #one(filter: Filter<StoredDocument>): Promise<UserRecord | null> {
    const found = await this.#users.findOne(filter)
    return found === null ? null : toRecord(found)
  }

  #now(): { readonly updatedAt: Date } {
    return { updatedAt: new Date(this.#clock.now()) }
  }
}

function isUserId(id: unknown): id is string {
  return typeof id === 'string' && objectIds.accepts(id)
}

function holding(provider: string, subject: string): Document {
  return { $elemMatch: { provider: exactly(provider), subject: exactly(subject) } }
}

function toDocument({ id, metadata, createdAt, updatedAt, ...rest }: UserRecord): Document {
  const moments = { createdAt: new Date(createdAt), updatedAt: new Date(updatedAt) }
  return { _id: new ObjectId(id), ...rest, metadata: storedJson(metadata), ...moments }
}

function toRecord(document: Document): UserRecord {
  const { _id, identifier, password, roles, enabled, locked, socialAccounts, metadata, createdAt, updatedAt } = document
  return {
    id: String(_id),
    identifier,
    password: password ?? null,
    roles,
    enabled,
    locked,
    socialAccounts: socialAccounts ?? [],
    metadata: readJson(metadata),
    createdAt: (createdAt as Date).getTime(),
    updatedAt: (updatedAt as Date).getTime()
  }
}

function toFilter(filter: UserFilter): Filter<StoredDocument> {
  const { enabled, locked, role, q } = readFilter(filter, filterTypes.user)
  return {
    ...(enabled === undefined ? {} : { enabled }),
    ...(locked === undefined ? {} : { locked }),
    ...(role === undefined ? {} : { roles: role }),
    ...(q === undefined ? {} : { identifier: containing(q) })
  }
}
