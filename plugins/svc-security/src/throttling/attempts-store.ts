/**
 * Counts of login attempts, for all instances of an application and beyond their restarts. A count has an end, which
 * adding to it does not move. Every operation is one step: of callers at once none is lost.
 */
import type { Clock } from 'svc-kernel'
import type { StoreDefinition, StoreParts } from 'svc-stores'
import { operationsOf, storableRecord } from 'svc-stores/plugin'
import { above, atMost, type Database, oneOf, purge, type Table, type TablePlan } from 'svc-stores/table'

export interface AttemptRecord {
  /** What is counted: a kind and a hash, no name and no address. */
  readonly id: string
  readonly points: number
  /** Epoch ms. */
  readonly createdAt: number
  readonly expiresAt: number
}

export interface AttemptsStore {
  /** Those of these that have not ended, in no order. */
  find(ids: readonly string[]): Promise<readonly AttemptRecord[]>
  /** Adds to a count, which keeps its end. A new one ends after `lastsMs`. */
  add(id: string, points: number, lastsMs: number): Promise<AttemptRecord>
  /** Replaces a count. */
  set(id: string, points: number, lastsMs: number): Promise<AttemptRecord>
  /** @returns whether there was one */
  delete(id: string): Promise<boolean>
  /** Removes counts that have ended. @returns how many */
  purge(): Promise<number>
}

const plan: TablePlan = {
  name: 'svc_login_attempt',
  collection: 'login_attempt',
  record: 'attempts',
  columns: [
    { name: 'id', type: 'text' },
    { name: 'points', type: 'integer' },
    { name: 'createdAt', type: 'integer' },
    { name: 'expiresAt', type: 'integer' }
  ],
  indexes: [{ columns: ['expiresAt'], name: 'by_expiry' }]
}

const shape = {
  fields: ['id', 'points', 'createdAt', 'expiresAt'],
  keys: ['id'],
  json: []
}

export class TableAttemptsStore implements AttemptsStore {
  readonly #clock: Clock
  readonly #counts: Table<AttemptRecord>

  constructor(database: Database, { clock }: StoreParts) {
    this.#clock = clock
    this.#counts = database.table(plan)
  }

  find(ids: readonly string[]): Promise<readonly AttemptRecord[]> {
    return this.#counts.find({ id: oneOf(ids), expiresAt: above(this.#clock.now()) })
  }

  async add(id: string, points: number, lastsMs: number): Promise<AttemptRecord> {
    const now = this.#clock.now()
    const fresh = this.#record(id, points, lastsMs)
    for (;;) {
      const standing = await this.#counts.updateOne({ id, expiresAt: above(now) }, { add: { points } })
      if (standing !== null) return standing
      // Takes only the place of one that has ended: of callers at once the database lets one through.
      const begun = await this.#counts.put(fresh, { guard: { expiresAt: atMost(now) } })
      if (begun !== null) return begun
    }
  }

  async set(id: string, points: number, lastsMs: number): Promise<AttemptRecord> {
    const record = this.#record(id, points, lastsMs)
    await this.#counts.put(record)
    return record
  }

  async delete(id: string): Promise<boolean> {
    return (await this.#counts.delete({ id })) === 1
  }

  purge(): Promise<number> {
    return purge(this.#counts, { expiresAt: atMost(this.#clock.now()) })
  }

  #record(id: string, points: number, lastsMs: number): AttemptRecord {
    const now = this.#clock.now()
    return storableRecord<AttemptRecord>({ id, points, createdAt: now, expiresAt: now + lastsMs }, shape)
  }
}

export const attemptsStore: StoreDefinition<AttemptsStore> = {
  brick: 'attempts',
  operations: operationsOf(TableAttemptsStore),
  open: (database, parts) => new TableAttemptsStore(database, parts),
  check: (store) => store.find(['health'])
}
