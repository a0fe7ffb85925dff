/**
 * Signed access tokens where some are bound to keys (RFC 9449, 7): one that is bound holds by `Authorization: DPoP` with a
 * proof of its key, never by another scheme; one that is not bound holds as before, unless every token must be.
 */
import type { FastifyRequest } from 'fastify'
import type { AccessToken, MaybePromise, SecurityScheme } from 'svc-kernel'
import { dpopChallenge } from '../../dpop/dpop-challenge.ts'
import type { DpopProofs } from '../../dpop/dpop-proofs.ts'
import { tokenRefused } from '../../journal/audit-writer.ts'
import { isCompact } from '../../tokens/access-token-form.ts'
import type { TokenService } from '../../tokens/token-service.ts'
import { type Revalidation, TokenRevalidation } from '../revalidation/revalidation.ts'
import type { AuthenticationContext, Authenticator } from './authenticator.ts'
import { credentialReader, type ForAudience, JwtAuthenticator } from './bearer-authenticators.ts'

interface BoundCredential {
  readonly token: string
  readonly request: FastifyRequest
  readonly audience: string | null
}

export interface DpopSetting {
  readonly proofs: Pick<DpopProofs, 'of'>
  /** Whether a token that is bound to no key is refused. */
  readonly required: boolean
  /** Of tokens that are bound to none. */
  readonly schemes: readonly string[]
}

const readDpop = credentialReader(['DPoP'])

export class DpopAuthenticator implements Authenticator<string | ForAudience | BoundCredential> {
  readonly carrier = 'authorization'
  readonly subject = 'machine'
  readonly needs = 'accounts'
  readonly stepUp = true
  readonly openapi: SecurityScheme
  readonly #bearer: JwtAuthenticator
  readonly #tokens: Pick<TokenService, 'prove' | 'renewed' | 'whenRevoked'>
  readonly #proofs: Pick<DpopProofs, 'of'>
  readonly #required: boolean

  constructor(
    tokens: Pick<TokenService, 'prove' | 'renewed' | 'whenRevoked'>,
    { proofs, required, schemes }: DpopSetting
  ) {
    this.#bearer = new JwtAuthenticator(tokens, schemes)
    this.#tokens = tokens
    this.#proofs = proofs
    this.#required = required
    this.openapi = required ? OPENAPI : this.#bearer.openapi
  }

  supports(ctx: AuthenticationContext): boolean {
    return this.#bearer.supports(ctx) || boundTokenOf(ctx) !== null
  }

  createToken(ctx: AuthenticationContext): string | ForAudience | BoundCredential {
    const token = boundTokenOf(ctx)
    return token === null
      ? this.#bearer.createToken(ctx)
      : { token, request: ctx.request, audience: ctx.audience ?? null }
  }

  authenticate(credential: string | ForAudience | BoundCredential): MaybePromise<AccessToken> {
    if (typeof credential !== 'string' && 'request' in credential) return this.#prove(credential)
    if (this.#required) throw tokenRefused('unbound')
    return this.#bearer.authenticate(credential)
  }

  liveness(_ctx: AuthenticationContext, token: AccessToken): Revalidation {
    return new TokenRevalidation(token, this.#tokens)
  }

  challenge(): string {
    return this.#required ? dpopChallenge() : `${this.#bearer.challenge()}, ${dpopChallenge()}`
  }

  async #prove({ token, request, audience }: BoundCredential): Promise<AccessToken> {
    const proof = this.#proofs.of(request, token)
    const proven = await this.#tokens.prove(token, proof.jkt, audience)
    await proof.use()
    return proven
  }
}

const OPENAPI = {
  type: 'http',
  scheme: 'dpop',
  bearerFormat: 'JWT',
  description: 'Access token, with a proof of its key in the header DPoP (RFC 9449).'
} as const

function boundTokenOf({ headers }: AuthenticationContext): string | null {
  const credential = readDpop(headers)
  return credential !== null && isCompact(credential) ? credential : null
}
