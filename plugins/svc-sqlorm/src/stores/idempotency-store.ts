/**
 * Idempotency keys in the table `svc_idempotency_key`. Opening is one upsert that
 * takes only an expired record's place: of callers at once the database lets one through.
 */
import { type Clock, randomId } from 'svc-kernel'
import {
  type IdempotencyOpening,
  type IdempotencyRecord,
  type IdempotencyStore,
  type IdempotentAnswer,
  recordShapes,
  storableRecord
} from 'svc-stores'
import type { SqlConnection } from '../connection/sql-connection.ts'
import { integer, optionalFreeJson, text } from './store-columns.ts'
import { all, compared, exactly, isNull, type Where } from './store-conditions.ts'
import { type StorePlan, StoreTable } from './store-table.ts'

export const idempotencyPlan: StorePlan = {
  brick: 'idempotency',
  unique: 'id',
  table: {
    name: 'svc_idempotency_key',
    columns: [
      text('id'),
      text('fingerprint'),
      text('owner'),
      optionalFreeJson('answer'),
      integer('createdAt'),
      integer('expiresAt')
    ],
    indexes: [{ columns: ['expiresAt'] }]
  }
}

const REPLACED = ['fingerprint', 'owner', 'answer', 'createdAt', 'expiresAt']

export class SqlIdempotencyStore implements IdempotencyStore {
  readonly #clock: Clock
  readonly #keys: StoreTable<IdempotencyRecord>

  constructor(connection: SqlConnection, clock: Clock) {
    this.#clock = clock
    this.#keys = StoreTable.declare(connection, idempotencyPlan)
  }

  async begin(id: string, fingerprint: string, ttlMs: number): Promise<IdempotencyOpening> {
    const now = this.#clock.now()
    const owner = randomId('own')
    const given = { id, fingerprint, owner, answer: null, createdAt: now, expiresAt: now + ttlMs }
    const record = storableRecord<IdempotencyRecord>(given, recordShapes.idempotency)
    const expired = compared('svc_idempotency_key.expiresAt', '<=', now)
    for (;;) {
      if ((await this.#keys.upsert(record, REPLACED, {}, expired)) !== null) return { state: 'started', owner }
      const standing = await this.#keys.findOne(all(exactly('id', id), compared('expiresAt', '>', now)))
      // Freed, or expired, between the two: it can be opened.
      if (standing !== null) return opening(standing, fingerprint)
    }
  }

  async complete(id: string, owner: string, answer: IdempotentAnswer): Promise<boolean> {
    const given = { id, owner, answer, fingerprint: '', createdAt: 0, expiresAt: 0 }
    const { answer: kept } = storableRecord<IdempotencyRecord>(given, recordShapes.idempotency)
    return (await this.#keys.update({ answer: kept }, this.#owned(id, owner))) === 1
  }

  async abandon(id: string, owner: string): Promise<boolean> {
    return (await this.#keys.delete(this.#owned(id, owner))) === 1
  }

  purge(): Promise<number> {
    return this.#keys.purge(compared('expiresAt', '<=', this.#clock.now()))
  }

  /** The record while it is in flight, in the hands of this owner and in time. */
  #owned(id: string, owner: string): Where {
    const inTime = compared('expiresAt', '>', this.#clock.now())
    return all(exactly('id', id), exactly('owner', owner), isNull('answer'), inTime)
  }
}

function opening({ fingerprint, answer }: IdempotencyRecord, given: string): IdempotencyOpening {
  if (fingerprint !== given) return { state: 'mismatch' }
  return answer === null ? { state: 'in-flight' } : { state: 'completed', answer }
}
