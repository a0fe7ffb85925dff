/**
 * The hash of a password as a user record holds it: argon2id, which svc makes, or a form that another system made. The forms
 * differ in how they are written; each says whether a password is theirs, and is replaced at the first login that it proves.
 */
import { timingSafeEqual } from 'node:crypto'
import { readArgon2 } from './argon2.ts'
import { deriveKey, isWeaker, MAX_PASSWORD_LENGTH, type PasswordCost, readPhc } from './argon2id.ts'
import { readBcrypt } from './bcrypt.ts'
import { readPbkdf2 } from './pbkdf2.ts'
import { readPhpass } from './phpass.ts'
import { readScrypt } from './scrypt.ts'

export interface StoredHash {
  /** Another system made it. */
  readonly imported: boolean
  /** Does the same work for every password. */
  matches(plain: string): Promise<boolean>
  /** Whether a login that it proves replaces it. */
  isDue(cost: PasswordCost): boolean
}

const IMPORTED = [readBcrypt, readScrypt, readPbkdf2, readPhpass, readArgon2]

/**
 * @returns `null` for a text of no known form, or with figures beyond the bounds of its form
 * @throws BootError SVC_NOT_INSTALLED for bcrypt without the package that computes it
 */
export function readStoredHash(text: string): StoredHash | null {
  const own = readPhc(text)
  if (own !== null) {
    const { hash, salt, ...stored } = own
    const derive = (plain: string) => deriveKey(plain, salt, stored, hash.length)
    return {
      imported: false,
      matches: withinLength(async (plain) => timingSafeEqual(await derive(plain), hash)),
      isDue: (cost) => isWeaker(stored, cost)
    }
  }
  for (const read of IMPORTED) {
    const matches = read(text)
    if (matches !== null) return { imported: true, matches: withinLength(matches), isDue: () => true }
  }
  return null
}

/**
 * Compares a password with a stored hash. It is neither throttled nor audited: a login is `fastify.userAccounts.login`.
 *
 * @param hash of `hashPassword`, or imported: bcrypt, scrypt, PBKDF2, phpass, argon2; `null` where the user has no password
 * @returns `false` also for a hash of another form, and for a password that `hashPassword` would refuse
 * @throws BootError SVC_NOT_INSTALLED for bcrypt without the package `@node-rs/bcrypt`
 */
export async function verifyPassword(plain: string, hash: string | null): Promise<boolean> {
  const stored = typeof hash === 'string' ? readStoredHash(hash) : null
  return stored === null ? false : stored.matches(plain)
}

function withinLength(matches: (plain: string) => Promise<boolean>): StoredHash['matches'] {
  return async (plain) => {
    const fits = typeof plain === 'string' && plain !== '' && plain.length <= MAX_PASSWORD_LENGTH
    return (await matches(fits ? plain : '')) && fits
  }
}
