/**
 * Users in the table `svc_user`, see `user-plan.ts`. What touches several tables is one transaction that holds the
 * user's row first, so that of changes at once each sees the one before.
 */
import { type Kysely, sql } from 'kysely'
import type { Clock } from 'svc-kernel'
import { UuidIds } from 'svc-orm'
import {
  checkText,
  DuplicateRecord,
  filterTypes,
  type NewUser,
  newRecords,
  type Page,
  type PageQuery,
  readFilter,
  recordShapes,
  type SocialAccount,
  sortFields,
  storablePatch,
  storableRecord,
  type UserFilter,
  type UserPatch,
  type UserRecord,
  type UserSortField,
  type UserStore,
  type UserSummary
} from 'svc-stores'
import type { SqlConnection } from '../connection/sql-connection.ts'
import { all, among, compared, containing, exactly, isNull, type Where } from './store-conditions.ts'
import { StoreTable } from './store-table.ts'
import { socialAccountPlan, userPlan, userRolePlan } from './user-plan.ts'

interface UserRole {
  readonly role: string
  readonly userId: string
}

interface LinkedAccount extends Pick<SocialAccount, 'provider' | 'subject'> {
  readonly userId: string
}

const HIDDEN = ['password'] as const

export class SqlUserStore implements UserStore {
  readonly #clock: Clock
  readonly #ids: UuidIds
  readonly #users: StoreTable<UserRecord>
  readonly #roles: StoreTable<UserRole>
  readonly #accounts: StoreTable<LinkedAccount>

  constructor(connection: SqlConnection, clock: Clock) {
    this.#clock = clock
    this.#ids = new UuidIds(clock)
    this.#users = StoreTable.declare(connection, userPlan)
    this.#roles = StoreTable.declare(connection, userRolePlan)
    this.#accounts = StoreTable.declare(connection, socialAccountPlan)
  }

  async create(user: NewUser): Promise<UserRecord> {
    const given = storableRecord(user, recordShapes.user)
    const record = newRecords.user(given, this.#ids.generate(), this.#clock.now())
    await this.#users.transaction(async (db) => {
      await this.#users.within(db).insert(record)
      await this.#roles.within(db).insert(...roleRows(record))
    })
    return record
  }

  find(id: string): Promise<UserRecord | null> {
    return this.#users.findBy('id', id)
  }

  findByIdentifier(identifier: string): Promise<UserRecord | null> {
    return this.#users.findBy('identifier', identifier)
  }

  async findBySocialAccount(provider: string, subject: string): Promise<UserRecord | null> {
    const link = await this.#accounts.findOne(accountOf(provider, subject))
    return link === null ? null : this.find(link.userId)
  }

  async update(id: string, patch: UserPatch): Promise<UserRecord | null> {
    const changes = { ...storablePatch(patch, recordShapes.user), updatedAt: this.#clock.now() }
    if (changes.roles === undefined) return this.#users.updateOne(changes, exactly('id', id))
    return this.#users.transaction(async (db) => {
      const updated = await this.#users.within(db).updateOne(changes, exactly('id', id))
      if (updated === null) return null
      const roles = this.#roles.within(db)
      await roles.delete(exactly('userId', id))
      await roles.insert(...roleRows(updated))
      return updated
    })
  }

  async replacePassword(id: string, expected: string | null, next: string): Promise<boolean> {
    checkText('password', next, false)
    const standing = expected === null ? isNull('password') : exactly('password', expected)
    const changes = { password: next, updatedAt: this.#clock.now() }
    return (await this.#users.update(changes, all(exactly('id', id), standing))) === 1
  }

  async linkSocialAccount(id: string, provider: string, subject: string): Promise<boolean> {
    checkText('socialAccounts', provider, true)
    checkText('socialAccounts', subject, true)
    try {
      return await this.#withUser(id, async (user, db) => {
        if (holdsAccount(user, provider, subject)) return true
        await this.#accounts.within(db).insert({ provider, subject, userId: id })
        const linkedAt = this.#clock.now()
        await this.#keepAccounts(db, id, [...user.socialAccounts, { provider, subject, linkedAt }])
        return true
      })
    } catch (error) {
      throw error instanceof DuplicateRecord ? new DuplicateRecord('user', 'social account') : error
    }
  }

  unlinkSocialAccount(id: string, provider: string, subject: string): Promise<boolean> {
    return this.#withUser(id, async (user, db) => {
      if (!holdsAccount(user, provider, subject)) return false
      await this.#accounts.within(db).delete(accountOf(provider, subject))
      const kept = user.socialAccounts.filter((one) => one.provider !== provider || one.subject !== subject)
      await this.#keepAccounts(db, id, kept)
      return true
    })
  }

  delete(id: string): Promise<boolean> {
    return this.#withUser(id, async (_user, db) => {
      await this.#users.within(db).delete(exactly('id', id))
      await this.#roles.within(db).delete(exactly('userId', id))
      await this.#accounts.within(db).delete(exactly('userId', id))
      return true
    })
  }

  async list(filter: UserFilter, page: PageQuery<UserSortField>): Promise<Page<UserSummary>> {
    return this.#users.page(this.#where(filter), page, sortFields.user, HIDDEN)
  }

  async count(filter: UserFilter): Promise<number> {
    return this.#users.count(this.#where(filter))
  }

  /** Counted by the database. */
  countAdministrators(roles: readonly string[]): Promise<number> {
    return this.#users.count(all(compared('enabled', '=', true), compared('locked', '=', false), holdingOneOf(roles)))
  }

  /** @returns `false` when there is no such user */
  #withUser(id: string, work: (user: UserRecord, db: Kysely<unknown>) => Promise<boolean>): Promise<boolean> {
    return this.#users.transaction(async (db) => {
      const user = await this.#users.within(db).lock(exactly('id', id))
      return user === null ? false : work(user, db)
    })
  }

  async #keepAccounts(db: Kysely<unknown>, id: string, socialAccounts: readonly SocialAccount[]): Promise<void> {
    await this.#users.within(db).update({ socialAccounts, updatedAt: this.#clock.now() }, exactly('id', id))
  }

  #where(filter: UserFilter): Where {
    const { enabled, locked, role, q } = readFilter(filter, filterTypes.user)
    return all(
      enabled === undefined ? undefined : compared('enabled', '=', enabled),
      locked === undefined ? undefined : compared('locked', '=', locked),
      role === undefined ? undefined : holdingOneOf([role]),
      q === undefined ? undefined : containing(this.#users.engine, 'identifier', q)
    )
  }
}

function roleRows({ id, roles }: UserRecord): readonly UserRole[] {
  return [...new Set(roles)].map((role) => ({ role, userId: id }))
}

function accountOf(provider: string, subject: string): Where {
  return all(exactly('provider', provider), exactly('subject', subject))
}

function holdsAccount({ socialAccounts }: UserRecord, provider: string, subject: string): boolean {
  return socialAccounts.some((one) => one.provider === provider && one.subject === subject)
}

function holdingOneOf(roles: readonly string[]): Where {
  const holders = sql`select ${sql.ref('userId')} from ${sql.table('svc_user_role')} where ${among('role', roles)}`
  return sql<boolean>`${sql.ref('id')} in (${holders})`
}
