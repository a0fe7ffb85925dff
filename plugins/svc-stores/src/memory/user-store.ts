/** Users in memory: for development and tests; lost at a restart, seen by one instance. */
import { type Clock, randomId } from 'svc-kernel'
import type {
  NewUser,
  SocialAccount,
  UserFilter,
  UserPatch,
  UserRecord,
  UserSortField,
  UserStore,
  UserSummary
} from '../contracts/user-store.ts'
import { DuplicateRecord } from '../errors.ts'
import type { Page, PageQuery } from '../paging/page.ts'
import { filterTypes, readFilter } from '../paging/read-filter.ts'
import { sortFields } from '../paging/sort-fields.ts'
import { newRecords } from '../records/new-records.ts'
import { recordShapes } from '../records/record-shapes.ts'
import { checkText, storablePatch, storableRecord } from '../records/storable-record.ts'
import { containsText } from './contains-text.ts'
import { copyOut, MemoryTable } from './memory-table.ts'
import type { StoreParts } from './store-parts.ts'

export class MemoryUserStore implements UserStore {
  readonly #clock: Clock
  readonly #table = new MemoryTable<UserRecord>('user')
  readonly #idByIdentifier = new Map<string, string>()
  readonly #idByAccount = new Map<string, string>()

  constructor({ clock }: StoreParts) {
    this.#clock = clock
  }

  async create(user: NewUser): Promise<UserRecord> {
    const given = storableRecord(user, recordShapes.user)
    const row = newRecords.user(given, randomId('usr'), this.#clock.now())
    this.#claimIdentifier(row.identifier, row.id)
    this.#table.insert(row)
    return copyOut(row)
  }

  async find(id: string): Promise<UserRecord | null> {
    return this.#copy(id)
  }

  async findByIdentifier(identifier: string): Promise<UserRecord | null> {
    return this.#copy(this.#idByIdentifier.get(identifier))
  }

  async findBySocialAccount(provider: string, subject: string): Promise<UserRecord | null> {
    return this.#copy(this.#idByAccount.get(accountKey(provider, subject)))
  }

  async update(id: string, patch: UserPatch): Promise<UserRecord | null> {
    const changes = storablePatch(patch, recordShapes.user)
    const row = this.#table.get(id)
    if (row === undefined) return null
    if (changes.identifier !== undefined && changes.identifier !== row.identifier) {
      this.#claimIdentifier(changes.identifier, id)
      this.#idByIdentifier.delete(row.identifier)
    }
    return copyOut(this.#change(row, changes))
  }

  async replacePassword(id: string, expected: string | null, next: string): Promise<boolean> {
    checkText('password', next, false)
    const row = this.#table.get(id)
    if (row === undefined || row.password !== expected) return false
    this.#change(row, { password: next })
    return true
  }

  async linkSocialAccount(id: string, provider: string, subject: string): Promise<boolean> {
    checkText('socialAccounts', provider, true)
    checkText('socialAccounts', subject, true)
    const row = this.#table.get(id)
    if (row === undefined) return false
    const key = accountKey(provider, subject)
    const owner = this.#idByAccount.get(key)
    if (owner !== undefined && owner !== id) throw new DuplicateRecord('user', 'social account')
    if (owner === id) return true
    this.#idByAccount.set(key, id)
    const account: SocialAccount = { provider, subject, linkedAt: this.#clock.now() }
    this.#change(row, { socialAccounts: [...row.socialAccounts, account] })
    return true
  }

  async unlinkSocialAccount(id: string, provider: string, subject: string): Promise<boolean> {
    const row = this.#table.get(id)
    if (row === undefined || this.#idByAccount.get(accountKey(provider, subject)) !== id) return false
    this.#idByAccount.delete(accountKey(provider, subject))
    const socialAccounts = row.socialAccounts.filter((one) => one.provider !== provider || one.subject !== subject)
    this.#change(row, { socialAccounts })
    return true
  }

  async delete(id: string): Promise<boolean> {
    const row = this.#table.get(id)
    if (row === undefined) return false
    this.#idByIdentifier.delete(row.identifier)
    for (const { provider, subject } of row.socialAccounts) this.#idByAccount.delete(accountKey(provider, subject))
    return this.#table.delete(id)
  }

  async list(filter: UserFilter, page: PageQuery<UserSortField>): Promise<Page<UserSummary>> {
    const found = this.#table.page(matching(filter), page, sortFields.user)
    return { ...found, items: found.items.map(({ password: _password, ...summary }) => summary) }
  }

  async count(filter: UserFilter): Promise<number> {
    return this.#table.count(matching(filter))
  }

  async countAdministrators(roles: readonly string[]): Promise<number> {
    return this.#table.count((row) => row.enabled && !row.locked && row.roles.some((role) => roles.includes(role)))
  }

  #copy(id: string | undefined): UserRecord | null {
    const row = id === undefined ? undefined : this.#table.get(id)
    return row === undefined ? null : copyOut(row)
  }

  #change(row: UserRecord, changes: Partial<UserRecord>): UserRecord {
    return this.#table.change(row, { ...changes, updatedAt: this.#clock.now() })
  }

  #claimIdentifier(identifier: string, id: string): void {
    if (this.#idByIdentifier.has(identifier)) throw new DuplicateRecord('user', 'identifier')
    this.#idByIdentifier.set(identifier, id)
  }
}

function accountKey(provider: string, subject: string): string {
  return JSON.stringify([provider, subject])
}

function matching(filter: UserFilter): (row: UserRecord) => boolean {
  const { enabled, locked, role, q } = readFilter(filter, filterTypes.user)
  return (row) =>
    (enabled === undefined || row.enabled === enabled) &&
    (locked === undefined || row.locked === locked) &&
    (role === undefined || row.roles.includes(role)) &&
    (q === undefined || containsText(row.identifier, q))
}
