/**
 * Passwords: hashes of argon2id (RFC 9106), stored as `$argon2id$v=19$m=19456,t=2,p=1$salt$hash`, and whether a name and
 * a password belong together. What is stored decides the work of a login, so its figures are bounded. Every cause of a
 * failure does the same work and gives the same error: one look-up, one hash of the current cost. A stored hash of a
 * lower cost is replaced at the first login that proves it.
 */
// The module object is used, so that a Node without argon2 still loads this file.
import crypto, { randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import { InvalidPassword, PasswordsBusy, PasswordsUnsupported } from '../errors.ts'
import { credentialsRefused, readableError } from '../journal/audit-writer.ts'
import { WorkQueue } from '../promises/work-queue.ts'
import { checkNewPassword, type PasswordRules } from './password-policy.ts'
import { isUsable, type LoadedUser, loginName, type UserSource } from './user-source.ts'

export interface PasswordCost {
  /** KiB of memory. */
  readonly memoryKib: number
  readonly passes: number
  readonly parallelism: number
}

export interface PasswordHash extends PasswordCost {
  readonly salt: Buffer
  readonly hash: Buffer
}

export const DEFAULT_COST: PasswordCost = Object.freeze({ memoryKib: 19456, passes: 2, parallelism: 1 })

/** Longer passwords are refused unhashed. */
export const MAX_PASSWORD_LENGTH = 1024

const SALT_BYTES = 16
const HASH_BYTES = 32

const PHC = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/

/**
 * Hashes a password with argon2id and a fresh salt.
 *
 * @param cost KiB of memory, passes, lanes; 19456, 2 and 1 by default
 * @returns a PHC string, what the `password` of a user record holds
 * @throws InvalidPassword (SVC_SEC_PASSWORD) for an empty one or one of more than 1024 characters
 */
export async function hashPassword(plain: string, cost: PasswordCost = DEFAULT_COST): Promise<string> {
  if (typeof plain !== 'string' || plain === '') throw new InvalidPassword('is empty')
  if (plain.length > MAX_PASSWORD_LENGTH) throw new InvalidPassword(`has more than ${MAX_PASSWORD_LENGTH} characters`)
  const salt = randomBytes(SALT_BYTES)
  return writePhc({ ...cost, salt, hash: await deriveKey(plain, salt, cost, HASH_BYTES) })
}

/**
 * Compares a password with a hash that `hashPassword` made. It is neither throttled nor audited: a login is
 * `fastify.userAccounts.login`.
 *
 * @param hash PHC string; `null` where the user has no password
 * @returns `false` also for a hash of another form, and for a password that `hashPassword` would refuse
 */
export async function verifyPassword(plain: string, hash: string | null): Promise<boolean> {
  const stored = typeof hash === 'string' ? readPhc(hash) : null
  return stored !== null && matchesHash(plain, stored)
}

/** Does the same work for every password. */
async function matchesHash(plain: string, { hash, salt, ...cost }: PasswordHash): Promise<boolean> {
  const fits = typeof plain === 'string' && plain !== '' && plain.length <= MAX_PASSWORD_LENGTH
  const key = await deriveKey(fits ? plain : '', salt, cost, hash.length)
  return timingSafeEqual(key, hash) && fits
}

/** The stored form (PHC string format). */
export function writePhc({ memoryKib, passes, parallelism, salt, hash }: PasswordHash): string {
  return `$argon2id$v=19$m=${memoryKib},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(hash)}`
}

/** @returns `null` for any other text: another algorithm, another version, a damaged record */
export function readPhc(text: string): PasswordHash | null {
  const [, memory, time, lanes, salt, hash] = PHC.exec(text) ?? []
  if (salt === undefined || hash === undefined) return null
  const found = { memoryKib: Number(memory), passes: Number(time), parallelism: Number(lanes) }
  if (found.passes < 1 || found.parallelism < 1 || found.memoryKib < 8 * found.parallelism) return null
  return { ...found, salt: Buffer.from(salt, 'base64'), hash: Buffer.from(hash, 'base64') }
}

/** Argon2id on Node's thread pool. */
export function deriveKey(plain: string, salt: Buffer, cost: PasswordCost, bytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (typeof crypto.argon2 !== 'function') throw new PasswordsUnsupported()
    const { memoryKib: memory, passes, parallelism } = cost
    const message = Buffer.from(passwordText(plain), 'utf8')
    crypto.argon2('argon2id', { message, nonce: salt, parallelism, tagLength: bytes, memory, passes }, (error, key) => {
      if (error === null) resolve(key)
      else reject(error)
    })
  })
}

