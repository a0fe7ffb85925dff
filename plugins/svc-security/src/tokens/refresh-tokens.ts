/**
 * Refresh tokens: each is used once and names its successor. The one before the newest answers with that successor for
 * seconds more, as two pages may renew at once and an answer may be lost. Any other that comes again was stolen, or its
 * owner was robbed: its whole family ends, with the access tokens of everything that came after it (RFC 9700, 4.14.2). A
 * record has the `jti` of the access token that was issued with it. One that is bound to a key takes a proof of that key
 * (RFC 9449, 5): who has none is refused before anything ends, as a copy alone must not end the login of its owner.
 */
import { randomBytes } from 'node:crypto'
import { type Clock, currentRequest } from 'svc-kernel'
import { newTokenId, secretHash } from '../api-keys/opaque-token.ts'
import { tokenRefused } from '../journal/audit-writer.ts'
import type { SecurityJournal } from '../journal/security-journal.ts'
import { deviceOf } from '../sessions/device.ts'
import type { RevocationNotifier } from '../sessions/revocation-notifier.ts'
import type { KeyRing } from '../signing-keys/key-set.ts'
import type { NewToken, TokenRecord, TokenSummary } from '../token-store/token-record.ts'
import type { TokensStore } from '../token-store/tokens-store.ts'
import { successorSecret } from './refresh-successor.ts'

/** `rt_` and 32 random bytes. */
const FORM = /^rt_[\w-]{42}[AEIMQUYcgkosw048]$/

export interface RefreshSetting {
  readonly refreshTtlMs: number
  /** How long an access token may be alive after it was issued: its life and the tolerance. */
  readonly accessAliveMs: number
  /** How long a token that was replaced answers again, in milliseconds; 0 never. */
  readonly refreshGraceMs: number
}

/** A refresh token that was just made, and the `jti` of the access token that goes with it. */
export interface MadeRefreshToken {
  readonly token: string
  readonly jti: string
}

/** A refresh token that may be used: unused, or replaced a moment ago by the newest of its family. */
export interface UsableRefreshToken {
  readonly record: TokenRecord
  readonly successor: TokenRecord | null
}

export interface RefreshParts {
  /** Of its keys the secrets of successors are made. */
  readonly ring: KeyRing
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

  /**
   * The first of a family, named for people after what it is asked with.
   *
   * @param login `proof` and `audience` of it, which its successors keep; `jkt` of the key that they are bound to
   */
  async begin(
    subject: string,
    scopes: readonly string[],
    login: Pick<TokenRecord, 'proof' | 'jkt' | 'audience'>
  ): Promise<MadeRefreshToken> {
    const token = newRefreshToken()
    const of = { name: deviceNow(), subject, scopes, ...login, tenantId: null, family: newTokenId() }
    const record = this.#record(newTokenId(), token, of)
    await this.#parts.store.create(record)
    return { token, jti: record.id }
  }

