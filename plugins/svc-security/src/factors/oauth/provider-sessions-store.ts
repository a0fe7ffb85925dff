/**
 * Which sessions began at an identity provider, by hashes of what the provider calls its user and its own session: so that
 * a logout there ends them here, whichever instance hears of it. A row goes with its session, or when that is too old.
 */
import type { Clock } from 'svc-kernel'
import type { StoreDefinition, StoreParts } from 'svc-stores'
import { operationsOf, storableRecord } from 'svc-stores/plugin'
import { atMost, type Database, given, oneOf, purge, type Table, type TablePlan } from 'svc-stores/table'

export interface ProviderSessionRecord {
  /** Of the session. */
  readonly id: string
  /** Hash of provider and subject. */
  readonly subject: string
  /** Hash of provider and its own session; `null` where it names none. */
  readonly sid: string | null
  /** Epoch ms. */
  readonly expiresAt: number
}

export interface ProviderSessionsStore {
  add(session: ProviderSessionRecord): Promise<void>
  /** A session that takes the place of another one began where that began. `false` where that is not known. */
  move(from: string, to: string): Promise<boolean>
  /** Ids of sessions, in no order. */
  find(begun: { readonly subject?: string; readonly sid?: string }, limit: number): Promise<readonly string[]>
  remove(ids: readonly string[]): Promise<number>
  /** @returns how many were too old */
  purge(): Promise<number>
}

const plan: TablePlan = {
  name: 'svc_provider_session',
  collection: 'provider_session',
  record: 'provider session',
  columns: [
    { name: 'id', type: 'text' },
    { name: 'subject', type: 'text' },
    { name: 'sid', type: 'text', nullable: true },
    { name: 'expiresAt', type: 'integer' }
  ],
  indexes: [
    { columns: ['subject'], name: 'by_subject' },
    { columns: ['sid'], held: 'sid', name: 'by_sid' },
    { columns: ['expiresAt'], name: 'by_expiry' }
  ]
}

const shape = { fields: ['id', 'subject', 'sid', 'expiresAt'], keys: ['id', 'subject', 'sid'], json: [] }

export class TableProviderSessionsStore implements ProviderSessionsStore {
  readonly #clock: Clock
  readonly #sessions: Table<ProviderSessionRecord>

  constructor(database: Database, { clock }: StoreParts) {
    this.#clock = clock
    this.#sessions = database.table(plan)
  }

  async add(session: ProviderSessionRecord): Promise<void> {
    await this.#sessions.put(storableRecord(session, shape))
  }

  /** The new row comes first: of a process that dies in between, both are known. */
  async move(from: string, to: string): Promise<boolean> {
    const begun = await this.#sessions.findOne({ id: from })
    if (begun === null) return false
    await this.#sessions.put({ ...begun, id: to })
    await this.#sessions.delete({ id: from })
    return true
  }

  async find({ subject, sid }: { subject?: string; sid?: string }, limit: number): Promise<readonly string[]> {
    return (await this.#sessions.find(given({ subject, sid }), { limit })).map(({ id }) => id)
  }

  remove(ids: readonly string[]): Promise<number> {
    return this.#sessions.delete({ id: oneOf(ids) })
  }

  purge(): Promise<number> {
    return purge(this.#sessions, { expiresAt: atMost(this.#clock.now()) })
  }
}

export const providerSessionsStore: StoreDefinition<ProviderSessionsStore> = {
  brick: 'providerSessions',
  operations: operationsOf(TableProviderSessionsStore),
  open: (database, parts) => new TableProviderSessionsStore(database, parts),
  check: (store) => store.find({ subject: 'health' }, 1)
}
