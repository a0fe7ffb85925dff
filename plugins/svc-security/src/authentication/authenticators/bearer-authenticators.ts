/** The two authenticators of a token in `Authorization`: signed access tokens and API keys, distinguished by their shape. */
import type { IncomingHttpHeaders } from 'node:http'
import type { AccessToken, MaybePromise, SecurityScheme } from 'svc-kernel'
import { andThen } from 'svc-kernel/plugin'
import type { ProvenKey } from '../../api-keys/api-key-service.ts'
import { isCompact } from '../../tokens/access-token-form.ts'
import type { TokenService } from '../../tokens/token-service.ts'
import { type Revalidation, TokenRevalidation } from '../revalidation/revalidation.ts'
import type { AuthenticationContext, Authenticator } from './authenticator.ts'

export const JWT_NAME = 'jwt'

export const API_KEY_NAME = 'apikey'

const BEARER = 'Bearer'

type Tokens<Method extends keyof TokenService> = Pick<TokenService, Method | 'renewed' | 'whenRevoked'>

abstract class BearerAuthenticator<Used extends Tokens<never>, Credential = never>
  implements Authenticator<string | Credential>
{
  readonly carrier = 'authorization'
  readonly subject = 'machine'
  readonly needs = 'accounts'
  abstract readonly openapi: SecurityScheme
  protected readonly tokens: Used
  readonly #credentialOf: CredentialReader
  readonly #scheme: string
  /** What `supports` read of a request that it claims, until `createToken` takes it. */
  #claimed: { readonly ctx: AuthenticationContext; readonly credential: string } | null = null

  constructor(tokens: Used, [scheme = BEARER, ...others]: readonly string[] = [BEARER]) {
    this.tokens = tokens
    this.#credentialOf = credentialReader([scheme, ...others])
    this.#scheme = scheme
  }

  supports(ctx: AuthenticationContext): boolean {
    const credential = this.#credentialOf(ctx.headers)
    const claims = credential !== null && this.claims(credential)
    this.#claimed = claims ? { ctx, credential } : null
    return claims
  }

  /** Has a credential the shape of those of this authenticator? */
  protected abstract claims(credential: string): boolean

  abstract authenticate(credential: string | Credential): MaybePromise<AccessToken>

  createToken(ctx: AuthenticationContext): string | Credential {
    return this.credentialOf(ctx)
  }

  protected credentialOf(ctx: AuthenticationContext): string {
    const claimed = this.#claimed
    this.#claimed = null
    return claimed?.ctx === ctx ? claimed.credential : (this.#credentialOf(ctx.headers) ?? '')
  }

  liveness(_ctx: AuthenticationContext, token: AccessToken): Revalidation {
    return new TokenRevalidation(token, this.tokens)
  }

  /** Names no cause: the caller learns nothing about the token (RFC 6750, 3.1). */
  challenge(): string {
    return this.#scheme
  }
}

/** A token in a zone with an audience of its own. */
export interface ForAudience {
  readonly token: string
  readonly audience: string
}

/** A signed access token, `a.b.c`, under the schemes of `jwt.schemes`. Claims that shape and no other, so that one zone may take API keys too. */
export class JwtAuthenticator extends BearerAuthenticator<Tokens<'prove'>, ForAudience> {
  readonly openapi = { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'Access token.' } as const
  readonly stepUp = true

  protected claims(credential: string): boolean {
    return isCompact(credential)
  }

  override createToken(ctx: AuthenticationContext): string | ForAudience {
    const token = this.credentialOf(ctx)
    const { audience = null } = ctx
    return audience === null ? token : { token, audience }
  }

  authenticate(credential: string | ForAudience): MaybePromise<AccessToken> {
    if (typeof credential === 'string') return this.tokens.prove(credential)
    return this.tokens.prove(credential.token, null, credential.audience)
  }
}

/** An API key, `<prefix>_...`. Claims what begins so and has no dot. */
export class ApiKeyAuthenticator extends BearerAuthenticator<Tokens<'apiKeys'>> {
  readonly openapi = {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'API key',
    description: 'Personal access token.'
  } as const

  protected claims(credential: string): boolean {
    return this.tokens.apiKeys.claims(credential)
  }

  authenticate(credential: string): MaybePromise<AccessToken> {
    return andThen(this.tokens.apiKeys.prove(credential), this.#accept)
  }

  readonly #accept = (proven: ProvenKey): AccessToken => {
    this.tokens.apiKeys.used(proven)
    return proven.token
  }
}

/** @returns `null` where the headers have no credential */
type CredentialReader = (headers: IncomingHttpHeaders) => string | null

/**
 * Reads the credential of `Authorization: <scheme> <token>` (RFC 6750, 2.1): the scheme in any case, one blank, one token
 * of printable characters. Anything else is no credential; a token in the query or in a form is never read.
 *
 * @param schemes letters, digits, `_` and `-`
 */
export function credentialReader(schemes: readonly string[]): CredentialReader {
  const form = new RegExp(`^(?:${schemes.join('|')}) [\\x21-\\x2b\\x2d-\\x7e]+$`, 'i')
  return ({ authorization }) =>
    authorization !== undefined && form.test(authorization) ? authorization.slice(authorization.indexOf(' ') + 1) : null
}
