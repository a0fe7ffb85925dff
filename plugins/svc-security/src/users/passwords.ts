/**
 * Whether a name and a password belong together. Every cause of a failure does the same work and gives the same error: one
 * look-up, one hash of the current cost, and one of the kind that was imported, where `passwords.decoyHash` names it. A hash of
 * a lower cost or of another system is replaced at the first login that proves it.
 */
import type { FastifyBaseLogger } from 'fastify'
import { PasswordsBusy } from '../errors.ts'
import { credentialsRefused, readableError } from '../journal/audit-writer.ts'
import { hashPassword, type PasswordCost, writePhc } from '../password-hashes/argon2id.ts'
import { readStoredHash, type StoredHash } from '../password-hashes/stored-hash.ts'
import { WorkQueue } from '../promises/work-queue.ts'
import { checkNewPassword, type PasswordRules } from './password-policy.ts'
import { isUsable, type LoadedUser, loginName, type UserSource } from './user-source.ts'

export interface PasswordSetting {
  readonly cost: PasswordCost
  readonly rules: PasswordRules
  /** A hash like those that were imported: what fails does its work too. */
  readonly decoy?: StoredHash | null
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
  readonly #dummy: StoredHash
  readonly #decoy: StoredHash | null

  constructor(users: UserSource, { cost, rules, decoy = null, ...bounds }: PasswordSetting, log: FastifyBaseLogger) {
    this.#users = users
    this.#cost = cost
    this.#rules = rules
    this.#queue = new WorkQueue(bounds, () => Object.assign(new PasswordsBusy(), { headers: { 'retry-after': '1' } }))
    this.#log = log
    this.#dummy = readStoredHash(writePhc({ ...cost, salt: Buffer.alloc(16), hash: Buffer.alloc(32) })) as StoredHash
    this.#decoy = decoy
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
    const matches = await this.#queue.run(() => this.#matches(user, stored, password))
    if (user === null) throw credentialsRefused('unknown_user')
    if (stored === null) throw credentialsRefused('no_password')
    if (!matches) throw credentialsRefused('wrong_password')
    if (!isUsable(user)) throw credentialsRefused(user.enabled ? 'locked' : 'disabled')
    return stored.isDue(this.#cost) ? this.#rehash(user, password) : user
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

  /** A login that fails does the work of an own hash and of an imported one, whichever of them is stored. */
  async #matches(user: LoadedUser | null, stored: StoredHash | null, password: string): Promise<boolean> {
    const matches = await (stored ?? this.#dummy).matches(password)
    if (matches && user !== null && isUsable(user)) return true
    await (stored?.imported ? this.#dummy : this.#decoy)?.matches(password)
    return matches
  }

  #storedHash(user: LoadedUser | null): StoredHash | null {
    if (user === null || user.passwordHash === null) return null
    const unreadable = (error?: unknown): null => {
      const why = error === undefined ? {} : { error: readableError(error) }
      const line = { code: 'SVC_SEC_PASSWORD_HASH', user: user.id, ...why }
      this.#log.error(line, 'the stored password hash cannot be read')
      return null
    }
    try {
      return readStoredHash(user.passwordHash) ?? unreadable()
    } catch (error) {
      return unreadable(error)
    }
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
