/** Tokens in the table `svc_access_token`; denials and thresholds beside them, in tables of their own. */
import type { Clock } from 'svc-kernel'
import {
  checkText,
  filterTypes,
  type NewToken,
  newRecords,
  type Page,
  type PageQuery,
  readFilter,
  recordShapes,
  sortFields,
  storableRecord,
  type TokenFilter,
  type TokenKind,
  type TokenRecord,
  type TokenSortField,
  type TokenSummary,
  type TokensStore
} from 'svc-stores'
import type { SqlConnection } from '../connection/sql-connection.ts'
import { all, any, compared, containing, exactly, isHeld, isNull, type Where } from './store-conditions.ts'
import { StoreTable } from './store-table.ts'
import { TokenDenials } from './token-denials.ts'
import { tokenPlan } from './token-plan.ts'

const HIDDEN = ['secretHash'] as const

export class SqlTokensStore implements TokensStore {
  readonly #clock: Clock
  readonly #tokens: StoreTable<TokenRecord>
  readonly #denials: TokenDenials

  constructor(connection: SqlConnection, clock: Clock) {
    this.#clock = clock
    this.#tokens = StoreTable.declare(connection, tokenPlan)
    this.#denials = new TokenDenials(connection)
  }

  async create(token: NewToken): Promise<TokenRecord> {
    const record = this.#newRecord(token)
    await this.#tokens.insert(record)
    return record
  }

  find(id: string): Promise<TokenRecord | null> {
    return this.#tokens.findBy('id', id)
  }

  findByHash(secretHash: string): Promise<TokenRecord | null> {
    return this.#tokens.findBy('secretHash', secretHash)
  }

  /** In one transaction: no token is claimed without its successor being there, and none is left by a claim that failed. */
  async rotate(id: string, successor: NewToken): Promise<boolean> {
    const record = this.#newRecord(successor)
    const now = record.createdAt
    const revocation = { revokedAt: now, revokedReason: 'rotated', replacedBy: record.id }
    return this.#tokens.transaction(async (db) => {
      const tokens = this.#tokens.within(db)
      if ((await tokens.update(revocation, all(exactly('id', id), activeAt(now)))) === 0) return false
      await tokens.insert(record)
      return true
    })
  }

  async revoke(id: string, reason: string): Promise<boolean> {
    checkText('revokedReason', reason, false)
    return (await this.#tokens.update(this.#revocation(reason), all(exactly('id', id), isNull('revokedAt')))) === 1
  }

  revokeFamily(family: string, reason: string): Promise<number> {
    return this.#revokeAll(exactly('family', family), reason)
  }

  revokeBySubject(subject: string, reason: string, kind?: TokenKind): Promise<number> {
    return this.#revokeAll(
      all(exactly('subject', subject), kind === undefined ? undefined : exactly('kind', kind)),
      reason
    )
  }

  async markUsed(id: string, throttleMs: number): Promise<boolean> {
    const now = this.#clock.now()
    const due = any(isNull('lastUsedAt'), compared('lastUsedAt', '<=', now - throttleMs))
    return (await this.#tokens.update({ lastUsedAt: now }, all(exactly('id', id), due))) === 1
  }

  async list(filter: TokenFilter, page: PageQuery<TokenSortField>): Promise<Page<TokenSummary>> {
    return this.#tokens.page(this.#where(filter), page, sortFields.tokens, HIDDEN)
  }

  async count(filter: TokenFilter): Promise<number> {
    return this.#tokens.count(this.#where(filter))
  }

  async deny(jti: string, expiresAt: number): Promise<void> {
    checkText('jti', jti, true)
    await this.#denials.deny(jti, expiresAt)
  }

  isDenied(jti: string): Promise<boolean> {
    return this.#denials.isDenied(jti, this.#clock.now())
  }

  async invalidateBefore(subject: string, at: number): Promise<number> {
    checkText('subject', subject, true)
    return this.#denials.invalidateBefore(subject, at)
  }

  invalidBefore(subject: string): Promise<number | null> {
    return this.#denials.invalidBefore(subject)
  }

  async purge(retentionRevokedMs: number): Promise<number> {
    const now = this.#clock.now()
    // One rule after the other: each has an index of its own. Null, which never expires, compares with nothing.
    const expired = await this.#tokens.purge(compared('expiresAt', '<=', now))
    const forgotten =
      retentionRevokedMs > 0 ? await this.#tokens.purge(compared('revokedAt', '<=', now - retentionRevokedMs)) : 0
    return expired + forgotten + (await this.#denials.purge(now))
  }

  /**
   * Until nothing is left to revoke: a rotation under way holds the row that a pass waits for, and commits a successor
   * which that pass does not see. As long as it is under way, its old token is seen unrevoked.
   */
  async #revokeAll(where: Where, reason: string): Promise<number> {
    checkText('revokedReason', reason, false)
    const open = all(where, isNull('revokedAt'))
    let total = 0
    do total += await this.#tokens.update(this.#revocation(reason), open)
    while (await this.#tokens.exists(open))
    return total
  }

  #newRecord(token: NewToken): TokenRecord {
    return newRecords.token(storableRecord(token, recordShapes.tokens), this.#clock.now())
  }

  #revocation(reason: string) {
    return { revokedAt: this.#clock.now(), revokedReason: reason }
  }

  #where(filter: TokenFilter): Where {
    const { subject, kind, tenantId, active, q } = readFilter(filter, filterTypes.tokens)
    const now = this.#clock.now()
    const over = any(isHeld('revokedAt'), compared('expiresAt', '<=', now))
    return all(
      subject === undefined ? undefined : exactly('subject', subject),
      kind === undefined ? undefined : exactly('kind', kind),
      tenantId === undefined ? undefined : exactly('tenantId', tenantId),
      active === undefined ? undefined : active ? activeAt(now) : over,
      q === undefined ? undefined : containing(this.#tokens.engine, 'name', q)
    )
  }
}

function activeAt(now: number): Where {
  return all(isNull('revokedAt'), any(isNull('expiresAt'), compared('expiresAt', '>', now)))
}
