/**
 * A name and a password on each request (RFC 7617). Throttled and verified as a login
 * is; nothing is remembered. It cannot ask for a second factor, so a user who has one
 * is refused, with the text of a wrong password, unless the zone takes a password only.
 */
import { type AccessToken, createAccessToken } from 'svc-kernel'
import { InvalidCredentials } from '../../errors.ts'
import { refusedFor, submittedBy } from '../../journal/readable-error.ts'
import type { LoginService, PasswordAttempt } from '../../login/login-service.ts'
import { orUnavailable } from '../../stores/guarded-store.ts'
import type { AuthenticationContext, Authenticator } from './authenticator.ts'
import { isBasic, readBasic } from './basic-credential.ts'

export const USERPASSWORD_NAME = 'userpassword'

export interface UserPasswordParts {
  readonly login: Pick<LoginService, 'attempt' | 'requiredFactors'>
  /** Names of the zones with `basicWithoutSecondFactor`. */
  readonly passwordOnly: ReadonlySet<string>
  readonly realm: string
}

interface BasicAttempt {
  readonly zone: string
  readonly attempt: PasswordAttempt
}

export class UserPasswordAuthenticator implements Authenticator<BasicAttempt> {
  readonly #parts: UserPasswordParts

  constructor(parts: UserPasswordParts) {
    this.#parts = parts
  }

  supports({ headers }: AuthenticationContext): boolean {
    return isBasic(headers.authorization)
  }

  createToken({ headers, request, zone }: AuthenticationContext): BasicAttempt {
    const credential = readBasic(headers.authorization)
    if (credential === null) throw refusedFor(new InvalidCredentials(), 'malformed')
    return { zone, attempt: { ...credential, ip: request.ip } }
  }

  async authenticate({ zone, attempt }: BasicAttempt): Promise<AccessToken> {
    try {
      const user = await this.#parts.login.attempt(attempt)
      if (!this.#parts.passwordOnly.has(zone)) await this.#refuseSecondFactor(user.identifier)
      return createAccessToken({ type: 'userpassword', user })
    } catch (error) {
      throw submittedBy(error, attempt.identifier)
    }
  }

  challenge(): string {
    return `Basic realm="${this.#parts.realm}", charset="UTF-8"`
  }

  async #refuseSecondFactor(identifier: string): Promise<void> {
    const due = await orUnavailable(() => this.#parts.login.requiredFactors(identifier))
    if (due.length > 0) throw refusedFor(new InvalidCredentials(), 'second_factor')
  }
}
