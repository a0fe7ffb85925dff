/**
 * API keys, `fastify.tokens.apiKeys`: a credential for machines that acts for one user
 * until it expires or is revoked. The key itself is shown once and stored as its hash;
 * revoking it works at once, as each request looks it up.
 */

import type { FastifyBaseLogger } from 'fastify'
import { type AccessToken, type Clock, createAccessToken, currentRequest, type MaybePromise } from 'svc-kernel'
import { andThen, proofKind } from 'svc-kernel/plugin'
import type { Page, PageQuery } from 'svc-stores'
import { ApiKeyLimit } from '../errors.ts'
import { submittedBy, tokenRefused } from '../journal/audit-writer.ts'
import type { SecurityJournal } from '../journal/security-journal.ts'
import { KeyedMutex } from '../promises/work-queue.ts'
import type { RevocationNotifier } from '../sessions/revocation-notifier.ts'
import type { TokenRecord, TokenSummary } from '../token-store/token-record.ts'
import type { TokenFilter, TokenSortField, TokensStore } from '../token-store/tokens-store.ts'
import type { LoadedUser, Subjects } from '../users/user-source.ts'
import type { KeyLookup, PresentedKey } from './key-lookup.ts'
import { LastUsed } from './last-used.ts'
import { isApiKey, isApiKeyShaped, newApiKey, newTokenId, secretHash } from './opaque-token.ts'

export interface ApiKeySetting {
  readonly prefix: string
  /** `null`: keys do not expire by default. */
  readonly defaultExpiryDays: number | null
  /** Keys of one user that are alive at a time. */
  readonly maxPerSubject: number
  readonly lastUsedThrottleS: number
}

export interface ApiKeyParts {
  /** Guarded. */
  readonly store: TokensStore
  readonly lookup: KeyLookup
  readonly subjects: Subjects
  readonly clock: Clock
  readonly journal: SecurityJournal
  readonly log: FastifyBaseLogger
  readonly revocations: RevocationNotifier
}

/** The API key to be issued. */
export interface NewApiKey {
  /** For people; up to 200 characters. */
  readonly name: string
  readonly scopes?: readonly string[]
  /** Absent: the default of the options; `null`: never. */
  readonly expiresInDays?: number | null
  readonly tenantId?: string | null
}

/** An API key as it is shown: never the key itself, never its hash. */
export interface ApiKeyView {
  readonly id: string
  readonly name: string | null
  /** Identifier of the user it acts for. */
  readonly subject: string
  readonly tenantId: string | null
  readonly scopes: readonly string[]
  /** Epoch ms, as all times here. */
  readonly createdAt: number
  /** `null`: never. */
  readonly expiresAt: number | null
  readonly lastUsedAt: number | null
  readonly revokedAt: number | null
  readonly revokedReason: string | null
}

/** What a key proved. */
export interface ProvenKey {
  readonly token: AccessToken
  readonly record: TokenRecord
  /** When, epoch ms. */
  readonly at: number
}

const DAY_MS = 86_400_000

/** As the authenticator of API keys says. */
const proof = proofKind({ carrier: 'authorization', subject: 'machine' }, 'apikey')

/** `fastify.tokens.apiKeys`: issues, lists and revokes API keys. A key is shown once and stored as its hash. */
export class ApiKeyService {
  readonly #setting: ApiKeySetting
  readonly #parts: ApiKeyParts
  readonly #lastUsed: LastUsed
  readonly #mutex = new KeyedMutex()

  constructor(setting: ApiKeySetting, parts: ApiKeyParts) {
    this.#setting = setting
    this.#parts = parts
    this.#lastUsed = new LastUsed(setting.lastUsedThrottleS * 1000, parts)
  }

