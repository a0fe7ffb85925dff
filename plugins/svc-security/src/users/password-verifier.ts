/**
 * Whether a name and a password belong together. Every cause of a failure does the
 * same work and gives the same error: one look-up, one hash of the current cost.
 * A stored hash of a lower cost is replaced at the first login that proves it.
 */
import { timingSafeEqual } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import { InvalidCredentials, PasswordsBusy } from '../errors.ts'
import { readableError } from '../journal/readable-error.ts'
import { refusedFor } from '../journal/refused-for.ts'
import { deriveKey } from './derive-key.ts'
import { hashPassword } from './hash-password.ts'
import { loginName } from './login-name.ts'
import { isWeaker, type PasswordCost } from './password-cost.ts'
import { MAX_PASSWORD_LENGTH, passwordText } from './password-text.ts'
import { type PasswordHash, readPhc } from './phc-string.ts'
import { isUsable, type LoadedUser, type UserSource } from './user-source.ts'
import { WorkQueue } from './work-queue.ts'

export interface PasswordSetting {
  readonly cost: PasswordCost
  /** Hashes computed at a time. */
  readonly atOnce: number
  /** Hashes that may wait; beyond, 503. */
  readonly maxWaiting: number
}

export class PasswordVerifier {
  readonly #users: UserSource
  readonly #cost: PasswordCost
  readonly #queue: WorkQueue
  readonly #log: FastifyBaseLogger
  /** Compared against where there is no hash; nobody knows a password of it. */
  readonly #dummy: PasswordHash

  constructor(users: UserSource, { cost, ...bounds }: PasswordSetting, log: FastifyBaseLogger) {
    this.#users = users
    this.#cost = cost
    this.#queue = new WorkQueue(bounds, busy)
    this.#log = log
    this.#dummy = { ...cost, salt: Buffer.alloc(16), hash: Buffer.alloc(32) }
  }

  /**
   * @throws InvalidCredentials (401, one text) with the true cause as `reason`: `unknown_user`, `no_password`,
   * `wrong_password`, `disabled`, `locked`; PasswordsBusy (503); what the user source throws
   */
  async verify(identifier: string, password: string): Promise<LoadedUser> {
    const user = await this.#users.findByIdentifier(loginName(identifier))
    const stored = this.#storedHash(user)
    const matches = await this.#queue.run(() => this.#matches(password, stored ?? this.#dummy))
    if (user === null) throw refused('unknown_user')
    if (stored === null) throw refused('no_password')
    if (!matches) throw refused('wrong_password')
    if (!isUsable(user)) throw refused(user.enabled ? 'locked' : 'disabled')
    if (isWeaker(stored, this.#cost)) await this.#rehash(user, password)
    return user
  }

  #storedHash(user: LoadedUser | null): PasswordHash | null {
    if (user === null || user.passwordHash === null) return null
    const stored = readPhc(user.passwordHash)
    if (stored === null) {
      this.#log.error({ code: 'SVC_SEC_PASSWORD_HASH', user: user.id }, 'the stored password hash cannot be read')
    }
    return stored
  }

  async #matches(password: string, { hash, salt, ...cost }: PasswordHash): Promise<boolean> {
    const fits = password !== '' && password.length <= MAX_PASSWORD_LENGTH
    const key = await deriveKey(fits ? passwordText(password) : '', salt, cost, hash.length)
    return timingSafeEqual(key, hash) && fits
  }

  /** A login that holds is not refused because its hash could not be renewed. */
  async #rehash(user: LoadedUser, password: string): Promise<void> {
    if (this.#users.replacePassword === undefined) return
    try {
      const next = await this.#queue.run(() => hashPassword(password, this.#cost))
      await this.#users.replacePassword(user, next)
    } catch (error) {
      this.#log.warn({ error: readableError(error), user: user.id }, 'the password hash was not renewed')
    }
  }
}

function refused(reason: string): Error {
  return refusedFor(new InvalidCredentials(), reason)
}

function busy(): Error {
  return Object.assign(new PasswordsBusy(), { headers: { 'retry-after': '1' } })
}
