/** A signed access token, `Authorization: Bearer a.b.c`. Claims that shape and no other, so that API keys may stand beside it. */
import type { AccessToken } from 'svc-kernel'
import { isCompact } from '../../tokens/compact-form.ts'
import type { TokenService } from '../../tokens/token-service.ts'
import type { Liveness } from '../revalidation/revalidation.ts'
import { TokenLiveness } from '../revalidation/token-revalidation.ts'
import type { AuthenticationContext, Authenticator } from './authenticator.ts'
import { BEARER_CHALLENGE, bearerOf } from './bearer-credential.ts'

export const JWT_NAME = 'jwt'

export class JwtAuthenticator implements Authenticator<string> {
  readonly #tokens: Pick<TokenService, 'verify' | 'holds' | 'whenRevoked'>

  constructor(tokens: Pick<TokenService, 'verify' | 'holds' | 'whenRevoked'>) {
    this.#tokens = tokens
  }

  supports({ headers }: AuthenticationContext): boolean {
    const bearer = bearerOf(headers)
    return bearer !== null && isCompact(bearer)
  }

  createToken({ headers }: AuthenticationContext): string {
    return bearerOf(headers) ?? ''
  }

  authenticate(credential: string): Promise<AccessToken> {
    return this.#tokens.verify(credential)
  }

  liveness(_ctx: AuthenticationContext, token: AccessToken): Liveness {
    return new TokenLiveness(token, this.#tokens)
  }

  challenge(): string {
    return BEARER_CHALLENGE
  }
}
