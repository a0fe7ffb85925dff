/** Tokens in memory: for development and tests; lost at a restart, seen by one instance. */
import type { Clock } from 'svc-kernel'
import type {
  NewToken,
  TokenFilter,
  TokenKind,
  TokenRecord,
  TokenSortField,
  TokenSummary,
  TokensStore
} from '../contracts/tokens-store.ts'
import { DuplicateRecord } from '../errors.ts'
import type { Page, PageQuery } from '../paging/page.ts'
import { filterTypes, readFilter } from '../paging/read-filter.ts'
import { sortFields } from '../paging/sort-fields.ts'
import { newRecords } from '../records/new-records.ts'
import { recordShapes } from '../records/record-shapes.ts'
import { checkText, storableRecord } from '../records/storable-record.ts'
import { containsText } from './contains-text.ts'
import { copyOut, MemoryTable } from './memory-table.ts'
import type { StoreParts } from './store-parts.ts'
import { TokenDenials } from './token-denials.ts'

export class MemoryTokensStore implements TokensStore {
  readonly #clock: Clock
  readonly #table = new MemoryTable<TokenRecord>('token')
  readonly #idByHash = new Map<string, string>()
  readonly #denials = new TokenDenials()

  constructor({ clock }: StoreParts) {
    this.#clock = clock
  }

  async create(token: NewToken): Promise<TokenRecord> {
    return copyOut(this.#insert(token))
  }

  async find(id: string): Promise<TokenRecord | null> {
    return this.#copy(id)
  }

  async findByHash(secretHash: string): Promise<TokenRecord | null> {
    return this.#copy(this.#idByHash.get(secretHash))
  }

  async rotate(id: string, successor: NewToken): Promise<boolean> {
    // One synchronous step: nothing can come between the claim and the successor.
    const row = this.#table.get(id)
    if (row === undefined || !isActive(row, this.#clock.now())) return false
    const { id: replacedBy } = this.#insert(successor)
    this.#revoke(row, 'rotated', { replacedBy })
    return true
  }

  async revoke(id: string, reason: string): Promise<boolean> {
    checkText('revokedReason', reason, false)
    const row = this.#table.get(id)
    if (row === undefined || row.revokedAt !== null) return false
    this.#revoke(row, reason)
    return true
  }

  async revokeFamily(family: string, reason: string): Promise<number> {
    return this.#revokeWhere((row) => row.family !== null && row.family === family, reason)
  }

  async revokeBySubject(subject: string, reason: string, kind?: TokenKind): Promise<number> {
    return this.#revokeWhere((row) => row.subject === subject && (kind === undefined || row.kind === kind), reason)
  }

  async markUsed(id: string, throttleMs: number): Promise<boolean> {
    const row = this.#table.get(id)
    const now = this.#clock.now()
    if (row === undefined || (row.lastUsedAt !== null && row.lastUsedAt + throttleMs > now)) return false
    this.#table.change(row, { lastUsedAt: now })
    return true
  }

  async list(filter: TokenFilter, page: PageQuery<TokenSortField>): Promise<Page<TokenSummary>> {
    const found = this.#table.page(matching(filter, this.#clock.now()), page, sortFields.tokens)
    return { ...found, items: found.items.map(({ secretHash: _hash, ...summary }) => summary) }
  }

  async count(filter: TokenFilter): Promise<number> {
    return this.#table.count(matching(filter, this.#clock.now()))
  }

  async deny(jti: string, expiresAt: number): Promise<void> {
    checkText('jti', jti, true)
    this.#denials.deny(jti, expiresAt)
  }

  async isDenied(jti: string): Promise<boolean> {
    return this.#denials.isDenied(jti, this.#clock.now())
  }

  async invalidateBefore(subject: string, at: number): Promise<number> {
    checkText('subject', subject, true)
    return this.#denials.invalidateBefore(subject, at)
  }

  async invalidBefore(subject: string): Promise<number | null> {
    return this.#denials.invalidBefore(subject)
  }

  async purge(retentionRevokedMs: number): Promise<number> {
    const now = this.#clock.now()
    const over = this.#table.where(
      ({ expiresAt, revokedAt }) =>
        (expiresAt !== null && expiresAt <= now) ||
        (retentionRevokedMs > 0 && revokedAt !== null && revokedAt + retentionRevokedMs <= now)
    )
    for (const { id, secretHash } of over) {
      this.#table.delete(id)
      if (secretHash !== null) this.#idByHash.delete(secretHash)
    }
    return over.length + this.#denials.purge(now)
  }

  #insert(token: NewToken): TokenRecord {
    const row = newRecords.token(storableRecord(token, recordShapes.tokens), this.#clock.now())
    if (row.secretHash !== null && this.#idByHash.has(row.secretHash)) throw new DuplicateRecord('token', 'secretHash')
    this.#table.insert(row)
    if (row.secretHash !== null) this.#idByHash.set(row.secretHash, row.id)
    return row
  }

  #revokeWhere(matches: (row: TokenRecord) => boolean, reason: string): number {
    checkText('revokedReason', reason, false)
    const open = this.#table.where((row) => row.revokedAt === null && matches(row))
    for (const row of open) this.#revoke(row, reason)
    return open.length
  }

  #revoke(row: TokenRecord, revokedReason: string, more: Partial<TokenRecord> = {}): void {
    this.#table.change(row, { revokedAt: this.#clock.now(), revokedReason, ...more })
  }

  #copy(id: string | undefined): TokenRecord | null {
    const row = id === undefined ? undefined : this.#table.get(id)
    return row === undefined ? null : copyOut(row)
  }
}

function isActive({ revokedAt, expiresAt }: TokenRecord, now: number): boolean {
  return revokedAt === null && (expiresAt === null || expiresAt > now)
}

function matching(filter: TokenFilter, now: number): (row: TokenRecord) => boolean {
  const { subject, kind, tenantId, active, q } = readFilter(filter, filterTypes.tokens)
  return (row) =>
    (subject === undefined || row.subject === subject) &&
    (kind === undefined || row.kind === kind) &&
    (tenantId === undefined || row.tenantId === tenantId) &&
    (active === undefined || isActive(row, now) === active) &&
    (q === undefined || containsText(row.name, q))
}
