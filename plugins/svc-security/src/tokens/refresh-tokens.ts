/**
 * Refresh tokens: each is used once and names its successor. One that comes again was
 * stolen, or its owner was robbed: its whole family ends, with the access tokens of
 * everything that came after it (RFC 9700, 4.14.2). A record has the `jti` of the
 * access token that was issued with it.
 */
import { randomBytes } from 'node:crypto'
import type { Clock } from 'svc-kernel'
import { newTokenId, secretHash } from '../api-keys/opaque-token.ts'
import { tokenRefused } from '../journal/audit-writer.ts'
import type { SecurityJournal } from '../journal/security-journal.ts'
import type { RevocationNotifier } from '../sessions/revocation-notifier.ts'
import type { NewToken, TokenRecord } from '../token-store/token-record.ts'
import type { TokensStore } from '../token-store/tokens-store.ts'

/** `rt_` and 32 random bytes. */
const FORM = /^rt_[\w-]{42}[AEIMQUYcgkosw048]$/

export interface RefreshSetting {
  readonly refreshTtlMs: number
  /** How long an access token may be alive after it was issued: its life and the tolerance. */
  readonly accessAliveMs: number
}

/** A refresh token that was just made, and the `jti` of the access token that goes with it. */
export interface MadeRefreshToken {
  readonly token: string
  readonly jti: string
}

export interface RefreshParts {
  readonly store: TokensStore
  readonly clock: Clock
  readonly journal: SecurityJournal
  readonly revocations: RevocationNotifier
}

export class RefreshTokens {
  readonly #setting: RefreshSetting
  readonly #parts: RefreshParts

  constructor(setting: RefreshSetting, parts: RefreshParts) {
    this.#setting = setting
    this.#parts = parts
  }

  /** The first of a family. */
  async begin(subject: string, scopes: readonly string[]): Promise<MadeRefreshToken> {
    const made = this.#make({ subject, scopes, tenantId: null, family: newTokenId() })
    await this.#parts.store.create(made.record)
    return { token: made.token, jti: made.record.id }
  }

  /**
   * The record of a presented token, before it is used up.
   *
   * @throws InvalidToken for one that is unknown, expired or revoked; a reuse also ends its family
   */
  async find(presented: string): Promise<TokenRecord> {
    const record = await this.look(presented)
    if (record === null) throw tokenRefused('unknown')
    if (record.replacedBy !== null) throw await this.#reused(record)
    if (record.revokedAt !== null) throw tokenRefused('revoked')
    if (record.expiresAt !== null && record.expiresAt <= this.#parts.clock.now()) throw tokenRefused('expired')
    const threshold = await this.#parts.store.invalidBefore(record.subject)
    if (threshold !== null && record.createdAt <= threshold) throw tokenRefused('invalid_before')
    return record
  }

  /** Uses a token up. @throws InvalidToken where another request was quicker: that is a reuse too */
  async rotate(record: TokenRecord): Promise<MadeRefreshToken> {
    const made = this.#make({ ...record, family: record.family ?? newTokenId() })
    if (await this.#parts.store.rotate(record.id, made.record)) {
      return { token: made.token, jti: made.record.id }
    }
    const now = await this.#parts.store.find(record.id)
    throw now !== null && now.replacedBy !== null ? await this.#reused(now) : tokenRefused('revoked')
  }

  /** Ends the family of a token and the access tokens that came with it and after it. @returns whether anything was alive */
  async end(record: TokenRecord, reason: string): Promise<boolean> {
    const { family } = record
    const { store } = this.#parts
    const ended =
      family === null ? await store.revoke(record.id, reason) : (await store.revokeFamily(family, reason)) > 0
    await this.#denyFrom(record)
    return ended
  }

  /** The record of a presented refresh token, whatever became of it: to revoke it. */
  async look(presented: string): Promise<TokenRecord | null> {
    if (!isRefreshToken(presented)) return null
    const record = await this.#parts.store.findByHash(secretHash(presented))
    return record?.kind === 'refresh' ? record : null
  }

  async #reused(record: TokenRecord): Promise<Error> {
    await this.end(record, 'reuse_detected')
    this.#parts.journal.done({
      category: 'token',
      action: 'token.reuse_detected',
      outcome: 'denied',
      actor: record.subject,
      resource: record.id,
      reason: 'reuse_detected',
      metadata: { family: record.family }
    })
    return tokenRefused('reuse_detected')
  }

  async #denyFrom(first: TokenRecord): Promise<void> {
    const now = this.#parts.clock.now()
    for (let record: TokenRecord | null = first; record !== null; record = await this.#successor(record)) {
      // The store keeps the time at which it wrote; the token was signed within the same second.
      const until = record.createdAt + this.#setting.accessAliveMs + 1000
      const { id } = record
      if (until <= now) continue
      await this.#parts.store.deny(id, until)
      this.#parts.revocations.notify(id)
    }
  }

  async #successor({ replacedBy }: TokenRecord): Promise<TokenRecord | null> {
    return replacedBy === null ? null : this.#parts.store.find(replacedBy)
  }

  #make(of: Pick<NewToken, 'subject' | 'scopes' | 'tenantId' | 'family'>): { token: string; record: NewToken } {
    const token = newRefreshToken()
    const { subject, scopes, tenantId, family } = of
    const record: NewToken = {
      id: newTokenId(),
      kind: 'refresh',
      name: null,
      subject,
      tenantId,
      scopes,
      secretHash: secretHash(token),
      family,
      expiresAt: this.#parts.clock.now() + this.#setting.refreshTtlMs
    }
    return { token, record }
  }
}

export function newRefreshToken(): string {
  return `rt_${randomBytes(32).toString('base64url')}`
}

/** By its form, before any store is asked. */
export function isRefreshToken(text: string): boolean {
  return FORM.test(text)
}
