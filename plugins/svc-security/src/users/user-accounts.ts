/**
 * `fastify.userAccounts`: logs users in from routes of the application's own, and makes, finds, lists and changes them
 * where this plugin keeps them. Where the application keeps its users itself, it changes them itself, too.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { currentRequest, type User } from 'svc-kernel'
import type { Page, PageQuery } from 'svc-stores'
import { afterCommit, type Transaction } from 'svc-stores/table'
import { AuthenticationUnavailable } from '../errors.ts'
import type { AuditWriter } from '../journal/audit-writer.ts'
import type { PasswordVerifier } from './passwords.ts'
import { type LoadedUser, loginName, StoredUsers, type UserSource } from './user-source.ts'
import type { UserFilter, UserSortField, UserStore, UserSummary } from './user-store.ts'

export interface NewAccount {
  readonly identifier: string
  readonly password: string
  readonly roles: readonly string[]
}

/** A user without what proves them. */
export type AccountView = Pick<LoadedUser, 'identifier' | 'roles' | 'enabled' | 'locked'>

export interface LoginOptions {
  /** Opens a session on this reply, or one that waits for the second factor. Without it the login opens nothing. */
  readonly session?: FastifyReply
}

/** A login whose password held: complete, or with the methods of which one must follow. */
export type LoginResult =
  | { readonly user: User; readonly methods: readonly [] }
  | { readonly user: null; readonly methods: readonly string[] }

/** Whatever does a whole login: `LoginService`. */
export interface PasswordLogin {
  login(request: FastifyRequest, identifier: string, password: string, options?: LoginOptions): Promise<LoginResult>
}

type AccountStore = Pick<
  UserStore,
  'create' | 'find' | 'findByIdentifier' | 'list' | 'count' | 'countAdministrators' | 'update'
>

export interface UserAccountsParts {
  /** Where users are kept: `memory`, a driver's name, `parts` for a ready store, `application` for users of its own; `null` nowhere. */
  readonly driver: string | null
  readonly store: AccountStore | null
  /** The same inside a transaction. @throws StoreOutsideTransaction */
  readonly storeWithin: (tx: Transaction) => UserStore
  readonly source: UserSource
  readonly passwords: Pick<PasswordVerifier, 'hash'>
  readonly login: PasswordLogin
  readonly journal: Pick<AuditWriter, 'done'>
}

/** Accounts inside a transaction, which logs nobody in. */
export type JoinedAccounts = Pick<UserAccounts, 'create' | 'find' | 'list' | 'setRoles' | 'setPassword'>

/** Where no store of ours keeps users, whatever lists or changes them throws AuthenticationUnavailable (503). */
export class UserAccounts {
  readonly driver: string | null
  readonly #parts: UserAccountsParts

  constructor(parts: UserAccountsParts) {
    this.driver = parts.driver
    this.#parts = parts
  }

  /**
   * One login with a name and a password, as POST `auth/login` and POST `token` do it: throttled by name and by network,
   * audited, with the same work and the same error whatever the cause.
   *
   * @returns `user: null` with `methods` where a second factor is due: with `session`, POST `auth/login/totp` completes
   * the login; without one, there is no way on, as a token needs a whole login
   * @throws InvalidCredentials (401, one text), Throttled (429, with `Retry-After`), PasswordsBusy and
   * AuthenticationUnavailable (503); with `session` CrossSite (403) for a page of another origin
   */
  login(
    request: FastifyRequest,
    identifier: string,
    password: string,
    options: LoginOptions = {}
  ): Promise<LoginResult> {
    return this.#parts.login.login(request, identifier, password, options)
  }

  /**
   * Hashes a password at the cost of the options, in the queue of the logins. For users that the application keeps.
   *
   * @throws InvalidPassword (SVC_SEC_PASSWORD, 400), PasswordsBusy (503)
   */
  hashPassword(password: string): Promise<string> {
    return this.#parts.passwords.hash(password)
  }

