/** Users. The identifier is unique and compared exactly; a password leaves the store only by `find`. */
import type { Clock, MaybePromise } from 'svc-kernel'
import type { JsonObject, Page, PageQuery, StoreDefinition, StoreParts } from 'svc-stores'
import { checkText, operationsOf, readFilter, type SortFields, storablePatch, storableRecord } from 'svc-stores/plugin'
import {
  asDuplicate,
  containing,
  type Database,
  given,
  holding,
  holdingItem,
  isNull,
  type Lookup,
  lackingItem,
  pageOf,
  sortIndexes,
  type Table,
  type TablePlan,
  type Where
} from 'svc-stores/table'

/** A login at another provider. A pair of provider and subject belongs to one user. */
export interface SocialAccount {
  readonly provider: string
  readonly subject: string
  /** Epoch ms. */
  readonly linkedAt: number
}

export interface UserRecord {
  /** Given by the store. */
  readonly id: string
  readonly identifier: string
  /** Password hash, PHC string; `null` where the user has no password. */
  readonly password: string | null
  readonly roles: readonly string[]
  readonly enabled: boolean
  readonly locked: boolean
  readonly socialAccounts: readonly SocialAccount[]
  readonly metadata: JsonObject
  /** Epoch ms. */
  readonly createdAt: number
  /** Epoch ms. */
  readonly updatedAt: number
}

/** Absent: no password, no roles, enabled, not locked, no metadata, no account of a provider. */
export type NewUser = Pick<UserRecord, 'identifier'> &
  Partial<Pick<UserRecord, 'password' | 'roles' | 'enabled' | 'locked' | 'metadata'>> & {
    readonly socialAccounts?: readonly Pick<SocialAccount, 'provider' | 'subject'>[]
  }

/** Absent keys stay as they are. */
export type UserPatch = Partial<
  Pick<UserRecord, 'identifier' | 'password' | 'roles' | 'enabled' | 'locked' | 'metadata'>
>

/** A user as listings show it, without the hash of the password. */
export type UserSummary = Omit<UserRecord, 'password'>

export interface UserFilter {
  readonly enabled?: boolean
  readonly locked?: boolean
  /** Users who hold this role themselves. */
  readonly role?: string
  /** Case-insensitive substring of the identifier; every character is literal. */
  readonly q?: string
}

export type UserSortField = 'identifier' | 'createdAt' | 'updatedAt' | 'enabled' | 'locked' | 'id'

export interface UserStore {
  /** @throws DuplicateRecord when the identifier, or an account of a provider, is taken */
  create(user: NewUser): Promise<UserRecord>
  find(id: string): MaybePromise<UserRecord | null>
  findByIdentifier(identifier: string): MaybePromise<UserRecord | null>
  /** Where they are found, for stores of the same database: these read a record and its user in one statement. */
  readonly byIdentifier?: Lookup<UserRecord>
  findBySocialAccount(provider: string, subject: string): Promise<UserRecord | null>
  /**
   * `null` when absent, or when `seen` is given and no longer the `updatedAt` that is stored: of callers at once who saw the
   * same, one wins, and its `updatedAt` is a later one.
   *
   * @throws DuplicateRecord when the new identifier is taken
   */
  update(id: string, patch: UserPatch, seen?: number): Promise<UserRecord | null>
  /** Compare-and-set, so that a rehash never undoes a password that changed meanwhile. */
  replacePassword(id: string, expected: string | null, next: string): Promise<boolean>
  /** `false` when the user is absent. A link of the same user is left as it is. @throws DuplicateRecord when it is another user's */
  linkSocialAccount(id: string, provider: string, subject: string): Promise<boolean>
  /** `false` when it is not linked, or when `seen` is given and no longer the `updatedAt` that is stored. */
  unlinkSocialAccount(id: string, provider: string, subject: string, seen?: number): Promise<boolean>
  /** `true` when this call removed the user. @param seen as for `update` */
  delete(id: string, seen?: number): Promise<boolean>
  /** By identifier, ascending. Without passwords. */
  list(filter: UserFilter, page: PageQuery<UserSortField>): Promise<Page<UserSummary>>
  count(filter: UserFilter): Promise<number>
  /** Users who can act as administrators: enabled, not locked, holding one of these roles themselves. */
  countAdministrators(roles: readonly string[]): Promise<number>
}

const plan: TablePlan = {
  name: 'svc_user',
  collection: 'User',
  record: 'user',
  columns: [
    { name: 'id', type: 'id' },
    { name: 'identifier', type: 'text', searched: true },
    { name: 'password', type: 'text', nullable: true },
    { name: 'roles', type: 'text', list: true },
    { name: 'enabled', type: 'boolean' },
    { name: 'locked', type: 'boolean' },
    { name: 'socialAccounts', type: 'json', list: true },
    { name: 'metadata', type: 'document' },
    { name: 'createdAt', type: 'time' },
    { name: 'updatedAt', type: 'time' }
  ],
  indexes: [
    { columns: ['identifier'], unique: true, name: 'unique_identifier' },
    { columns: [['createdAt', 'desc'], 'id'], on: 'sql' },
    { columns: [['updatedAt', 'desc'], 'id'], on: 'sql' },
    { columns: ['enabled', 'identifier'], name: 'by_enabled' },
    { columns: ['locked', 'identifier'], name: 'by_locked' },
    { columns: ['roles', 'identifier'], name: 'by_role', on: 'documents' },
    ...sortIndexes(['createdAt', 'updatedAt', 'enabled', 'locked'])
  ],
  itemIndexes: [
    { column: 'roles', table: 'svc_user_role', columns: ['role'], owner: 'userId' },
    {
      column: 'socialAccounts',
      fields: ['subject', 'provider'],
      unique: true,
      table: 'svc_social_account',
      columns: ['subject', 'provider'],
      owner: 'userId',
      name: 'unique_social_account'
    }
  ]
}