/** True when a hash of cost `stored` is to be made again at the next login. */
export function isWeaker(stored: PasswordCost, wanted: PasswordCost): boolean {
  return stored.memoryKib < wanted.memoryKib || stored.passes < wanted.passes
}

/**
 * A password as it is hashed (RFC 8265, OpaqueString): every blank is a plain one, and the same letters are the same
 * bytes on every keyboard. No case mapping, no trimming.
 */
function passwordText(given: string): string {
  return given.replace(/\p{Zs}/gu, ' ').normalize('NFC')
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}

export interface PasswordSetting {
  readonly cost: PasswordCost
  readonly rules: PasswordRules
  /** Hashes computed at a time. */
  readonly atOnce: number
  /** Hashes that may wait; beyond, 503. */
  readonly maxWaiting: number
}

export class PasswordVerifier {
  readonly #users: UserSource
  readonly #cost: PasswordCost
  readonly #rules: PasswordRules
  readonly #queue: WorkQueue
  readonly #log: FastifyBaseLogger
  /** Compared against where there is no hash; no password has it. */
  readonly #dummy: PasswordHash

  constructor(users: UserSource, { cost, rules, ...bounds }: PasswordSetting, log: FastifyBaseLogger) {
    this.#users = users
    this.#cost = cost
    this.#rules = rules
    this.#queue = new WorkQueue(bounds, () => Object.assign(new PasswordsBusy(), { headers: { 'retry-after': '1' } }))
    this.#log = log
    this.#dummy = { ...cost, salt: Buffer.alloc(16), hash: Buffer.alloc(32) }
  }

  /** How many wait for their turn to be hashed. */
  get waiting(): number {
    return this.#queue.waiting
  }

  /**
   * @throws InvalidCredentials (401, one text) with the true cause as `reason`: `unknown_user`, `no_password`,
   * `wrong_password`, `disabled`, `locked`; PasswordsBusy (503); what the user source throws
   */
  async verify(identifier: string, password: string): Promise<LoadedUser> {
    const user = await this.#users.findByIdentifier(loginName(identifier))
    const stored = this.#storedHash(user)
    const matches = await this.#queue.run(() => matchesHash(password, stored ?? this.#dummy))
    if (user === null) throw credentialsRefused('unknown_user')
    if (stored === null) throw credentialsRefused('no_password')
    if (!matches) throw credentialsRefused('wrong_password')
    if (!isUsable(user)) throw credentialsRefused(user.enabled ? 'locked' : 'disabled')
    return isWeaker(stored, this.#cost) ? this.#rehash(user, password) : user
  }

  /**
   * The hash of a password that is to be set, at the current cost, where the rules take it.
   *
   * @param identifier of its user; `null` where it is not known
   * @throws InvalidPassword (400), PasswordsBusy and AuthenticationUnavailable (503)
   */
  async hash(password: string, identifier: string | null): Promise<string> {
    await checkNewPassword(password, identifier, this.#rules)
    return this.#derive(password)
  }

  #derive(password: string): Promise<string> {
    return this.#queue.run(() => hashPassword(password, this.#cost))
  }

  #storedHash(user: LoadedUser | null): PasswordHash | null {
    if (user === null || user.passwordHash === null) return null
    const stored = readPhc(user.passwordHash)
    if (stored === null) {
      this.#log.error({ code: 'SVC_SEC_PASSWORD_HASH', user: user.id }, 'the stored password hash cannot be read')
    }
    return stored
  }

  /** A login that holds is not refused because its hash could not be renewed. @returns the user with the hash that is stored now */
  async #rehash(user: LoadedUser, password: string): Promise<LoadedUser> {
    if (this.#users.replacePassword === undefined) return user
    try {
      const passwordHash = await this.#derive(password)
      if (await this.#users.replacePassword(user, passwordHash)) return { ...user, passwordHash }
    } catch (error) {
      this.#log.warn({ error: readableError(error), user: user.id }, 'the password hash was not renewed')
    }
    return user
  }
}
