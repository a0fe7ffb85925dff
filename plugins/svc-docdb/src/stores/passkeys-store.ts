/** Passkeys in the collection `webauthn_credential`, by credential id. A listing never reads the key. */
import type { Document, Filter } from 'mongodb'
import type { Clock } from 'svc-kernel'
import {
  checkText,
  DuplicateRecord,
  filterTypes,
  type NewPasskey,
  type Page,
  type PageQuery,
  type PasskeyFilter,
  type PasskeyRecord,
  type PasskeySortField,
  type PasskeySummary,
  type PasskeysStore,
  readFilter,
  recordShapes,
  sortFields,
  storableRecord
} from 'svc-stores'
import type { DocumentConnection } from '../connection/document-connection.ts'
import { exactly } from './exactly.ts'
import { startingWith } from './search-pattern.ts'
import { sortIndexes } from './sort-indexes.ts'
import { type CollectionPlan, StoreCollection, type StoredDocument } from './store-collection.ts'
import { OPTIONAL_TEXT, OPTIONAL_TIME, storeSchema, TEXT, TEXTS, TIME } from './store-schema.ts'

const SWITCH = { type: Boolean, required: true }

export const passkeyPlan: CollectionPlan = {
  name: 'webauthn_credential',
  brick: 'passkey',
  unique: 'id',
  schema: storeSchema('webauthn_credential', {
    _id: { type: String, required: true },
    userId: TEXT,
    publicKey: TEXT,
    counter: { type: Number, required: true },
    transports: TEXTS,
    backupEligible: SWITCH,
    backupState: SWITCH,
    nickname: OPTIONAL_TEXT,
    createdAt: TIME,
    lastUsedAt: OPTIONAL_TIME
  }),
  indexes: [{ key: { userId: 1, createdAt: -1, _id: 1 }, name: 'by_user' }, ...sortIndexes(['createdAt', 'userId'])]
}

const LIST = {
  sort: sortFields.passkeys,
  nameOf: (field: PasskeySortField) => (field === 'id' ? '_id' : field),
  projection: { publicKey: 0 },
  toItem: ({ _id, ...rest }: Document): PasskeySummary => ({ id: _id, ...rest }) as PasskeySummary
}

export class DocumentPasskeysStore implements PasskeysStore {
  readonly #clock: Clock
  readonly #passkeys: StoreCollection

  constructor(connection: DocumentConnection, clock: Clock) {
    this.#clock = clock
    this.#passkeys = new StoreCollection(connection, passkeyPlan)
  }

  /** The owner is part of the key: for a credential of another user the server can only insert, and refuses. */
  async save(passkey: NewPasskey): Promise<PasskeyRecord> {
    const { id, userId, counter, ...rest } = storableRecord(passkey, recordShapes.passkeys)
    const update = {
      $set: rest,
      $max: { counter },
      $setOnInsert: { createdAt: this.#clock.now(), lastUsedAt: null }
    }
    const saved = await this.#passkeys.upsert((collection) =>
      collection.findOneAndUpdate({ _id: id, userId }, update, { upsert: true, returnDocument: 'after' })
    )
    if (saved === null) throw new DuplicateRecord('passkey', 'id')
    return toRecord(saved)
  }

  async find(id: string): Promise<PasskeyRecord | null> {
    const found = await this.#passkeys.findOne({ _id: exactly(id) })
    return found === null ? null : toRecord(found)
  }

  async advance(id: string, counter: number, backupState: boolean): Promise<boolean> {
    const higher = counter === 0 ? { counter: 0 } : { counter: { $lt: counter } }
    const update = { $set: { counter, backupState, lastUsedAt: this.#clock.now() } }
    return this.#passkeys.changedOne({ _id: exactly(id), ...higher }, update)
  }

  async rename(id: string, userId: string, nickname: string | null): Promise<boolean> {
    if (nickname !== null) checkText('nickname', nickname, false)
    return this.#passkeys.changedOne({ _id: exactly(id), userId: exactly(userId) }, { $set: { nickname } })
  }

  async remove(id: string, userId: string): Promise<boolean> {
    return (await this.#passkeys.deleted({ _id: exactly(id), userId: exactly(userId) })) === 1
  }

  removeByUser(userId: string): Promise<number> {
    return this.#passkeys.deleted({ userId: exactly(userId) })
  }

  async list(filter: PasskeyFilter, page: PageQuery<PasskeySortField>): Promise<Page<PasskeySummary>> {
    return this.#passkeys.page(toFilter(filter), page, LIST)
  }

  async count(filter: PasskeyFilter): Promise<number> {
    return this.#passkeys.count(toFilter(filter))
  }
}

function toRecord({ _id, ...rest }: Document): PasskeyRecord {
  return { id: _id, ...rest } as PasskeyRecord
}

function toFilter(filter: PasskeyFilter): Filter<StoredDocument> {
  const { userId, q } = readFilter(filter, filterTypes.passkeys)
  return {
    ...(userId === undefined ? {} : { userId }),
    ...(q === undefined ? {} : { nickname: startingWith(q) })
  }
}
