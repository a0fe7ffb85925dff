/**
 * Where subjects are loaded from: each login, and each request of a session or a
 * token, reads its user again, so that roles and locks are never stale.
 */

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
  /** `null` when nobody has this identifier, compared exactly. A rejection means "not able now", never "nobody". */
  findByIdentifier(identifier: string): Promise<LoadedUser | null>
  /** By the `id` of a loaded user. `null` when nobody has it. */
  findById(id: string): Promise<LoadedUser | null>
  /** Compare-and-set of the password hash; absent where the source cannot write. */
  replacePassword?(user: LoadedUser, next: string): Promise<boolean>
}

/** A user who may act: neither switched off nor locked. */
export function isUsable({ enabled, locked }: Pick<LoadedUser, 'enabled' | 'locked'>): boolean {
  return enabled && !locked
}
