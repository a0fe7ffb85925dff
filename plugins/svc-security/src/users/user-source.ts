/**
 * Where users are loaded from: the `user` store, an entity of the application, or any object under `parts.users`. Each
 * login, and each request of a session or a token, reads its user again, so that roles and locks are never stale.
 */
import type { FastifyInstance } from 'fastify'
import { toUser } from 'svc-kernel'
import { AuthenticationUnavailable } from '../errors.ts'
import { tokenRefused } from '../journal/audit-writer.ts'
import { orUnavailable } from '../stores/guarded-store.ts'
import type { UserStore } from './user-store.ts'

/** A user as the authenticators need it. It never leaves this plugin whole: `toUser` reduces it to an identity. */
export interface LoadedUser {
  /** What other records of the user are kept under; the identifier where the source gives no id. */
  readonly id: string
  readonly identifier: string
  readonly roles: readonly string[]
  /** PHC string; `null` where the user has no password. */
  readonly passwordHash: string | null
  readonly enabled: boolean
  readonly locked: boolean
}

export interface UserSource {
  /** `null` when no user has this identifier, compared exactly. A rejection means "not able now", never "no such user". */
  findByIdentifier(identifier: string): Promise<LoadedUser | null>
  /** By the `id` of a loaded user. `null` when no user has it. */
  findById(id: string): Promise<LoadedUser | null>
  /** Compare-and-set of the password hash; absent where the source cannot write. */
  replacePassword?(user: LoadedUser, next: string): Promise<boolean>
}

/**
 * Users of the application's own, `parts.users`; a record may be as plain as `{ identifier, roles }`. Each method is given
 * the application last, so that it reaches what other plugins decorate.
 */
export interface UserProvider {
  findByIdentifier(identifier: string, container: FastifyInstance): unknown
  /** Needed for passkeys where the records carry an `id` that is not the identifier. */
  findById?(id: string, container: FastifyInstance): unknown
  /** Compare-and-set of a stored password hash; lets a login replace a hash of an older cost. */
  replacePassword?(id: string, expected: string | null, next: string, container: FastifyInstance): Promise<boolean>
}

type ReadStore = Pick<UserStore, 'find' | 'findByIdentifier' | 'replacePassword'>

/** Users of the `user` store. Without a store every look-up says "not able now". */
export class StoredUsers implements UserSource {
  readonly #given: ReadStore | null

  /** @param store `null` where the store is disabled */
  constructor(store: ReadStore | null) {
    this.#given = store
  }

  async findByIdentifier(identifier: string): Promise<LoadedUser | null> {
    return readUser(await this.#store.findByIdentifier(identifier))
  }

  async findById(id: string): Promise<LoadedUser | null> {
    return readUser(await this.#store.find(id))
  }

  async replacePassword({ id, passwordHash }: LoadedUser, next: string): Promise<boolean> {
    return (await this.#given?.replacePassword(id, passwordHash, next)) ?? false
  }

  get #store(): ReadStore {
    if (this.#given === null) throw new AuthenticationUnavailable()
    return this.#given
  }
}

export class ProvidedUsers implements UserSource {
  readonly #users: UserProvider
  readonly #container: FastifyInstance

  constructor(users: UserProvider, container: FastifyInstance) {
    this.#users = users
    this.#container = container
  }

  async findByIdentifier(identifier: string): Promise<LoadedUser | null> {
    const user = readUser(await this.#users.findByIdentifier(identifier, this.#container))
    // A case-insensitive look-up would give one person several names, each with a throttle of its own.
    return user?.identifier === identifier ? user : null
  }

  async findById(id: string): Promise<LoadedUser | null> {
    const [users, container] = [this.#users, this.#container]
    const found = users.findById === undefined ? users.findByIdentifier(id, container) : users.findById(id, container)
    const user = readUser(await found)
    return user?.id === id ? user : null
  }

  async replacePassword({ id, passwordHash }: LoadedUser, next: string): Promise<boolean> {
    return (await this.#users.replacePassword?.(id, passwordHash, next, this.#container)) ?? false
  }
}

/** A user who may act: neither switched off nor locked. */
export function isUsable({ enabled, locked }: Pick<LoadedUser, 'enabled' | 'locked'>): boolean {
  return enabled && !locked
}

/**
 * The one form of a login name (RFC 8265): NFC, so that the same name typed on two keyboards is the same user. Names
 * are otherwise compared exactly; an application stores its identifiers in this form.
 */
export function loginName(given: string): string {
  return given.normalize('NFC')
}

interface GivenRecord {
  readonly id?: unknown
  readonly password?: unknown
  readonly enabled?: unknown
  readonly locked?: unknown
}

/**
 * Reads a user record of any make. A damaged record loses rights and never gains any: a flag that is no boolean counts
 * as the stricter one.
 *
 * @returns `null` for what names no user
 */
export function readUser(record: unknown): LoadedUser | null {
  const identity = toUser(record)
  if (identity === null) return null
  const { id, password, enabled, locked } = record as GivenRecord
  return Object.freeze({
    id: typeof id === 'string' && id !== '' ? id : identity.identifier,
    identifier: identity.identifier,
    roles: identity.roles,
    passwordHash: typeof password === 'string' && password !== '' ? password : null,
    enabled: enabled === undefined || enabled === true,
    locked: locked !== undefined && locked !== false
  })
}

export class Subjects {
  readonly #users: UserSource

  constructor(users: UserSource) {
    this.#users = users
  }

  /** @throws InvalidToken for who is unknown, switched off or locked; AuthenticationUnavailable (503) */
  async load(identifier: string): Promise<LoadedUser> {
    const user = await orUnavailable(() => this.#users.findByIdentifier(identifier))
    if (user === null || user.identifier !== identifier) throw tokenRefused('unknown_subject')
    if (!isUsable(user)) throw tokenRefused(user.enabled ? 'subject_locked' : 'subject_disabled')
    return user
  }
}
