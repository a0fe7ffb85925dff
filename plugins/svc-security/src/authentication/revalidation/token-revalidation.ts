/** A signed token or an API key behind an open WebSocket: neither expired nor revoked, of a user who may still act. */
import type { AccessToken } from 'svc-kernel'
import type { TokenService } from '../../tokens/token-service.ts'
import type { Liveness } from './revalidation.ts'

export class TokenLiveness implements Liveness {
  readonly #token: AccessToken
  readonly #tokens: Pick<TokenService, 'holds' | 'whenRevoked'>

  constructor(token: AccessToken, tokens: Pick<TokenService, 'holds' | 'whenRevoked'>) {
    this.#token = token
    this.#tokens = tokens
  }

  endsAt(): number | null {
    const { expiresAt } = this.#token
    return typeof expiresAt === 'number' ? expiresAt : null
  }

  check(): Promise<boolean> {
    return this.#tokens.holds(this.#token)
  }

  watch(end: () => void): () => void {
    return this.#tokens.whenRevoked(this.#token, end)
  }
}
