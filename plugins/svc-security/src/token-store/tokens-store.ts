/**
 * API keys, refresh tokens and recorded access tokens, the denylist of `jti`s and
 * the threshold of each subject. A secret is stored as its hash alone. A
 * revocation keeps its first date and reason; a threshold only moves forward.
 */
import type { Clock, MaybePromise } from 'svc-kernel'
import type { Page, PageQuery, StoreDefinition, StoreParts } from 'svc-stores'
import { checkText, operationsOf, readFilter, type SortFields, storableRecord } from 'svc-stores/plugin'
import {
  above,
  all,
  any,
  asDuplicate,
  atMost,
  type Change,
  containing,
  type Database,
  given,
  held,
  isNull,
  type Lookup,
  pageOf,
  purge,
  type Table,
  type Transaction,
  type Where
} from 'svc-stores/table'
import { type FindOwned, ownedTokens } from './owned-tokens.ts'
import { TokenDenials } from './token-denials.ts'
import { tokenPlan } from './token-plan.ts'
import type { NewToken, TokenKind, TokenRecord, TokenSummary } from './token-record.ts'

export interface TokenFilter {
  readonly subject?: string
  readonly kind?: TokenKind
  readonly tenantId?: string
  /** Neither revoked nor expired. */
  readonly active?: boolean
  /** Case-insensitive substring of the name; every character is literal. */
  readonly q?: string
}

export type TokenSortField = 'createdAt' | 'subject' | 'kind' | 'id'

export interface TokensStore {
  /** @throws DuplicateRecord when the id or the secret hash exists */
  create(token: NewToken): Promise<TokenRecord>
  find(id: string): MaybePromise<TokenRecord | null>
  findByHash(secretHash: string): MaybePromise<TokenRecord | null>
  /**
   * Optional: makes a look-up by hash that brings what decides on the token along.
   *
   * @param owners where users are found by the subject; `null` where they are not to be looked for
   */
  withOwner?<Owner extends object>(owners: Lookup<Owner> | null): FindOwned<Owner>
  /**
   * Compare-and-set: replaces an active token by its successor, with reason `rotated`.
   * The successor is stored before the claim and removed when the claim is lost, so that a family
   * revoked meanwhile takes it along: once a family is revoked, no token of it is active.
   * @returns `false` when the token is absent, revoked, expired or replaced already: a reuse
   * @throws DuplicateRecord when the successor's id or hash exists
   */
  rotate(id: string, successor: NewToken): Promise<boolean>
  /** `true` when this call revoked it; `false` when absent or revoked already. */
  revoke(id: string, reason: string): Promise<boolean>
  /** An active token expires at this time, epoch ms, unless it does before. `true` when this call changed it. */
  expire(id: string, at: number): Promise<boolean>
  /** @returns how many this call revoked */
  revokeFamily(family: string, reason: string): Promise<number>
  /** @returns how many this call revoked */
  revokeBySubject(subject: string, reason: string, kind?: TokenKind): Promise<number>
  /** Writes `lastUsedAt`, at most once in `throttleMs`. `true` when this call wrote it. */
  markUsed(id: string, throttleMs: number): Promise<boolean>
  /** Newest first. Without hashes. */
  list(filter: TokenFilter, page: PageQuery<TokenSortField>): Promise<Page<TokenSummary>>
  count(filter: TokenFilter): Promise<number>
  /** Denies a `jti` until its token expires. A later expiry wins. */
  deny(jti: string, expiresAt: number): Promise<void>
  isDenied(jti: string): MaybePromise<boolean>
  /** Refuses what was issued to the subject before `at` (epoch ms). Never moves back. @returns the threshold in force */
  invalidateBefore(subject: string, at: number): Promise<number>
  /** Epoch ms, or `null` where nothing was invalidated. */
  invalidBefore(subject: string): MaybePromise<number | null>
  /**
   * Removes expired records and denials, and records revoked longer ago than the retention
   * (0: the retention rule is off). Thresholds stay. @returns how many
   */
  purge(retentionRevokedMs: number): Promise<number>
}