const shape = {
  fields: ['identifier', 'password', 'roles', 'enabled', 'locked', 'metadata'],
  optional: ['password', 'roles', 'enabled', 'locked', 'metadata'],
  patch: ['identifier', 'password', 'roles', 'enabled', 'locked', 'metadata'],
  keys: ['identifier', 'roles'],
  json: ['metadata']
}

export const userSort: SortFields<UserSortField> = {
  fields: ['identifier', 'createdAt', 'updatedAt', 'enabled', 'locked', 'id'],
  fallback: ['identifier', 'ASC']
}

const HIDDEN = ['password'] as const

export class TableUserStore implements UserStore {
  readonly #clock: Clock
  readonly #ids: Database['ids']
  readonly #users: Table<UserRecord>
  readonly byIdentifier: Lookup<UserRecord>

  constructor(database: Database, { clock }: StoreParts) {
    this.#clock = clock
    this.#ids = database.ids
    this.#users = database.table(plan)
    this.byIdentifier = { table: this.#users, column: 'identifier' }
  }

  async create({ socialAccounts = [], ...user }: NewUser): Promise<UserRecord> {
    const now = this.#clock.now()
    for (const { provider, subject } of socialAccounts) checkAccount(provider, subject)
    const record: UserRecord = {
      ...blank,
      ...storableRecord(user, shape),
      id: this.#ids.generate(),
      socialAccounts: socialAccounts.map(({ provider, subject }) => ({ provider, subject, linkedAt: now })),
      createdAt: now,
      updatedAt: now
    }
    await asDuplicate('user', this.#users.insert([record]))
    return record
  }

  find(id: string): MaybePromise<UserRecord | null> {
    return this.#users.findOne({ id })
  }

  findByIdentifier(identifier: string): MaybePromise<UserRecord | null> {
    return this.#users.findOne({ identifier })
  }

  async findBySocialAccount(provider: string, subject: string): Promise<UserRecord | null> {
    return this.#users.findOne({ socialAccounts: holdingItem({ provider, subject }) })
  }

  async update(id: string, patch: UserPatch, seen?: number): Promise<UserRecord | null> {
    const set = { ...storablePatch(patch, shape), ...this.#now(seen) }
    const where = seen === undefined ? { id } : { id, updatedAt: seen }
    return asDuplicate('user', this.#users.updateOne(where, { set }))
  }

  async replacePassword(id: string, expected: string | null, next: string): Promise<boolean> {
    checkText('password', next, false)
    return (
      (await this.#users.update({ id, password: expected ?? isNull }, { set: { password: next, ...this.#now() } })) ===
      1
    )
  }

  async linkSocialAccount(id: string, provider: string, subject: string): Promise<boolean> {
    checkAccount(provider, subject)
    const push = { socialAccounts: { provider, subject, linkedAt: this.#clock.now() } }
    const unlinked = { id, socialAccounts: lackingItem({ provider, subject }) }
    const linking = this.#users.update(unlinked, { push, set: this.#now() })
    return (await asDuplicate('user', linking, 'social account')) === 1 || this.#users.exists({ id })
  }

  async unlinkSocialAccount(id: string, provider: string, subject: string, seen?: number): Promise<boolean> {
    const linked = { id, socialAccounts: holdingItem({ provider, subject }), ...given({ updatedAt: seen }) }
    const pull = { socialAccounts: { provider, subject } }
    return (await this.#users.update(linked, { pull, set: this.#now(seen) })) === 1
  }

  async delete(id: string, seen?: number): Promise<boolean> {
    return (await this.#users.delete(seen === undefined ? { id } : { id, updatedAt: seen })) === 1
  }

  async list(filter: UserFilter, page: PageQuery<UserSortField>): Promise<Page<UserSummary>> {
    return pageOf(this.#users, whereOf(filter), page, userSort, HIDDEN)
  }

  async count(filter: UserFilter): Promise<number> {
    return this.#users.count(whereOf(filter))
  }

  countAdministrators(roles: readonly string[]): Promise<number> {
    return this.#users.count({ enabled: true, locked: false, roles: holding(...roles) })
  }

  /** @param seen of two changes within a millisecond the second has a later time all the same */
  #now(seen = -1): { readonly updatedAt: number } {
    return { updatedAt: Math.max(this.#clock.now(), seen + 1) }
  }
}

function checkAccount(provider: string, subject: string): void {
  checkText('socialAccounts', provider, true)
  checkText('socialAccounts', subject, true)
}

const blank = { password: null, roles: [], enabled: true, locked: false, metadata: {} }

const filters = { enabled: 'boolean', locked: 'boolean', role: 'text', q: 'text' } as const

function whereOf(filter: UserFilter): Where<UserRecord> {
  const { enabled, locked, role, q } = readFilter(filter, filters)
  return given({
    enabled,
    locked,
    roles: role === undefined ? undefined : holding(role),
    identifier: q === undefined ? undefined : containing(q)
  })
}

export const userStore: StoreDefinition<UserStore> = {
  brick: 'user',
  operations: operationsOf(TableUserStore),
  open: (database, parts) => new TableUserStore(database, parts),
  check: async (store) => store.findByIdentifier('health')
}
