/**
 * One attempt with a name and a password, the same for Basic and for the login
 * route: throttle, then verifier, then what the attempt means for the throttle.
 */

import { readableError } from '../journal/readable-error.ts'
import { orUnavailable } from '../stores/or-unavailable.ts'
import type { LoginThrottler } from '../throttling/login-throttler.ts'
import type { PasswordVerifier } from '../users/password-verifier.ts'
import type { LoadedUser } from '../users/user-source.ts'

export interface PasswordAttempt {
  readonly identifier: string
  readonly password: string
  readonly ip: string
}

export class PasswordLogin {
  readonly #verifier: PasswordVerifier
  readonly #throttler: LoginThrottler | null

  /** @param throttler `null` where it is switched off */
  constructor(verifier: PasswordVerifier, throttler: LoginThrottler | null) {
    this.#verifier = verifier
    this.#throttler = throttler
  }

  /**
   * @throws InvalidCredentials (401) with its true cause as `reason`, Throttled (429), PasswordsBusy and
   * AuthenticationUnavailable (503): the last two are not the caller's failures and do not count
   */
  async attempt({ password, ...subject }: PasswordAttempt): Promise<LoadedUser> {
    await this.#throttler?.check(subject)
    try {
      const user = await orUnavailable(() => this.#verifier.verify(subject.identifier, password))
      await this.#throttler?.succeeded(subject)
      return user
    } catch (error) {
      const failed = readableError(error).statusCode === 401
      await (failed ? this.#throttler?.failed(subject) : this.#throttler?.released(subject))
      throw error
    }
  }
}
