/** An API key, `Authorization: Bearer <prefix>_...`. Claims what begins so and has no dot. */
import type { AccessToken } from 'svc-kernel'
import type { ApiKeyService } from '../api-keys/api-key-service.ts'
import type { AuthenticationContext, Authenticator } from './authenticator.ts'
import { BEARER_CHALLENGE, bearerOf } from './bearer-credential.ts'

export const API_KEY_NAME = 'apikey'

export class ApiKeyAuthenticator implements Authenticator<string> {
  readonly #keys: Pick<ApiKeyService, 'claims' | 'verify' | 'used'>

  constructor(keys: Pick<ApiKeyService, 'claims' | 'verify' | 'used'>) {
    this.#keys = keys
  }

  supports({ headers }: AuthenticationContext): boolean {
    const bearer = bearerOf(headers)
    return bearer !== null && this.#keys.claims(bearer)
  }

  createToken({ headers }: AuthenticationContext): string {
    return bearerOf(headers) ?? ''
  }

  async authenticate(credential: string): Promise<AccessToken> {
    const { token, record } = await this.#keys.verify(credential)
    this.#keys.used(record)
    return token
  }

  challenge(): string {
    return BEARER_CHALLENGE
  }
}
