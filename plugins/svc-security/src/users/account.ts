/** What an application gives and gets of an account: a new one, what it sees of one, a login; and what accounts work with. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { User } from 'svc-kernel'
import type { JsonObject } from 'svc-stores'
import type { Transaction } from 'svc-stores/table'
import type { AuditWriter } from '../journal/audit-writer.ts'
import type { PasswordVerifier } from './passwords.ts'
import type { UserEndings } from './user-endings.ts'
import type { LoadedUser, UserSource } from './user-source.ts'
import type { UserRecord, UserStore } from './user-store.ts'

/** The account to be created, with a password, its hash, or expressly without one. */
export interface NewAccount {
  readonly identifier: string
  /** In clear, or `passwordHash`: one of both. `null`: none, until `setPassword` or a reset sets one. */
  readonly password?: string | null
  /** Of `hashPassword`, or of another system (bcrypt, scrypt, PBKDF2, phpass, argon2): the user keeps the password. */
  readonly passwordHash?: string
  readonly roles: readonly string[]
  /** Of the application: kept with the user, and shown to nobody. */
  readonly metadata?: JsonObject
}

/** A user without what proves them. */
export type AccountView = Pick<LoadedUser, 'id' | 'identifier' | 'roles' | 'enabled' | 'locked'>

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

export type AccountStore = Pick<
  UserStore,
  | 'create'
  | 'find'
  | 'findByIdentifier'
  | 'list'
  | 'count'
  | 'countAdministrators'
  | 'update'
  | 'delete'
  | 'unlinkSocialAccount'
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
  /** @throws UnknownRole for roles that users may not get */
  readonly checkRoles: (roles: readonly string[]) => void
}

/** What administrators see of a user. */
export function shown({ id, identifier, roles, enabled, locked, ...kept }: Omit<UserRecord, 'password' | 'metadata'>) {
  const socialAccounts = kept.socialAccounts.map(({ provider, linkedAt }) => ({ provider, linkedAt }))
  const { createdAt, updatedAt } = kept
  return { id, identifier, roles, enabled, locked, socialAccounts, createdAt, updatedAt }
}
