/** Idempotency keys in memory: for development and tests; lost at a restart, seen by one instance. */
import { type Clock, randomId } from 'svc-kernel'
import type {
  IdempotencyOpening,
  IdempotencyRecord,
  IdempotencyStore,
  IdempotentAnswer
} from '../contracts/idempotency-store.ts'
import { recordShapes } from '../records/record-shapes.ts'
import { storableRecord } from '../records/storable-record.ts'
import { copyOut, MemoryTable } from './memory-table.ts'
import type { StoreParts } from './store-parts.ts'

export class MemoryIdempotencyStore implements IdempotencyStore {
  readonly #clock: Clock
  readonly #table = new MemoryTable<IdempotencyRecord>('idempotency')

  constructor({ clock }: StoreParts) {
    this.#clock = clock
  }

  async begin(id: string, fingerprint: string, ttlMs: number): Promise<IdempotencyOpening> {
    const now = this.#clock.now()
    const stored = this.#table.get(id)
    if (stored !== undefined && stored.expiresAt > now) return opening(stored, fingerprint)
    const owner = randomId('own')
    const given = { id, fingerprint, owner, answer: null, createdAt: now, expiresAt: now + ttlMs }
    const row = storableRecord<IdempotencyRecord>(given, recordShapes.idempotency)
    if (stored === undefined) this.#table.insert(row)
    else this.#table.change(stored, row)
    return { state: 'started', owner }
  }

  async complete(id: string, owner: string, answer: IdempotentAnswer): Promise<boolean> {
    const row = this.#owned(id, owner)
    if (row === undefined) return false
    this.#table.change(row, storableRecord({ ...row, answer }, recordShapes.idempotency))
    return true
  }

  async abandon(id: string, owner: string): Promise<boolean> {
    return this.#owned(id, owner) !== undefined && this.#table.delete(id)
  }

  async purge(): Promise<number> {
    const now = this.#clock.now()
    return this.#table.deleteWhere((row) => row.expiresAt <= now)
  }

  /** The record while it is in flight, in the hands of this owner and in time. */
  #owned(id: string, owner: string): IdempotencyRecord | undefined {
    const row = this.#table.get(id)
    const open = row !== undefined && row.owner === owner && row.answer === null && row.expiresAt > this.#clock.now()
    return open ? row : undefined
  }
}

function opening({ fingerprint, answer }: IdempotencyRecord, given: string): IdempotencyOpening {
  if (fingerprint !== given) return { state: 'mismatch' }
  return answer === null ? { state: 'in-flight' } : { state: 'completed', answer: copyOut(answer) }
}
