/**
 * Idempotency keys in the collection `idempotency_key`. Opening is one upsert that
 * takes only an expired record's place: of callers at once the server lets one through.
 */
import type { Document, Filter } from 'mongodb'
import { type Clock, randomId } from 'svc-kernel'
import {
  DuplicateRecord,
  type IdempotencyOpening,
  type IdempotencyRecord,
  type IdempotencyStore,
  type IdempotentAnswer,
  type JsonObject,
  recordShapes,
  storableRecord
} from 'svc-stores'
import type { DocumentConnection } from '../connection/document-connection.ts'
import { readJson, storedJson } from '../table/stored-json.ts'
import { exactly } from './exactly.ts'
import { type CollectionPlan, StoreCollection, type StoredDocument } from './store-collection.ts'
import { JSON_TYPE, storeSchema, TEXT, TIME } from './store-schema.ts'

export const idempotencyPlan: CollectionPlan = {
  name: 'idempotency_key',
  brick: 'idempotency',
  unique: 'id',
  schema: storeSchema('idempotency_key', {
    _id: { type: String, required: true },
    fingerprint: TEXT,
    owner: TEXT,
    answer: JSON_TYPE,
    createdAt: TIME,
    expiresAt: TIME
  }),
  indexes: [{ key: { expiresAt: 1 }, name: 'by_expiry' }]
}

export class DocumentIdempotencyStore implements IdempotencyStore {
  readonly #clock: Clock
  readonly #keys: StoreCollection

  constructor(connection: DocumentConnection, clock: Clock) {
    this.#clock = clock
    this.#keys = new StoreCollection(connection, idempotencyPlan)
  }

  async begin(id: string, fingerprint: string, ttlMs: number): Promise<IdempotencyOpening> {
    const now = this.#clock.now()
    const owner = randomId('own')
    const given = { id, fingerprint, owner, answer: null, createdAt: now, expiresAt: now + ttlMs }
    const { id: _id, ...record } = storableRecord<IdempotencyRecord>(given, recordShapes.idempotency)
    for (;;) {
      try {
        await this.#keys.run((collection) =>
          collection.updateOne({ _id, expiresAt: { $lte: now } }, { $set: record }, { upsert: true })
        )
        return { state: 'started', owner }
      } catch (error) {
        if (!(error instanceof DuplicateRecord)) throw error
      }
      const standing = await this.#keys.findOne({ _id, expiresAt: { $gt: now } })
      // Freed, or expired, between the two: it can be opened.
      if (standing !== null) return opening(standing, fingerprint)
    }
  }

  async complete(id: string, owner: string, answer: IdempotentAnswer): Promise<boolean> {
    const given = { id, owner, answer, fingerprint: '', createdAt: 0, expiresAt: 0 }
    const { answer: kept } = storableRecord<IdempotencyRecord>(given, recordShapes.idempotency)
    return this.#keys.changedOne(this.#owned(id, owner), {
      $set: { answer: storedJson(kept as unknown as JsonObject) }
    })
  }

  async abandon(id: string, owner: string): Promise<boolean> {
    return (await this.#keys.deleted(this.#owned(id, owner))) === 1
  }

  purge(): Promise<number> {
    return this.#keys.deleted({ expiresAt: { $lte: this.#clock.now() } })
  }

  /** The record while it is in flight, in the hands of this owner and in time. */
  #owned(id: string, owner: string): Filter<StoredDocument> {
    return { _id: exactly(id), owner: exactly(owner), answer: null, expiresAt: { $gt: this.#clock.now() } }
  }
}

function opening({ fingerprint, answer }: Document, given: string): IdempotencyOpening {
  if (fingerprint !== given) return { state: 'mismatch' }
  if (answer === null) return { state: 'in-flight' }
  return { state: 'completed', answer: readJson(answer) as unknown as IdempotentAnswer }
}