  /** Has this text the shape of a key of ours? Cheap; proves nothing. */
  claims(text: string): boolean {
    return isApiKeyShaped(text, this.#setting.prefix)
  }

  /**
   * @param subject identifier of the user the key acts for
   * @returns the view, and the key itself, which is never shown again
   * @throws ApiKeyLimit (409) where the user has as many as allowed; AuthenticationUnavailable (503)
   */
  async create(subject: string, key: NewApiKey): Promise<{ view: ApiKeyView; token: string }> {
    // One after the other, so that keys asked for at once do not all find room.
    return this.#mutex.run(subject, async () => {
      const { store } = this.#parts
      const alive = await store.count({ subject, kind: 'apikey', active: true })
      if (alive >= this.#setting.maxPerSubject) throw new ApiKeyLimit(String(this.#setting.maxPerSubject))
      const token = newApiKey(this.#setting.prefix)
      const record = await store.create({
        id: newTokenId(),
        kind: 'apikey',
        name: key.name,
        subject,
        tenantId: key.tenantId ?? null,
        scopes: key.scopes ?? [],
        secretHash: secretHash(token),
        family: null,
        expiresAt: this.#expiry(key.expiresInDays)
      })
      this.#audit('apikey.created', record, null)
      return { view: apiKeyView(record), token }
    })
  }

  /**
   * The identity behind a key. Its `type` is `apikey`; it carries `scopes`, `apiKeyId`, `tenantId` and `expiresAt`.
   *
   * @throws InvalidToken (401, one text) with the true cause as `reason`; AuthenticationUnavailable (503)
   */
  async verify(key: string): Promise<ProvenKey> {
    return this.prove(key)
  }

  /** As `verify`, and at once where the store answers at once: for what runs on each request. */
  prove(key: string): MaybePromise<ProvenKey> {
    if (!isApiKey(key, this.#setting.prefix)) throw tokenRefused('form')
    return andThen(this.#parts.lookup(secretHash(key)), this.#proven)
  }

  /** Notes a use, at most once per `lastUsedThrottleS`. Never waits, never throws. */
  used({ record, at }: ProvenKey): void {
    this.#lastUsed.note(record, at)
  }

  /** The owner of the key behind this token, while it is alive; else `null`. @throws what `verify` throws */
  async holderOf({ apiKeyId }: AccessToken): Promise<LoadedUser | null> {
    if (typeof apiKeyId !== 'string') return null
    const { store, subjects } = this.#parts
    const record = await store.find(apiKeyId)
    if (record === null) throw tokenRefused('unknown')
    checkAlive(record, this.#parts.clock.now())
    const user = await subjects.load(record.subject)
    const threshold = await store.invalidBefore(record.subject)
    return threshold === null || threshold <= record.createdAt ? user : null
  }

  /** Newest first. */
  async list(filter: Omit<TokenFilter, 'kind'>, page: PageQuery<TokenSortField>): Promise<Page<ApiKeyView>> {
    const found = await this.#parts.store.list({ ...filter, kind: 'apikey' }, page)
    return { ...found, items: found.items.map(apiKeyView) }
  }

  async count(filter: Omit<TokenFilter, 'kind'>): Promise<number> {
    return this.#parts.store.count({ ...filter, kind: 'apikey' })
  }

  /**
   * Revokes a key at once. Repeating it changes nothing: date and reason of the first time stay.
   *
   * @param owner only a key of this user counts
   * @returns `null` where there is no such key
   */
  async revoke(id: string, reason = 'manual', owner?: string): Promise<ApiKeyView | null> {
    const { store } = this.#parts
    const before = await store.find(id)
    if (before?.kind !== 'apikey' || (owner !== undefined && before.subject !== owner)) return null
    if (await store.revoke(id, reason)) {
      this.#parts.revocations.notify(id)
      this.#audit('apikey.revoked', before, reason)
    }
    const after = await store.find(id)
    return apiKeyView(after ?? before)
  }

  /**
   * Lets a key live until a time, and no longer than it would: after a rotation both keys are valid for a while.
   *
   * @param at epoch ms
   * @param owner only a key of this user counts
   * @returns `null` where there is no such key
   */
  async expire(id: string, at: number, owner?: string): Promise<ApiKeyView | null> {
    const { store } = this.#parts
    const before = await store.find(id)
    if (before?.kind !== 'apikey' || (owner !== undefined && before.subject !== owner)) return null
    if (await store.expire(id, at)) this.#audit('apikey.expires', before, new Date(at).toISOString())
    return apiKeyView((await store.find(id)) ?? before)
  }

  /** Revokes a key that is presented, such as one that leaked. @returns whether it was alive */
  async revokePresented(key: string, reason: string): Promise<boolean> {
    if (!isApiKey(key, this.#setting.prefix)) return false
    const record = await this.#parts.store.findByHash(secretHash(key))
    if (record?.kind !== 'apikey' || record.revokedAt !== null) return false
    return (await this.revoke(record.id, reason)) !== null
  }

  readonly #proven = (presented: PresentedKey | null): ProvenKey => {
    if (presented === null) throw tokenRefused('unknown')
    const { record, invalidBefore, user } = presented
    const at = this.#parts.clock.now()
    try {
      checkAlive(record, at)
      const subject = this.#parts.subjects.usable(user, record.subject)
      if (invalidBefore !== null && invalidBefore > record.createdAt) throw tokenRefused('invalid_before')
      const { id: apiKeyId, scopes, tenantId, expiresAt } = record
      return {
        token: createAccessToken({
          type: 'apikey',
          user: subject.identity ?? subject,
          scopes,
          apiKeyId,
          tenantId,
          expiresAt,
          proof
        }),
        record,
        at
      }
    } catch (error) {
      throw submittedBy(error, record.subject)
    }
  }

  #expiry(days: number | null = this.#setting.defaultExpiryDays): number | null {
    return days === null ? null : this.#parts.clock.now() + days * DAY_MS
  }

  /** The actor is who asked: an administrator may revoke the key of another user. */
  #audit(action: string, { id, subject, name, scopes }: TokenRecord, reason: string | null): void {
    this.#parts.journal.done({
      category: 'token',
      action,
      outcome: 'success',
      actor: currentRequest()?.user?.identifier ?? null,
      resource: id,
      reason,
      metadata: { name, scopes, subject }
    })
  }
}

function checkAlive({ kind, revokedAt, expiresAt }: TokenRecord, now: number): void {
  if (kind !== 'apikey') throw tokenRefused('unknown')
  if (revokedAt !== null) throw tokenRefused('revoked')
  if (expiresAt !== null && expiresAt <= now) throw tokenRefused('expired')
}

function apiKeyView(record: TokenSummary): ApiKeyView {
  const { id, name, subject, tenantId, scopes, createdAt, expiresAt, lastUsedAt, revokedAt, revokedReason } = record
  return { id, name, subject, tenantId, scopes, createdAt, expiresAt, lastUsedAt, revokedAt, revokedReason }
}
