/** A name and a password on each request (RFC 7617). Throttled and verified as a login is; nothing is remembered. */
import { type AccessToken, createAccessToken } from 'svc-kernel'
import { InvalidCredentials } from '../errors.ts'
import { refusedFor } from '../journal/refused-for.ts'
import { submittedBy } from '../journal/submitted-by.ts'
import type { PasswordAttempt, PasswordLogin } from '../login/password-login.ts'
import type { AuthenticationContext, Authenticator } from './authenticator.ts'
import { isBasic, readBasic } from './basic-credential.ts'

export const USERPASSWORD_NAME = 'userpassword'

export class UserPasswordAuthenticator implements Authenticator<PasswordAttempt> {
  readonly #login: PasswordLogin
  readonly #realm: string

  constructor(login: PasswordLogin, realm: string) {
    this.#login = login
    this.#realm = realm
  }

  supports({ headers }: AuthenticationContext): boolean {
    return isBasic(headers.authorization)
  }

  createToken({ headers, request }: AuthenticationContext): PasswordAttempt {
    const credential = readBasic(headers.authorization)
    if (credential === null) throw refusedFor(new InvalidCredentials(), 'malformed')
    return { ...credential, ip: request.ip }
  }

  async authenticate(attempt: PasswordAttempt): Promise<AccessToken> {
    try {
      return createAccessToken({ type: 'userpassword', user: await this.#login.attempt(attempt) })
    } catch (error) {
      throw submittedBy(error, attempt.identifier)
    }
  }

  challenge(): string {
    return `Basic realm="${this.#realm}", charset="UTF-8"`
  }
}
