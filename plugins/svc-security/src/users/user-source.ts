/**
 * Where users are loaded from: the `user` store, an entity of the application, or any object under `parts.users`. Each
 * login, and each request of a session or a token, reads its user again, so that roles and locks are never stale.
 */
import type { FastifyInstance } from 'fastify'
import type { MaybePromise, User } from 'svc-kernel'
import { andThen, toUser, warnProblem } from 'svc-kernel/plugin'
import type { Lookup } from 'svc-stores/table'
import { tokenRefused } from '../journal/audit-writer.ts'
import { guardedStore, orUnavailable } from '../stores/guarded-store.ts'
import { type FlaggedRecord, readFlags, unreadKey, unreadKeys } from './user-flags.ts'
import type { UserRecord, UserStore } from './user-store.ts'

/** A user as the authenticators need it. It never leaves this plugin whole: `toUser` reduces it to an identity. */
export interface LoadedUser {
  /** What other records of the user are stored under; the identifier where the source gives no id. */
  readonly id: string
  readonly identifier: string
  readonly roles: readonly string[]
  /** PHC string; `null` where the user has no password. */
  readonly passwordHash: string | null
  readonly enabled: boolean
  readonly locked: boolean
  /** As a token carries it; absent where a caller made the record itself. */
  readonly identity?: User
}

export interface UserSource {
  /** `null` when no user has this identifier, compared exactly. A rejection means "not able now", never "no such user". */
  findByIdentifier(identifier: string): MaybePromise<LoadedUser | null>
  /** Where the `user` store keeps them in tables: for what reads a record and its user in one statement. */
  readonly stored?: Lookup<UserRecord> | undefined
  /** By the `id` of a loaded user. `null` when no user has it. */
  findById(id: string): MaybePromise<LoadedUser | null>
  /** Compare-and-set of the password hash; absent where the source cannot write. */
  replacePassword?(user: LoadedUser, next: string): Promise<boolean>
}

/** A user as an application gives it; further keys are left alone. */
export interface ProvidedUser extends FlaggedRecord {
  readonly identifier: string
  readonly roles?: readonly string[] | null
  /** Text; the identifier where there is none. */
  readonly id?: string | null
  /** PHC string, as `hashPassword` makes it. */
  readonly password?: string | null
}

/**
 * Users of the application's own, `parts.users`; a record may be as plain as `{ identifier, roles }`. Each method is given
 * the application last, so that it reaches what other plugins decorate.
 */
export interface UserProvider {
  findByIdentifier(identifier: string, container: FastifyInstance): MaybePromise<ProvidedUser | null | undefined>
  /** Needed for passkeys where the records carry an `id` that is not the identifier. */
  findById?(id: string, container: FastifyInstance): MaybePromise<ProvidedUser | null | undefined>
  /** Compare-and-set of a stored password hash; lets a login replace a hash of an older cost. */
  replacePassword?(id: string, expected: string | null, next: string, container: FastifyInstance): Promise<boolean>
}

type ReadStore = Pick<UserStore, 'find' | 'findByIdentifier' | 'replacePassword' | 'byIdentifier'>

const READ = { operations: ['find', 'findByIdentifier', 'replacePassword'] }

/** Users of the `user` store. Without a store every look-up says "not able now". */
export class StoredUsers implements UserSource {
  readonly stored: Lookup<UserRecord> | undefined
  readonly #store: ReadStore

  /** @param store `null` where the store is disabled @param isGuarded `false` in a transaction, which needs its own failures */
  constructor(store: ReadStore | null, isGuarded = true) {
    this.stored = store?.byIdentifier
    this.#store = isGuarded || store === null ? guardedStore(READ, store) : store
  }

  findByIdentifier(identifier: string): MaybePromise<LoadedUser | null> {
    return andThen(this.#store.findByIdentifier(identifier), readUser)
  }

  findById(id: string): MaybePromise<LoadedUser | null> {
    return andThen(this.#store.find(id), readUser)
  }

  replacePassword({ id, passwordHash }: LoadedUser, next: string): Promise<boolean> {
    return this.#store.replacePassword(id, passwordHash, next)
  }
}

/** Records whose keys are looked at: a key that only some users have is likely among them. */
const INSPECTED = 100

export class ProvidedUsers implements UserSource {
  readonly #users: UserProvider
  readonly #container: FastifyInstance
  readonly #unread = new Set<string>()
  #inspected = 0

  constructor(users: UserProvider, container: FastifyInstance) {
    this.#users = users
    this.#container = container
  }

  findByIdentifier(identifier: string): MaybePromise<LoadedUser | null> {
    return andThen(this.#users.findByIdentifier(identifier, this.#container), (found) => {
      const user = this.#read(found)
      // A case-insensitive look-up would give one person several names, each with its own throttle.
      return user?.identifier === identifier ? user : null
    })
  }

  findById(id: string): MaybePromise<LoadedUser | null> {
    const [users, container] = [this.#users, this.#container]
    const found = users.findById === undefined ? users.findByIdentifier(id, container) : users.findById(id, container)
    return andThen(found, (record) => {
      const user = this.#read(record)
      return user?.id === id ? user : null
    })
  }

  #read(record: unknown): LoadedUser | null {
    const user = readUser(record)
    if (user === null || this.#inspected >= INSPECTED) return user
    this.#inspected += 1
    for (const key of unreadKeys(record as object)) {
      if (!this.#unread.has(key)) warnProblem(this.#container.log, unreadKey(key))
      this.#unread.add(key)
    }
    return user
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
  const { id, password } = record as GivenRecord
  const { enabled, locked } = readFlags(record as object)
  return Object.freeze({
    id: typeof id === 'string' && id !== '' ? id : identity.identifier,
    identity,
    identifier: identity.identifier,
    roles: identity.roles,
    passwordHash: typeof password === 'string' && password !== '' ? password : null,
    enabled,
    locked
  })
}

export class Subjects {
  readonly #users: UserSource

  constructor(users: UserSource) {
    this.#users = users
  }

  /** @throws InvalidToken for who is unknown, switched off or locked; AuthenticationUnavailable (503) */
  async load(identifier: string): Promise<LoadedUser> {
    return this.usable(await this.find(identifier), identifier)
  }

  /** Rejects with AuthenticationUnavailable (503). */
  find(identifier: string): MaybePromise<LoadedUser | null> {
    return orUnavailable(() => this.#users.findByIdentifier(identifier))
  }

  /** The user of a token, as it was found. @throws InvalidToken */
  usable(user: LoadedUser | null, identifier: string): LoadedUser {
    if (user === null || user.identifier !== identifier) throw tokenRefused('unknown_subject')
    if (!isUsable(user)) throw tokenRefused(user.enabled ? 'subject_locked' : 'subject_disabled')
    return user
  }
}