const shape = {
  fields: [
    'id',
    'kind',
    'name',
    'subject',
    'tenantId',
    'scopes',
    'secretHash',
    'jkt',
    'audience',
    'family',
    'expiresAt',
    'proof'
  ],
  optional: ['jkt', 'audience', 'proof'],
  keys: ['id', 'subject', 'tenantId', 'secretHash', 'family'],
  json: []
}

export const tokenSort: SortFields<TokenSortField> = {
  fields: ['createdAt', 'subject', 'kind', 'id'],
  fallback: ['createdAt', 'DESC']
}

const HIDDEN = ['secretHash', 'jkt', 'audience', 'proof'] as const

export class TableTokensStore implements TokensStore {
  readonly #clock: Clock
  readonly #database: Database
  readonly #tokens: Table<TokenRecord>
  readonly #denials: TokenDenials
  /** No method: an operation is what every store has. */
  readonly withOwner = <Owner extends object>(owners: Lookup<Owner> | null): FindOwned<Owner> =>
    ownedTokens(this.#tokens, this.#denials.bySubject, owners)

  constructor(database: Database, { clock }: StoreParts) {
    this.#clock = clock
    this.#database = database
    this.#tokens = database.table(tokenPlan)
    this.#denials = new TokenDenials(database)
  }

  async create(token: NewToken): Promise<TokenRecord> {
    const record = this.#newRecord(token)
    await asDuplicate('token', this.#tokens.insert([record]))
    return record
  }

  find(id: string): MaybePromise<TokenRecord | null> {
    return this.#tokens.findOne({ id })
  }

  findByHash(secretHash: string): MaybePromise<TokenRecord | null> {
    return this.#tokens.findOne({ secretHash })
  }

  rotate(id: string, successor: NewToken): Promise<boolean> {
    const record = this.#newRecord(successor)
    const active = all<TokenRecord>({ id }, activeAt(record.createdAt))
    const claim = { set: { ...this.#revocation('rotated'), replacedBy: record.id } }
    if (this.#database.cheapTransactions) return this.#rotateTogether(record, active, claim)
    return this.#rotateInSteps(record, active, claim)
  }

  /** No token is claimed without its successor being there, and none is left by a claim that failed. */
  #rotateTogether(record: TokenRecord, active: Where<TokenRecord>, claim: Change<TokenRecord>): Promise<boolean> {
    const work = async (tx: Transaction) => {
      const tokens = this.#tokens.within(tx)
      if ((await tokens.update(active, claim)) === 0) return false
      await asDuplicate('token', tokens.insert([record]))
      return true
    }
    return this.#database.transaction(work, { isolation: 'read committed' })
  }

  /** The successor comes first: a family that is revoked meanwhile takes it along. A process that dies between leaves a token whose secret was never given out. */
  async #rotateInSteps(record: TokenRecord, active: Where<TokenRecord>, claim: Change<TokenRecord>): Promise<boolean> {
    // What cannot be claimed anyway is not preceded by a write.
    if (!(await this.#tokens.exists(active))) return false
    await asDuplicate('token', this.#tokens.insert([record]))
    if ((await this.#tokens.update(active, claim)) === 1) return true
    await this.#tokens.delete({ id: record.id })
    return false
  }

  async revoke(id: string, reason: string): Promise<boolean> {
    checkText('revokedReason', reason, false)
    return (await this.#tokens.update({ id, revokedAt: isNull }, { set: this.#revocation(reason) })) === 1
  }

  async expire(id: string, at: number): Promise<boolean> {
    const longer = any<TokenRecord>({ expiresAt: isNull }, { expiresAt: above(at) })
    return (
      (await this.#tokens.update(all<TokenRecord>({ id, revokedAt: isNull }, longer), { set: { expiresAt: at } })) === 1
    )
  }

  revokeFamily(family: string, reason: string): Promise<number> {
    return this.#revokeAll({ family, revokedAt: isNull }, reason)
  }

  revokeBySubject(subject: string, reason: string, kind?: TokenKind): Promise<number> {
    return this.#revokeAll({ subject, revokedAt: isNull, ...given({ kind }) }, reason)
  }

  async markUsed(id: string, throttleMs: number): Promise<boolean> {
    const now = this.#clock.now()
    const due = any<TokenRecord>({ lastUsedAt: isNull }, { lastUsedAt: atMost(now - throttleMs) })
    return (await this.#tokens.update(all<TokenRecord>({ id }, due), { set: { lastUsedAt: now } })) === 1
  }

  async list(filter: TokenFilter, page: PageQuery<TokenSortField>): Promise<Page<TokenSummary>> {
    return pageOf(this.#tokens, this.#where(filter), page, tokenSort, HIDDEN)
  }

  async count(filter: TokenFilter): Promise<number> {
    return this.#tokens.count(this.#where(filter))
  }

  async deny(jti: string, expiresAt: number): Promise<void> {
    checkText('jti', jti, true)
    await this.#denials.deny(jti, expiresAt)
  }

  isDenied(jti: string): MaybePromise<boolean> {
    return this.#denials.isDenied(jti, this.#clock.now())
  }

  async invalidateBefore(subject: string, at: number): Promise<number> {
    checkText('subject', subject, true)
    return this.#denials.invalidateBefore(subject, at)
  }

  invalidBefore(subject: string): MaybePromise<number | null> {
    return this.#denials.invalidBefore(subject)
  }

  async purge(retentionRevokedMs: number): Promise<number> {
    const now = this.#clock.now()
    // One rule after the other: each has its own index. Null, which never expires, compares with nothing.
    const expired = await purge(this.#tokens, { expiresAt: atMost(now) })
    const forgotten =
      retentionRevokedMs > 0 ? await purge(this.#tokens, { revokedAt: atMost(now - retentionRevokedMs) }) : 0
    return expired + forgotten + (await this.#denials.purge(now))
  }

  /** Until nothing is left to revoke: a successor that was stored meanwhile is seen by the next pass, or claims nothing. */
  async #revokeAll(open: Where<TokenRecord>, reason: string): Promise<number> {
    checkText('revokedReason', reason, false)
    let total = 0
    do total += await this.#tokens.update(open, { set: this.#revocation(reason) })
    while (await this.#tokens.exists(open))
    return total
  }

  #newRecord(token: NewToken): TokenRecord {
    return {
      jkt: null,
      audience: null,
      proof: null,
      ...storableRecord(token, shape),
      ...unused,
      createdAt: this.#clock.now()
    }
  }

  #revocation(reason: string): { readonly revokedAt: number; readonly revokedReason: string } {
    return { revokedAt: this.#clock.now(), revokedReason: reason }
  }

  #where(filter: TokenFilter): Where<TokenRecord> {
    const { subject, kind, tenantId, active, q } = readFilter(filter, filters)
    const now = this.#clock.now()
    const over = any<TokenRecord>({ revokedAt: held }, { expiresAt: atMost(now) })
    const fields = given({ subject, kind, tenantId, name: q === undefined ? undefined : containing(q) })
    return active === undefined ? fields : all<TokenRecord>(fields, active ? activeAt(now) : over)
  }
}

const unused = { replacedBy: null, lastUsedAt: null, revokedAt: null, revokedReason: null }

const filters = { subject: 'text', kind: 'text', tenantId: 'text', active: 'boolean', q: 'text' } as const

function activeAt(now: number): Where<TokenRecord> {
  return all<TokenRecord>({ revokedAt: isNull }, any<TokenRecord>({ expiresAt: isNull }, { expiresAt: above(now) }))
}

export const tokensStore: StoreDefinition<TokensStore> = {
  brick: 'tokens',
  operations: operationsOf(TableTokensStore),
  open: (database, parts) => new TableTokensStore(database, parts),
  check: async (store) => store.isDenied('health')
}
