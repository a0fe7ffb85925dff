/**
 * `fastify.userAccounts`: logs users in from routes of the application's own, and makes, finds, lists and changes them
 * where this plugin keeps them. Where the application keeps its users itself, it changes them itself, too.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { currentRequest, type User } from 'svc-kernel'
import { changedMeanwhile } from 'svc-kernel/plugin'
import type { Page, PageQuery } from 'svc-stores'
import { afterCommit, type Transaction } from 'svc-stores/table'
import { AuthenticationUnavailable, InvalidPassword } from '../errors.ts'
import type { AuditWriter } from '../journal/audit-writer.ts'
import { type PasswordVerifier, readPhc } from './passwords.ts'
import type { Ending, UserEndings } from './user-endings.ts'
import { type LoadedUser, loginName, StoredUsers, type UserSource } from './user-source.ts'
import type { UserFilter, UserPatch, UserRecord, UserSortField, UserStore, UserSummary } from './user-store.ts'

/** The account to be created, with a password or its hash. */
export interface NewAccount {
  readonly identifier: string
  /** In clear, or `passwordHash`: one of both. */
  readonly password?: string
  /** PHC string of argon2id, such as `hashPassword` makes it; an imported user keeps their password. */
  readonly passwordHash?: string
  readonly roles: readonly string[]
}

/** A user without what proves them. */
export type AccountView = Pick<LoadedUser, 'identifier' | 'roles' | 'enabled' | 'locked'>

/** Whether a login opens a session. */
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
  'create' | 'find' | 'findByIdentifier' | 'list' | 'count' | 'countAdministrators' | 'update' | 'delete'
>

export interface UserAccountsParts {
  /** Where users are stored: `memory`, a driver's name, `parts` for a ready store, `application` for its own users; `null` nowhere. */
  readonly driver: string | null
  readonly store: AccountStore | null
  /** The same inside a transaction. @throws StoreOutsideTransaction */
  readonly storeWithin: (tx: Transaction) => UserStore
  readonly source: UserSource
  readonly passwords: Pick<PasswordVerifier, 'hash'>
  readonly login: PasswordLogin
  readonly journal: Pick<AuditWriter, 'done' | 'mishap'>
  readonly endings: Pick<UserEndings, 'endEverything'>
}

/** Accounts inside a transaction, which logs nobody in. */
export type JoinedAccounts = Pick<
  UserAccounts,
  'create' | 'find' | 'list' | 'setRoles' | 'setLocked' | 'setPassword' | 'rename' | 'remove'