  /**
   * A presented token, before it is used up.
   *
   * @param jkt thumbprint of the key that its holder proved; `null` for none
   * @throws InvalidToken for one that is unknown, expired or revoked; a reuse also ends its family
   */
  async find(presented: string, jkt: string | null): Promise<UsableRefreshToken> {
    const record = await this.look(presented)
    if (record === null) throw tokenRefused('unknown')
    checkKey(record, jkt)
    const successor = record.replacedBy === null ? null : await this.#newestAfter(record, jkt)
    if (successor === null && record.replacedBy !== null) throw await this.#reused(record)
    const { revokedAt, expiresAt, subject, createdAt } = successor ?? record
    if (revokedAt !== null) throw tokenRefused('revoked')
    if (expiresAt !== null && expiresAt <= this.#parts.clock.now()) throw tokenRefused('expired')
    const threshold = await this.#parts.store.invalidBefore(subject)
    if (threshold !== null && createdAt <= threshold) throw tokenRefused('invalid_before')
    return { record, successor }
  }

  /**
   * Uses a token up, or gives its successor again.
   *
   * @param jkt as `find` was given it: the successor is bound to that key, also of a token that is bound to none
   * @throws InvalidToken where that is a reuse
   */
  async rotate(
    presented: string,
    { record, successor }: UsableRefreshToken,
    jkt: string | null
  ): Promise<MadeRefreshToken> {
    if (successor !== null) return this.#again(presented, record, successor)
    const id = newTokenId()
    const { ring, clock, store } = this.#parts
    const token = successorSecret(presented, id, ring.current.signingKey(clock.now())) ?? newRefreshToken()
    const next = this.#record(id, token, { ...record, jkt, family: record.family ?? newTokenId() })
    if (await store.rotate(record.id, next)) return { token, jti: id }
    const now = await store.find(record.id)
    if (now === null || now.replacedBy === null) throw tokenRefused('revoked')
    const newest = await this.#newestAfter(now, jkt)
    if (newest === null) throw await this.#reused(now)
    return this.#again(presented, now, newest)
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

  /** The successor of a token, where that is the newest of its family and was made a moment ago. */
  async #newestAfter(
    { replacedBy, revokedAt, revokedReason }: TokenRecord,
    jkt: string | null
  ): Promise<TokenRecord | null> {
    if (replacedBy === null || revokedAt === null || revokedReason !== 'rotated') return null
    if (revokedAt + this.#setting.refreshGraceMs <= this.#parts.clock.now()) return null
    const successor = await this.#parts.store.find(replacedBy)
    if (successor?.replacedBy !== null || successor.revokedAt !== null) return null
    checkKey(successor, jkt)
    return successor
  }

  /** A key that made the successor may have stopped signing meanwhile; one that is gone leaves a reuse. */
  async #again(presented: string, record: TokenRecord, { id, ...successor }: TokenRecord): Promise<MadeRefreshToken> {
    for (const key of this.#parts.ring.current.keys) {
      const token = successorSecret(presented, id, key)
      if (token !== null && secretHash(token) === successor.secretHash) return { token, jti: id }
    }
    throw await this.#reused(record)
  }

  /** Ends the logins by tokens of a user, or one of them. @returns how many were alive */
  async endOf(subject: string, family: string | null, reason: string): Promise<number> {
    const { store } = this.#parts
    const ended =
      family === null
        ? await store.revokeBySubject(subject, reason, 'refresh')
        : await store.revokeFamily(family, reason)
    for await (const record of refreshTokensOf(store, { subject })) {
      if (this.#aliveUntil(record) <= this.#parts.clock.now()) break
      if (family === null || record.family === family) await this.#denyAccess(record)
    }
    return ended
  }

  async #denyFrom(first: TokenRecord): Promise<void> {
    for (let record: TokenRecord | null = first; record !== null; record = await this.#successor(record)) {
      await this.#denyAccess(record)
    }
  }

  /** The store keeps the time at which it wrote; the token was signed within the same second, and again within the grace. */
  #aliveUntil({ createdAt }: TokenSummary): number {
    return createdAt + this.#setting.accessAliveMs + this.#setting.refreshGraceMs + 1000
  }

  async #denyAccess(record: TokenSummary): Promise<void> {
    const until = this.#aliveUntil(record)
    if (until <= this.#parts.clock.now()) return
    await this.#parts.store.deny(record.id, until)
    this.#parts.revocations.notify(record.id)
  }

  async #successor({ replacedBy }: TokenRecord): Promise<TokenRecord | null> {
    return replacedBy === null ? null : this.#parts.store.find(replacedBy)
  }

  #record(
    id: string,
    token: string,
    of: Pick<TokenRecord, 'name' | 'subject' | 'scopes' | 'tenantId' | 'family' | 'proof' | 'jkt' | 'audience'>
  ): NewToken {
    const { name, subject, scopes, tenantId, family, proof = null, jkt, audience = null } = of
    const expiresAt = this.#parts.clock.now() + this.#setting.refreshTtlMs
    const login = { name, subject, tenantId, scopes, family, proof, jkt, audience }
    return { id, kind: 'refresh', ...login, secretHash: secretHash(token), expiresAt }
  }
}

/** @throws InvalidToken unless it is bound to no key, or to the one that was proven */
function checkKey({ jkt: bound = null }: Pick<TokenRecord, 'jkt'>, proven: string | null): void {
  if (bound !== null && bound !== proven) throw tokenRefused('key')
}

function deviceNow(): string | null {
  const agent = currentRequest()?.headers['user-agent']
  return agent === undefined ? null : deviceOf(agent)
}

const PAGE = 200

/** Refresh tokens, the newest first. */
export async function* refreshTokensOf(
  store: Pick<TokensStore, 'list'>,
  filter: { readonly subject: string; readonly active?: boolean }
): AsyncGenerator<TokenSummary> {
  for (let [offset, more] = [0, true]; more; offset += PAGE) {
    const { items, hasNext } = await store.list({ ...filter, kind: 'refresh' }, { limit: PAGE, offset })
    yield* items
    more = hasNext
  }
}

export function newRefreshToken(): string {
  return `rt_${randomBytes(32).toString('base64url')}`
}

/** By its form, before any store is asked. */
export function isRefreshToken(text: string): boolean {
  return FORM.test(text)
}
