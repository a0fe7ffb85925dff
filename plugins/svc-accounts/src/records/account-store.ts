/** What is known of an account beside its user: the address that was proven, its language, and when it is to go. */
import type { Clock } from 'svc-kernel'
import type { StoreDefinition, StoreParts } from 'svc-stores'
import { operationsOf, storableRecord } from 'svc-stores/plugin'
import { atMost, type Database, type Table, type TablePlan } from 'svc-stores/table'

export interface AccountRecord {
  /** The user's id. */
  readonly id: string
  /** The address that was proven; `null` before. It is the login name, or was before another way renamed the user. */
  readonly address: string | null
  /** Epoch ms. */
  readonly verifiedAt: number | null
  /** Of mails; `null`: that of the application. */
  readonly locale: string | null
  /** Epoch ms: when the account is to be removed. */
  readonly deleteAt: number | null
}

export interface AccountStore {
  find(id: string): Promise<AccountRecord | null>
  /** Notes that a user has proven an address just now. */
  verify(id: string, address: string): Promise<void>
  setLocale(id: string, locale: string): Promise<void>
  /** Sets when an account is to go, or `null`. */
  setDeletion(id: string, deleteAt: number | null): Promise<void>
  /** Ids of those that are to go now, the earliest first. */
  due(limit: number): Promise<readonly string[]>
  /** `true` when this call removed it. */
  remove(id: string): Promise<boolean>
}

const plan: TablePlan = {
  name: 'svc_account',
  collection: 'account',
  record: 'accounts',
  columns: [
    { name: 'id', type: 'text' },
    { name: 'address', type: 'text', nullable: true },
    { name: 'verifiedAt', type: 'integer', nullable: true },
    { name: 'locale', type: 'text', nullable: true },
    { name: 'deleteAt', type: 'integer', nullable: true }
  ],
  indexes: [{ columns: ['deleteAt'], held: 'deleteAt', name: 'by_deletion' }]
}

const shape = {
  fields: ['id', 'address', 'verifiedAt', 'locale', 'deleteAt'],
  keys: ['id', 'address', 'locale'],
  json: []
}

const BLANK = { address: null, verifiedAt: null, locale: null, deleteAt: null }

export class TableAccountStore implements AccountStore {
  readonly #clock: Clock
  readonly #accounts: Table<AccountRecord>

  constructor(database: Database, { clock }: StoreParts) {
    this.#clock = clock
    this.#accounts = database.table(plan)
  }

  async find(id: string): Promise<AccountRecord | null> {
    return this.#accounts.findOne({ id })
  }

  verify(id: string, address: string): Promise<void> {
    return this.#change(id, { address, verifiedAt: this.#clock.now() })
  }

  setLocale(id: string, locale: string): Promise<void> {
    return this.#change(id, { locale })
  }

  setDeletion(id: string, deleteAt: number | null): Promise<void> {
    return this.#change(id, { deleteAt })
  }

  async due(limit: number): Promise<readonly string[]> {
    const order = [{ field: 'deleteAt', direction: 'ASC' }] as const
    const rows = await this.#accounts.find({ deleteAt: atMost(this.#clock.now()) }, { order, limit })
    return rows.map(({ id }) => id)
  }

  async remove(id: string): Promise<boolean> {
    return (await this.#accounts.delete({ id })) === 1
  }

  /** One step, whether or not the account is stored yet: users that were there before have none. */
  async #change(id: string, set: Partial<Omit<AccountRecord, 'id'>>): Promise<void> {
    await this.#accounts.put(storableRecord<AccountRecord>({ ...BLANK, id, ...set }, shape), { change: { set } })
  }
}

export const accountStore: StoreDefinition<AccountStore> = {
  brick: 'accounts',
  operations: operationsOf(TableAccountStore),
  open: (database, parts) => new TableAccountStore(database, parts),
  check: (store) => store.find('health')
}
