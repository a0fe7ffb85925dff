/**
 * Whether a name and a password belong together. Every cause of a failure does the
 * same work and gives the same error: one look-up, one hash of the current cost.
 * A stored hash of a lower cost is replaced at the first login that proves it.
 */
import type { FastifyBaseLogger } from 'fastify'
import { InvalidCredentials, PasswordsBusy } from '../errors.ts'
import { readableError, refusedFor } from '../journal/readable-error.ts'
import { hashPassword, isWeaker, matchesHash, type PasswordCost, type PasswordHash, readPhc } from './password-hash.ts'
import { isUsable, type LoadedUser, loginName, type UserSource } from './user-source.ts'

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
  /** Compared against where there is no hash; no password has it. */
  readonly #dummy: PasswordHash

  constructor(users: UserSource, { cost, ...bounds }: PasswordSetting, log: FastifyBaseLogger) {
    this.#users = users
    this.#cost = cost
    this.#queue = new WorkQueue(bounds, () => Object.assign(new PasswordsBusy(), { headers: { 'retry-after': '1' } }))
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
    const matches = await this.#queue.run(() => matchesHash(password, stored ?? this.#dummy))
    if (user === null) throw refused('unknown_user')
    if (stored === null) throw refused('no_password')
    if (!matches) throw refused('wrong_password')
    if (!isUsable(user)) throw refused(user.enabled ? 'locked' : 'disabled')
    if (isWeaker(stored, this.#cost)) await this.#rehash(user, password)
    return user
  }

  /** A new hash, of the current cost. @throws InvalidPassword (400), PasswordsBusy (503) */
  hash(password: string): Promise<string> {
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

  /** A login that holds is not refused because its hash could not be renewed. */
  async #rehash(user: LoadedUser, password: string): Promise<void> {
    if (this.#users.replacePassword === undefined) return
    try {
      await this.#users.replacePassword(user, await this.hash(password))
    } catch (error) {
      this.#log.warn({ error: readableError(error), user: user.id }, 'the password hash was not renewed')
    }
  }
}

/**
 * Bounds costly work: so much at a time, so much waiting, the rest is refused. Hashing shares Node's thread pool with
 * files and DNS; logins must not starve them.
 */
export class WorkQueue {
  readonly #atOnce: number
  readonly #maxWaiting: number
  readonly #full: () => Error
  readonly #waiting: Array<() => void> = []
  #running = 0

  /** @param full makes the error of work that is refused */
  constructor({ atOnce, maxWaiting }: { readonly atOnce: number; readonly maxWaiting: number }, full: () => Error) {
    this.#atOnce = atOnce
    this.#maxWaiting = maxWaiting
    this.#full = full
  }

  /** Runs `work` when there is a slot for it. Rejects at once when too much waits already. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#atOnce) await this.#slot()
    else this.#running += 1
    try {
      return await work()
    } finally {
      // The slot is handed on, not given up: work that comes in between does not take it.
      const next = this.#waiting.shift()
      if (next === undefined) this.#running -= 1
      else next()
    }
  }

  #slot(): Promise<void> {
    if (this.#waiting.length >= this.#maxWaiting) throw this.#full()
    return new Promise((resolve) => this.#waiting.push(resolve))
  }
}

function refused(reason: string): Error {
  return refusedFor(new InvalidCredentials(), reason)
}
