/**
 * Answers kept for `Idempotency-Key`s. One caller owns a key at a time; an owner
 * whose time ran out can no longer write. A secret in an answer is the caller's to encrypt.
 */
import type { Clock } from 'svc-kernel'
import { randomId } from 'svc-kernel/plugin'
import type { StoreDefinition, StoreParts } from 'svc-stores'
import { operationsOf, storableRecord } from 'svc-stores/plugin'
import { above, atMost, type Database, isNull, purge, type Table, type TablePlan, type Where } from 'svc-stores/table'

export interface IdempotentAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface IdempotencyRecord {
  /** Hash of identity and key. */
  readonly id: string
  /** Hash of route, parameters and body. */
  readonly fingerprint: string
  /** Who may complete it. */
  readonly owner: string
  /** `null` while the request is in flight. */
  readonly answer: IdempotentAnswer | null
  /** Epoch ms. */
  readonly createdAt: number
  readonly expiresAt: number
}

export type IdempotencyOpening =
  | { readonly state: 'started'; readonly owner: string }
  /** The same request is being served. */
  | { readonly state: 'in-flight' }
  /** The key was used for another request; also while that one is in flight. */
  | { readonly state: 'mismatch' }
  | { readonly state: 'completed'; readonly answer: IdempotentAnswer }

export interface IdempotencyStore {
  /** Atomic: of concurrent calls with one id exactly one is `started`. An expired record counts as absent. */
  begin(id: string, fingerprint: string, ttlMs: number): Promise<IdempotencyOpening>
  /** Keeps the answer until the key expires. `false` when the owner has lost the key. */
  complete(id: string, owner: string, answer: IdempotentAnswer): Promise<boolean>
  /** Frees the key of a request that failed. `false` when the owner has lost the key, or completed it. */
  abandon(id: string, owner: string): Promise<boolean>
  /** Removes expired records. @returns how many */
  purge(): Promise<number>
}

const plan: TablePlan = {
  name: 'svc_idempotency_key',
  collection: 'idempotency_key',
  record: 'idempotency',
  columns: [
    { name: 'id', type: 'text' },
    { name: 'fingerprint', type: 'text' },
    { name: 'owner', type: 'text' },
    { name: 'answer', type: 'document', nullable: true },
    { name: 'createdAt', type: 'integer' },
    { name: 'expiresAt', type: 'integer' }
  ],
  indexes: [{ columns: ['expiresAt'], name: 'by_expiry' }]
}

const shape = {
  fields: ['id', 'fingerprint', 'owner', 'answer', 'createdAt', 'expiresAt'],
  keys: ['id', 'fingerprint', 'owner'],
  json: ['answer']
}

export class TableIdempotencyStore implements IdempotencyStore {
  readonly #clock: Clock
  readonly #keys: Table<IdempotencyRecord>

  constructor(database: Database, { clock }: StoreParts) {
    this.#clock = clock
    this.#keys = database.table(plan)
  }

  async begin(id: string, fingerprint: string, ttlMs: number): Promise<IdempotencyOpening> {
    const now = this.#clock.now()
    const owner = randomId('own')
    const given = { id, fingerprint, owner, answer: null, createdAt: now, expiresAt: now + ttlMs }
    const record = storableRecord<IdempotencyRecord>(given, shape)
    for (;;) {
      // Takes only the place of an expired record: of callers at once the database lets one through.
      if ((await this.#keys.put(record, { guard: { expiresAt: atMost(now) } })) !== null)
        return { state: 'started', owner }
      const standing = await this.#keys.findOne({ id, expiresAt: above(now) })
      // Freed, or expired, between the two: it can be opened.
      if (standing !== null) return opening(standing, fingerprint)
    }
  }

  async complete(id: string, owner: string, answer: IdempotentAnswer): Promise<boolean> {
    const given = { id, owner, answer, fingerprint: '', createdAt: 0, expiresAt: 0 }
    const { answer: kept } = storableRecord<IdempotencyRecord>(given, shape)
    return (await this.#keys.update(this.#owned(id, owner), { set: { answer: kept } })) === 1
  }

  async abandon(id: string, owner: string): Promise<boolean> {
    return (await this.#keys.delete(this.#owned(id, owner))) === 1
  }

  purge(): Promise<number> {
    return purge(this.#keys, { expiresAt: atMost(this.#clock.now()) })
  }

  /** The record while it is in flight, in time, and this owner's. */
  #owned(id: string, owner: string): Where<IdempotencyRecord> {
    return { id, owner, answer: isNull, expiresAt: above(this.#clock.now()) }
  }
}

function opening({ fingerprint, answer }: IdempotencyRecord, given: string): IdempotencyOpening {
  if (fingerprint !== given) return { state: 'mismatch' }
  return answer === null ? { state: 'in-flight' } : { state: 'completed', answer }
}

export const idempotencyStore: StoreDefinition<IdempotencyStore> = {
  brick: 'idempotency',
  operations: operationsOf(TableIdempotencyStore),
  open: (database, parts) => new TableIdempotencyStore(database, parts),
  // It has no read: this finds nothing to free.
  check: (store) => store.abandon('health', 'health')
}
