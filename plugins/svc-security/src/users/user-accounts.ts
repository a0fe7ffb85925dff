/**
 * `fastify.userAccounts`: logs users in from routes of the application's own, and makes, finds, lists and changes them
 * where this plugin keeps them. Where the application keeps its users itself, it changes them itself, too.
 */
import type { FastifyRequest } from 'fastify'
import { currentRequest } from 'svc-kernel'
import { changedMeanwhile } from 'svc-kernel/plugin'
import type { Page, PageQuery } from 'svc-stores'
import { afterCommit, type Transaction } from 'svc-stores/table'
import { refuseWhileImpersonating } from '../acting/refuse-while-impersonating.ts'
import { AuthenticationUnavailable, InvalidPassword } from '../errors.ts'
import { readStoredHash } from '../password-hashes/stored-hash.ts'
import {
  type AccountStore,
  type AccountView,
  type LoginOptions,
  type LoginResult,
  type NewAccount,
  shown,
  type UserAccountsParts
} from './account.ts'
import type { Ending } from './user-endings.ts'
import { loginName, StoredUsers } from './user-source.ts'
import type { UserFilter, UserPatch, UserRecord, UserSortField, UserSummary } from './user-store.ts'

/** Accounts inside a transaction, which logs nobody in. */
export type JoinedAccounts = Pick<
  UserAccounts,
  'create' | 'find' | 'list' | 'setRoles' | 'setLocked' | 'setEnabled' | 'setPassword' | 'rename' | 'remove'
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
  async hashPassword(password: string, identifier: string | null = null): Promise<string> {
    refuseWhileImpersonating()
    return this.#parts.passwords.hash(password, identifier)
  }

  /**
   * @returns the id that the store gave
   * @throws DuplicateRecord (SVC_STORE_DUPLICATE) when the identifier is taken, InvalidPassword (SVC_SEC_PASSWORD) for a
   * password that is refused, a hash of no known form, and neither or both of them; BootError SVC_NOT_INSTALLED for a hash of
   * bcrypt without the package that computes it, UnknownRole (SVC_SEC_ROLE_UNKNOWN) beside `declaredRoles`
   */
  async create(account: NewAccount): Promise<string> {
    const { identifier, roles, metadata = {} } = account
    const store = this.#store()
    refuseWhileImpersonating()
    this.#parts.checkRoles(roles)
    const hashed = await this.#hashOf(account)
    const { id } = await store.create({ identifier: loginName(identifier), password: hashed, roles, metadata })
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
    if (user === null) return null
    const { id, identifier: name, roles, enabled, locked } = user
    return { id, identifier: name, roles, enabled, locked }
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
   * @throws ChangedMeanwhile (SVC_HTTP_CHANGED, 409) where `seen` is not what is stored, with that as `current`;
   * UnknownRole (SVC_SEC_ROLE_UNKNOWN) for a role that the user gains and that is not declared, beside `declaredRoles`
   */
  async setRoles(identifier: string, roles: readonly string[], seen?: number): Promise<boolean> {
    const held = (await this.find(identifier))?.roles ?? []
    this.#parts.checkRoles(roles.filter((role) => !held.includes(role)))
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
    return this.#switch(identifier, 'locked', locked, locked ? 'user.locked' : 'user.unlocked', seen)
  }

  /**
   * Switches a user off or on. It does what a lock does; the two are separate, so that an unlocked user can stay off.
   *
   * @param seen as for `setRoles`
   * @returns `false` when no user has this identifier
   * @throws ChangedMeanwhile (SVC_HTTP_CHANGED, 409), AuthenticationUnavailable (503) where something could not end
   */
  async setEnabled(identifier: string, enabled: boolean, seen?: number): Promise<boolean> {
    return this.#switch(identifier, 'enabled', enabled, enabled ? 'user.enabled' : 'user.disabled', seen)
  }

  /**
   * Replaces the password of a user, and ends everything that let the user in.
   *
   * @param password `null` takes it away: no text proves the user until one is set, and no rule or list is asked
   * @returns `false` when no user has this identifier
   * @throws InvalidPassword (SVC_SEC_PASSWORD), AuthenticationUnavailable (503) where something could not end
   */
  async setPassword(identifier: string, password: string | null): Promise<boolean> {
    const hashed = password === null ? null : await this.hashPassword(password, identifier)
    if ((await this.#update(identifier, { password: hashed })) === null) return false
    this.#audit('user.password', identifier)
    await this.endEverything(identifier, 'password')
    return true
  }

  /**
   * Gives a user another identifier. Factors and rows that name the user's id stay; sessions, tokens and API keys name the
   * old identifier, and end.
   *
   * @param seen as for `setRoles`
   * @returns `false` when no user has this identifier
   * @throws DuplicateRecord (SVC_STORE_DUPLICATE) when the new one is taken, ChangedMeanwhile (SVC_HTTP_CHANGED, 409)
   */
  async rename(identifier: string, next: string, seen?: number): Promise<boolean> {
    if ((await this.#update(identifier, { identifier: loginName(next) }, seen)) === null) return false
    this.#audit('user.renamed', identifier, { before: loginName(identifier), after: loginName(next) })
    await this.endEverything(identifier, 'renamed')
    return true
  }

  /**
   * Deletes a user, and ends everything that let the user in.
   *
   * @param seen as for `setRoles`
   * @returns `false` when no user has this identifier
   * @throws ChangedMeanwhile (SVC_HTTP_CHANGED, 409), AuthenticationUnavailable (503) where something could not end
   */
  async remove(identifier: string, seen?: number): Promise<boolean> {
    const store = this.#store()
    const user = await this.#seen(identifier, seen)
    if (user === null) return false
    if (!(await store.delete(user.id, seen))) return this.#changed(user.id, seen)
    this.#audit('user.deleted', identifier, { roles: user.roles })
    await this.endEverything(identifier, 'deleted')
    return true
  }

  /**
   * Ends what lets a user in: sessions, tokens, API keys, and the WebSockets that were opened with them. Called by each change
   * of this class that asks for it, and by an application that keeps its users itself, where one was locked, deleted, or changed.
   *
   * @param reason as the journal shows it
   * @param also `factors`: codes, passkeys and links to providers go, too, as where an account is taken back
   * @throws AuthenticationUnavailable (503) where something could not end; repeating it is safe
   */
  async endEverything(identifier: string, reason = 'manual', also: { readonly factors?: boolean } = {}): Promise<void> {
    await this.#parts.endings.endEverything({ identifier: loginName(identifier), reason, ...also })
  }

  async #hashOf({ identifier, password, passwordHash: hash }: NewAccount): Promise<string | null> {
    if (password === null && hash === undefined) return null
    if (typeof password === 'string' && hash === undefined) return this.hashPassword(password, identifier)
    if (hash === undefined || password !== undefined) throw new InvalidPassword('or its hash is needed, and not both')
    if (readStoredHash(hash) === null) throw new InvalidPassword('has a hash of no known form, or of too high a cost')
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
    const user = await this.#seen(identifier, seen)
    if (user === null || (await this.#store().update(user.id, patch, seen)) !== null) return user
    await this.#changed(user.id, seen)
    return null
  }

  /** @throws ChangedMeanwhile */
  async #seen(identifier: string, seen: number | undefined): Promise<UserRecord | null> {
    refuseWhileImpersonating()
    const user = await this.#store().findByIdentifier(loginName(identifier))
    if (user !== null && seen !== undefined && user.updatedAt !== seen) throw changedMeanwhile('the user', shown(user))
    return user
  }

  /** Of a user whom a change did not find. @returns `false` where the user is gone @throws ChangedMeanwhile */
  async #changed(id: string, seen: number | undefined): Promise<false> {
    const kept = seen === undefined ? null : await this.#store().find(id)
    if (kept === null) return false
    throw changedMeanwhile('the user', shown(kept))
  }

  async #switch(identifier: string, flag: 'enabled' | 'locked', to: boolean, action: string, seen?: number) {
    const [isBarring, reason] = flag === 'locked' ? [to, 'locked'] : [!to, 'disabled']
    // What was made in the moment of the change, or barred elsewhere, does not come back to life.
    const isOpening = !isBarring && (await this.find(identifier))?.[flag] === !to
    if (isOpening) await this.endEverything(identifier, reason)
    const before = await this.#update(identifier, { [flag]: to }, seen)
    if (before === null) return false
    this.#audit(action, identifier, { before: before[flag], after: to })
    if (isBarring) await this.endEverything(identifier, reason)
    return true
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