>

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
   * Hashes a password that `passwords.minLength` and `parts.passwords.check` take, at the cost of the options, in the
   * queue of the logins. For users that the application keeps; once it has changed the password, it calls `endEverything`.
   *
   * @param identifier of its user, for the check; `null` where it is not known
   * @throws InvalidPassword (SVC_SEC_PASSWORD, 400), PasswordsBusy (503)
   */
  hashPassword(password: string, identifier: string | null = null): Promise<string> {
    return this.#parts.passwords.hash(password, identifier)
  }

  /**
   * @returns the id that the store gave
   * @throws DuplicateRecord (SVC_STORE_DUPLICATE) when the identifier is taken, InvalidPassword (SVC_SEC_PASSWORD) for a
   * password that is refused, a hash of another kind, and none or both of them
   */
  async create({ identifier, password, passwordHash, roles }: NewAccount): Promise<string> {
    const store = this.#store()
    const hashed = await this.#hashOf(identifier, password, passwordHash)
    const { id } = await store.create({ identifier: loginName(identifier), password: hashed, roles })
    this.#audit('user.created', identifier, { roles })
    return id
  }

  /**
   * The same accounts inside an open transaction of the database that keeps users: a user and the rows that belong to it
   * are kept together, or not at all. The audit is told once they are kept.
   *
   * @throws StoreOutsideTransaction (SVC_STORE_TRANSACTION) where users are stored elsewhere, TransactionOver
   */
  within(tx: Transaction): JoinedAccounts {
    this.#store()
    const { storeWithin, journal } = this.#parts
    const store = storeWithin(tx)
    const mishap = journal.mishap.bind(journal)
    const told: UserAccountsParts['journal'] = { mishap, done: (event) => afterCommit(tx, () => journal.done(event)) }
    const endings = { endEverything: async (ending: Ending) => afterCommit(tx, () => this.#endLater(ending)) }
    return new UserAccounts({ ...this.#parts, store, source: new StoredUsers(store, false), journal: told, endings })
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

  /**
   * Replaces the roles of a user.
   *
   * @param seen the `updatedAt` of the user that the change was made from; `undefined` for whatever is stored
   * @returns `false` when no user has this identifier
   * @throws ChangedMeanwhile (SVC_HTTP_CHANGED, 409) where `seen` is not what is stored, with that as `current`
   */
  async setRoles(identifier: string, roles: readonly string[], seen?: number): Promise<boolean> {
    const before = await this.#update(identifier, { roles }, seen)
    if (before === null) return false
    const gains = before.identifier === actorNow() && roles.some((role) => !before.roles.includes(role))
    this.#audit(gains ? 'user.self_granted' : 'user.roles', identifier, { before: before.roles, after: roles })
    return true
  }

  /**
   * A locked user proves nothing any more, from the next request on, and everything that let the user in ends: what is
   * unlocked later begins with a login, and with new API keys.
   *
   * @param seen as for `setRoles`
   * @returns `false` when no user has this identifier
   * @throws ChangedMeanwhile (SVC_HTTP_CHANGED, 409), AuthenticationUnavailable (503) where something could not end
   */
  async setLocked(identifier: string, locked: boolean, seen?: number): Promise<boolean> {
    // What was made in the moment of the lock, or locked elsewhere, does not come back to life.
    if (!locked && (await this.find(identifier))?.locked === true) await this.endEverything(identifier, 'locked')
    const before = await this.#update(identifier, { locked }, seen)
    if (before === null) return false
    this.#audit(locked ? 'user.locked' : 'user.unlocked', identifier, { before: before.locked, after: locked })
    if (locked) await this.endEverything(identifier, 'locked')
    return true
  }

  /**
   * Replaces the password of a user, and ends everything that let the user in.
   *
   * @returns `false` when no user has this identifier
   * @throws InvalidPassword (SVC_SEC_PASSWORD), AuthenticationUnavailable (503) where something could not end
   */
  async setPassword(identifier: string, password: string): Promise<boolean> {
    const hashed = await this.hashPassword(password, identifier)
    if ((await this.#update(identifier, { password: hashed })) === null) return false
    this.#audit('user.password', identifier)
    await this.endEverything(identifier, 'password')
    return true
  }

  /**
   * Gives a user another identifier. Factors and rows that name the user's id stay; sessions, tokens and API keys name the
   * old identifier, and end.
   *
   * @returns `false` when no user has this identifier
   * @throws DuplicateRecord (SVC_STORE_DUPLICATE) when the new one is taken
   */
  async rename(identifier: string, next: string): Promise<boolean> {
    if ((await this.#update(identifier, { identifier: loginName(next) })) === null) return false
    this.#audit('user.renamed', identifier, { before: loginName(identifier), after: loginName(next) })
    await this.endEverything(identifier, 'renamed')
    return true
  }

  /** Deletes a user, and ends everything that let the user in. @returns `false` when no user has this identifier */
  async remove(identifier: string): Promise<boolean> {
    const store = this.#store()
    const user = await store.findByIdentifier(loginName(identifier))
    if (user === null || !(await store.delete(user.id))) return false
    this.#audit('user.deleted', identifier, { roles: user.roles })
    await this.endEverything(identifier, 'deleted')
    return true
  }

  /**
   * Ends what lets a user in: sessions, refresh and access tokens, API keys, and the WebSockets that were opened with
   * them. Called by each change of this class that asks for it, and by an application that keeps its users itself and has
   * locked one, deleted one, or changed a password.
   *
   * @param reason as the journal shows it
   * @throws AuthenticationUnavailable (503) where something could not end; repeating it is safe
   */
  async endEverything(identifier: string, reason = 'manual'): Promise<void> {
    await this.#parts.endings.endEverything({ identifier: loginName(identifier), reason })
  }

  async #hashOf(identifier: string, password: string | undefined, hash: string | undefined): Promise<string> {
    if (password !== undefined && hash === undefined) return this.hashPassword(password, identifier)
    if (hash === undefined || password !== undefined) throw new InvalidPassword('or its hash is needed, and not both')
    if (readPhc(hash) === null) throw new InvalidPassword('has a hash that is no PHC string of argon2id')
    return hash
  }

  #endLater(ending: Ending): void {
    const { endings, journal } = this.#parts
    endings.endEverything(ending).catch((error: unknown) => {
      journal.mishap('sessions or tokens of a changed user could not be ended', error, currentRequest())
    })
  }

  /** @returns the user before the change, or `null` where there is none */
  async #update(identifier: string, patch: UserPatch, seen?: number): Promise<UserRecord | null> {
    const store = this.#store()
    const user = await store.findByIdentifier(loginName(identifier))
    if (user === null) return null
    if (seen !== undefined && user.updatedAt !== seen) throw changedMeanwhile('the user', shown(user))
    if ((await store.update(user.id, patch, seen)) !== null) return user
    const kept = seen === undefined ? null : await store.find(user.id)
    if (kept === null) return null
    throw changedMeanwhile('the user', shown(kept))
  }

  #store(): AccountStore {
    if (this.#parts.store === null) throw new AuthenticationUnavailable()
    return this.#parts.store
  }

  #audit(action: string, identifier: string, metadata: Readonly<Record<string, unknown>> = {}): void {
    const event = { category: 'config', action, outcome: 'success', actor: actorNow(), reason: null } as const
    this.#parts.journal.done({ ...event, resource: loginName(identifier), metadata })
  }
}

function actorNow(): string | null {
  return currentRequest()?.user?.identifier ?? null
}

/** What administrators see of a user. */
export function shown({ id, identifier, roles, enabled, locked, ...kept }: Omit<UserRecord, 'password' | 'metadata'>) {
  const socialAccounts = kept.socialAccounts.map(({ provider, linkedAt }) => ({ provider, linkedAt }))
  const { createdAt, updatedAt } = kept
  return { id, identifier, roles, enabled, locked, socialAccounts, createdAt, updatedAt }
}
