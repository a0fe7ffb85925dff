/** The two authenticators of `Authorization: Bearer`: signed access tokens and API keys, distinguished by their shape. */
import type { IncomingHttpHeaders } from 'node:http'
import type { AccessToken } from 'svc-kernel'
import { isCompact } from '../../tokens/compact-form.ts'
import type { TokenService } from '../../tokens/token-service.ts'
import { type Revalidation, TokenRevalidation } from '../revalidation/revalidation.ts'
import type { AuthenticationContext, Authenticator } from './authenticator.ts'

export const JWT_NAME = 'jwt'

export const API_KEY_NAME = 'apikey'

type Tokens<Method extends keyof TokenService> = Pick<TokenService, Method | 'holds' | 'whenRevoked'>

abstract class BearerAuthenticator<Used extends Tokens<never>> implements Authenticator<string> {
  protected readonly tokens: Used

  constructor(tokens: Used) {
    this.tokens = tokens
  }

  abstract supports(ctx: AuthenticationContext): boolean

  abstract authenticate(credential: string): Promise<AccessToken>

  createToken({ headers }: AuthenticationContext): string {
    return bearerOf(headers) ?? ''
  }

  liveness(_ctx: AuthenticationContext, token: AccessToken): Revalidation {
    return new TokenRevalidation(token, this.tokens)
  }

  /** Names no cause: the caller learns nothing about the token (RFC 6750, 3.1). */
  challenge(): string {
    return 'Bearer'
  }
}

/** A signed access token, `a.b.c`. Claims that shape and no other, so that one zone may take API keys too. */
export class JwtAuthenticator extends BearerAuthenticator<Tokens<'verify'>> {
  supports({ headers }: AuthenticationContext): boolean {
    const bearer = bearerOf(headers)
    return bearer !== null && isCompact(bearer)
  }

  authenticate(credential: string): Promise<AccessToken> {
    return this.tokens.verify(credential)
  }
}

/** An API key, `<prefix>_...`. Claims what begins so and has no dot. */
export class ApiKeyAuthenticator extends BearerAuthenticator<Tokens<'apiKeys'>> {
  supports({ headers }: AuthenticationContext): boolean {
    const bearer = bearerOf(headers)
    return bearer !== null && this.tokens.apiKeys.claims(bearer)
  }

  async authenticate(credential: string): Promise<AccessToken> {
    const { apiKeys } = this.tokens
    const { token, record } = await apiKeys.verify(credential)
    apiKeys.used(record)
    return token
  }
}

const BEARER = /^bearer ([\x21-\x2b\x2d-\x7e]+)$/i

/**
 * The credential of `Authorization: Bearer <token>` (RFC 6750, 2.1): the scheme in any case, one blank, one token of
 * printable characters. Anything else is no credential; a token in the query or in a form is never read.
 *
 * @returns `null` where there is none
 */
export function bearerOf({ authorization }: IncomingHttpHeaders): string | null {
  if (authorization === undefined) return null
  return BEARER.exec(authorization)?.[1] ?? null
}
