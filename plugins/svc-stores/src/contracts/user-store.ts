/** Users. The identifier is unique and compared exactly; a password leaves the store only by `find`. */
import type { Page, PageQuery } from '../paging/page.ts'
import type { JsonObject } from '../records/json.ts'

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

/** Absent: no password, no roles, enabled, not locked, no metadata. */
export type NewUser = Pick<UserRecord, 'identifier'> &
  Partial<Pick<UserRecord, 'password' | 'roles' | 'enabled' | 'locked' | 'metadata'>>

/** Absent keys stay as they are. */
export type UserPatch = Partial<
  Pick<UserRecord, 'identifier' | 'password' | 'roles' | 'enabled' | 'locked' | 'metadata'>
>

export type UserSummary = Omit<UserRecord, 'password'>

export interface UserFilter {
  readonly enabled?: boolean
  readonly locked?: boolean
  /** Users who hold this role themselves. */
  readonly role?: string
  /** Case-insensitive substring of the identifier; every character stands for itself. */
  readonly q?: string
}

export type UserSortField = 'identifier' | 'createdAt' | 'updatedAt' | 'enabled' | 'locked' | 'id'

export interface UserStore {
  /** @throws DuplicateRecord when the identifier is taken */
  create(user: NewUser): Promise<UserRecord>
  find(id: string): Promise<UserRecord | null>
  findByIdentifier(identifier: string): Promise<UserRecord | null>
  findBySocialAccount(provider: string, subject: string): Promise<UserRecord | null>
  /** `null` when absent. @throws DuplicateRecord when the new identifier is taken */
  update(id: string, patch: UserPatch): Promise<UserRecord | null>
  /** Compare-and-set, so that a rehash never undoes a password that changed meanwhile. */
  replacePassword(id: string, expected: string | null, next: string): Promise<boolean>
  /** `false` when the user is absent. A link of the same user is left as it is. @throws DuplicateRecord when it is another user's */
  linkSocialAccount(id: string, provider: string, subject: string): Promise<boolean>
  unlinkSocialAccount(id: string, provider: string, subject: string): Promise<boolean>
  /** `true` when this call removed the user. */
  delete(id: string): Promise<boolean>
  /** By identifier, ascending. Without passwords. */
  list(filter: UserFilter, page: PageQuery<UserSortField>): Promise<Page<UserSummary>>
  count(filter: UserFilter): Promise<number>
  /** Users who can act as administrators: enabled, not locked, holding one of these roles themselves. */
  countAdministrators(roles: readonly string[]): Promise<number>
}
