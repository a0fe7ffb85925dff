/** Logins by tokens, `fastify.tokens.grants`: what a user, or an administrator, sees of refresh tokens, and how they end. */
import { currentRequest } from 'svc-kernel'
import type { AuditWriter } from '../journal/audit-writer.ts'
import type { TokensStore } from '../token-store/tokens-store.ts'
import { type RefreshTokens, refreshTokensOf } from './refresh-tokens.ts'

/** A login by tokens: a refresh token and those that replace it. */
export interface TokenGrant {
  readonly ref: string
  /** What it was made with, such as `Firefox on Linux`; `null` where that is not known. */
  readonly device: string | null
  readonly scopes: readonly string[]
  /** Epoch ms. */
  readonly renewedAt: number
  /** Epoch ms: when it ends unless it is renewed. */
  readonly expiresAt: number | null
}

export interface GrantParts {
  readonly store: Pick<TokensStore, 'list'>
  readonly journal: Pick<AuditWriter, 'done'>
}

export class TokenGrants {
  readonly #refresh: Pick<RefreshTokens, 'endOf'>
  readonly #parts: GrantParts

  constructor(refresh: Pick<RefreshTokens, 'endOf'>, parts: GrantParts) {
    this.#refresh = refresh
    this.#parts = parts
  }

  /** Those that can still be renewed, the last renewed first. */
  async list(identifier: string): Promise<TokenGrant[]> {
    const found: TokenGrant[] = []
    for await (const record of refreshTokensOf(this.#parts.store, { subject: identifier, active: true })) {
      const { family, name, scopes, createdAt, expiresAt } = record
      if (family !== null) found.push({ ref: family, device: name, scopes, renewedAt: createdAt, expiresAt })
    }
    return found
  }

  /**
   * Ends logins by tokens: they are renewed no more, and their access tokens are refused at once. API keys go on.
   *
   * @param ref of one, as `list` names it, which must be the user's; `null` for all of them
   * @returns how many
   */
  async end(identifier: string, ref: string | null, reason = 'manual'): Promise<number> {
    if (ref !== null && !(await this.list(identifier)).some((grant) => grant.ref === ref)) return 0
    const revoked = await this.#refresh.endOf(identifier, ref, reason)
    if (revoked === 0) return revoked
    this.#parts.journal.done({
      category: 'token',
      action: 'token.revoked',
      outcome: 'success',
      actor: currentRequest()?.user?.identifier ?? null,
      resource: ref ?? identifier,
      reason,
      metadata: { subject: identifier, revoked }
    })
    return revoked
  }
}
