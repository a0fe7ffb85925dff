/** Tokens and authenticators for tests. */
import { type AccessToken, type Carrier, createAccessToken } from 'svc-kernel'
import type { AuthenticationContext, Authenticator } from '../../src/authentication/authenticators/authenticator.ts'

export function aToken({
  type = 'session',
  identifier = 'alice',
  roles = [] as readonly string[],
  scopes = [] as readonly string[]
} = {}): AccessToken {
  return createAccessToken({ type, user: { identifier, roles }, scopes })
}

/** Proves whoever `x-<name>: user:ROLE_A,ROLE_B` names; `bad` as user fails. Challenges with its name. */
export class HeaderAuthenticator implements Authenticator<string> {
  readonly carrier: Carrier
  readonly #header: string
  readonly #type: string

  /** One that proves sessions stands for a cookie. */
  constructor(name: string, type = name) {
    this.carrier = type === 'session' ? 'cookie' : 'header'
    this.#header = `x-${name}`
    this.#type = type
  }

  supports({ headers }: AuthenticationContext): boolean {
    return this.#header in headers
  }

  createToken({ headers }: AuthenticationContext): string {
    return String(headers[this.#header])
  }

  authenticate(credential: string): AccessToken {
    const [identifier = '', roles = ''] = credential.split(':')
    if (identifier === 'bad') throw Object.assign(new Error('refused'), { statusCode: 401 })
    return aToken({ type: this.#type, identifier, roles: roles.split(',').filter(Boolean) })
  }

  challenge(): string {
    return `${this.#header} realm="test"`
  }
}