  /**
   * @returns the id that the store gave
   * @throws DuplicateRecord (SVC_STORE_DUPLICATE) when the identifier is taken, InvalidPassword (SVC_SEC_PASSWORD)
   */
  async create({ identifier, password, roles }: NewAccount): Promise<string> {
    const store = this.#store()
    const hashed = await this.hashPassword(password)
    const { id } = await store.create({ identifier: loginName(identifier), password: hashed, roles })
    this.#audit('user.created', identifier, roles)
    return id
  }

  /**
   * The same accounts inside an open transaction of the database that keeps users: a user and the rows that belong to it
   * are kept together, or not at all. The audit is told once they are kept.
   *
   * @throws StoreOutsideTransaction (SVC_STORE_TRANSACTION) where users are kept elsewhere, TransactionOver
   */
  within(tx: Transaction): JoinedAccounts {
    this.#store()
    const { storeWithin, journal } = this.#parts
    const store = storeWithin(tx)
    const told: UserAccountsParts['journal'] = { done: (event) => afterCommit(tx, () => journal.done(event)) }
    return new UserAccounts({ ...this.#parts, store, source: new StoredUsers(store, false), journal: told })
  }

  /** As a login would load them, from the application's own users too. `null` when no user has this identifier. */
  async find(identifier: string): Promise<AccountView | null> {
    const user = await this.#parts.source.findByIdentifier(loginName(identifier))
    return user && { identifier: user.identifier, roles: user.roles, enabled: user.enabled, locked: user.locked }
  }

  /** A page of users, without passwords. */
  async list(filter: UserFilter, page: PageQuery<UserSortField>): Promise<Page<UserSummary>> {
    return this.#store().list(filter, page)
  }

  async count(filter: UserFilter): Promise<number> {
    return this.#store().count(filter)
  }

  /** By the id that the store gave, without the password. */
  async get(id: string): Promise<UserSummary | null> {
    const found = await this.#store().find(id)
    if (found === null) return null
    const { password: _, ...summary } = found
    return summary
  }

  /** How many can act who hold one of these roles themselves. */
  async countAdministrators(roles: readonly string[]): Promise<number> {
    return this.#store().countAdministrators(roles)
  }

  /** Replaces the roles of a user. @returns `false` when no user has this identifier */
  async setRoles(identifier: string, roles: readonly string[]): Promise<boolean> {
    if (!(await this.#update(identifier, { roles }))) return false
    this.#audit('user.roles', identifier, roles)
    return true
  }

  /** A locked user proves nothing any more, from the next request on. @returns `false` when no user has this identifier */
  async setLocked(identifier: string, locked: boolean): Promise<boolean> {
    if (!(await this.#update(identifier, { locked }))) return false
    this.#audit(locked ? 'user.locked' : 'user.unlocked', identifier)
    return true
  }

  /**
   * Replaces the password of a user; sessions and tokens are left as they are.
   *
   * @returns `false` when no user has this identifier
   * @throws InvalidPassword (SVC_SEC_PASSWORD)
   */
  async setPassword(identifier: string, password: string): Promise<boolean> {
    const hashed = await this.hashPassword(password)
    if (!(await this.#update(identifier, { password: hashed }))) return false
    this.#audit('user.password', identifier)
    return true
  }

  async #update(identifier: string, patch: Parameters<AccountStore['update']>[1]): Promise<boolean> {
    const store = this.#store()
    const user = await store.findByIdentifier(loginName(identifier))
    return user !== null && (await store.update(user.id, patch)) !== null
  }

  #store(): AccountStore {
    if (this.#parts.store === null) throw new AuthenticationUnavailable()
    return this.#parts.store
  }

  #audit(key: string, identifier: string, roles?: readonly string[]): void {
    const metadata = { key, ...(roles === undefined ? {} : { roles }) }
    const event = {
      category: 'config',
      action: 'config.update',
      outcome: 'success',
      actor: currentRequest()?.user?.identifier ?? null,
      reason: null
    } as const
    this.#parts.journal.done({ ...event, resource: loginName(identifier), metadata })
  }
}
