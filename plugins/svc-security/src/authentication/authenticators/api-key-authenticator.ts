/** An API key, `Authorization: Bearer <prefix>_...`. Claims what begins so and has no dot. */
import type { AccessToken } from 'svc-kernel'
import type { TokenService } from '../../tokens/token-service.ts'
import type { Liveness } from '../revalidation/revalidation.ts'
import { TokenLiveness } from '../revalidation/token-revalidation.ts'
import type { AuthenticationContext, Authenticator } from './authenticator.ts'
import { BEARER_CHALLENGE, bearerOf } from './bearer-credential.ts'

export const API_KEY_NAME = 'apikey'

export class ApiKeyAuthenticator implements Authenticator<string> {
  readonly #tokens: Pick<TokenService, 'apiKeys' | 'holds' | 'whenRevoked'>

  constructor(tokens: Pick<TokenService, 'apiKeys' | 'holds' | 'whenRevoked'>) {
    this.#tokens = tokens
  }

  supports({ headers }: AuthenticationContext): boolean {
    const bearer = bearerOf(headers)
    return bearer !== null && this.#tokens.apiKeys.claims(bearer)
  }

  createToken({ headers }: AuthenticationContext): string {
    return bearerOf(headers) ?? ''
  }

  async authenticate(credential: string): Promise<AccessToken> {
    const { apiKeys } = this.#tokens
    const { token, record } = await apiKeys.verify(credential)
    apiKeys.used(record)
    return token
  }

  liveness(_ctx: AuthenticationContext, token: AccessToken): Liveness {
    return new TokenLiveness(token, this.#tokens)
  }

  challenge(): string {
    return BEARER_CHALLENGE
  }
}
