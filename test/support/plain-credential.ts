/**
 * An authenticator that believes what it is told, so that tests choose the caller:
 * `alice`, `alice/ROLE_A,ROLE_B`, `bot//orders:read`. A credential of `!` is refused.
 */
import { type AccessToken, type Carrier, createAccessToken } from 'svc-kernel'
import type { AuthenticationContext, Authenticator } from 'svc-security'

type Find = (headers: AuthenticationContext['headers']) => string | undefined

export class PlainCredential implements Authenticator<string> {
  readonly carrier: Carrier
  readonly #type: string
  readonly #find: Find
  readonly #challenge: string | undefined

  constructor(type: string, find: Find, challenge?: string, carrier: Carrier = 'header') {
    this.carrier = carrier
    this.#type = type
    this.#find = find
    this.#challenge = challenge
  }

  /** `Authorization: Bearer <credential>`, a machine's token unless told otherwise. */
  static bearer(type = 'apikey'): PlainCredential {
    return new PlainCredential(
      type,
      ({ authorization }) => /^Bearer (.+)$/.exec(authorization ?? '')?.[1],
      'Bearer',
      'authorization'
    )
  }

  /** `Cookie: who=<credential>`, a person's session; it declares no challenge. */
  static cookie(): PlainCredential {
    return new PlainCredential(
      'session',
      ({ cookie }) => /(?:^|; )who=([^;]+)/.exec(cookie ?? '')?.[1],
      undefined,
      'cookie'
    )
  }

  supports({ headers }: AuthenticationContext): boolean {
    return this.#find(headers) !== undefined
  }

  createToken({ headers }: AuthenticationContext): string {
    return this.#find(headers) ?? ''
  }

  authenticate(credential: string): AccessToken {
    if (credential === '!') throw Object.assign(new Error('refused'), { statusCode: 401 })
    const [identifier = '', roles = '', scopes = ''] = credential.split('/')
    const list = (text: string): string[] => text.split(',').filter((entry) => entry !== '')
    return createAccessToken({ type: this.#type, user: { identifier, roles: list(roles) }, scopes: list(scopes) })
  }

  challenge(): string | undefined {
    return this.#challenge
  }
}

/** Headers that present a credential to `PlainCredential.bearer`. */
export function bearer(credential: string): { authorization: string } {
  return { authorization: `Bearer ${credential}` }
}

/** Headers that present a credential to `PlainCredential.cookie`. */
export function cookie(credential: string): { cookie: string } {
  return { cookie: `who=${credential}` }
}
