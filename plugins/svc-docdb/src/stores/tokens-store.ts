/**
 * Tokens in the collection `access_token`; denials and thresholds beside them, in
 * collections of their own.
 */
import type { Document, Filter } from 'mongodb'
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
import type { DocumentConnection } from '../connection/document-connection.ts'
import { exactly } from './exactly.ts'
import { containing } from './search-pattern.ts'
import { StoreCollection, type StoredDocument } from './store-collection.ts'
import { TokenDenials } from './token-denials.ts'
import { tokenPlan } from './token-plan.ts'

const LIST = {
  sort: sortFields.tokens,
  nameOf: (field: TokenSortField) => (field === 'id' ? '_id' : field),
  projection: { secretHash: 0 },
  toItem: (document: Document): TokenSummary => {
    const { secretHash: _hash, ...summary } = toRecord(document)
    return summary
  }
}

export class DocumentTokensStore implements TokensStore {
  readonly #clock: Clock
  readonly #tokens: StoreCollection
  readonly #denials: TokenDenials

  constructor(connection: DocumentConnection, clock: Clock) {
    this.#clock = clock
    this.#tokens = new StoreCollection(connection, tokenPlan)
    this.#denials = new TokenDenials(connection)
  }

  async create(token: NewToken): Promise<TokenRecord> {
    const record = newRecords.token(storableRecord(token, recordShapes.tokens), this.#clock.now())
    await this.#tokens.run((collection) => collection.insertOne(toDocument(record)))
    return record
  }

  find(id: string): Promise<TokenRecord | null> {
    return this.#one({ _id: exactly(id) })
  }

  findByHash(secretHash: string): Promise<TokenRecord | null> {
    return this.#one({ secretHash: exactly(secretHash) })
  }

  async rotate(id: string, successor: NewToken): Promise<boolean> {
    const now = this.#clock.now()
    const claimable = { _id: exactly(id), ...activeAt(now) }
    // Who comes late learns so before anything is written.
    if ((await this.#tokens.findOne(claimable, { projection: { _id: 1 } })) === null) return false
    const { id: replacedBy } = await this.create(successor)
    const revocation = { revokedAt: now, revokedReason: 'rotated', replacedBy }
    if (await this.#tokens.changedOne(claimable, { $set: revocation })) return true
    await this.#tokens.deleted({ _id: replacedBy })
    return false
  }

  async revoke(id: string, reason: string): Promise<boolean> {
    checkText('revokedReason', reason, false)
    return this.#tokens.changedOne({ _id: exactly(id), revokedAt: null }, this.#revocation(reason))
  }

  revokeFamily(family: string, reason: string): Promise<number> {
    return this.#revokeAll({ family: exactly(family) }, reason)
  }

  revokeBySubject(subject: string, reason: string, kind?: TokenKind): Promise<number> {
    const ofKind = kind === undefined ? {} : { kind: exactly(kind) as TokenKind }
    return this.#revokeAll({ subject: exactly(subject), ...ofKind }, reason)
  }

  async markUsed(id: string, throttleMs: number): Promise<boolean> {
    const now = this.#clock.now()
    const due = { $or: [{ lastUsedAt: null }, { lastUsedAt: { $lte: now - throttleMs } }] }
    return this.#tokens.changedOne({ _id: exactly(id), ...due }, { $set: { lastUsedAt: now } })
  }

  async list(filter: TokenFilter, page: PageQuery<TokenSortField>): Promise<Page<TokenSummary>> {
    return this.#tokens.page(toFilter(filter, this.#clock.now()), page, LIST)
  }

  async count(filter: TokenFilter): Promise<number> {
    return this.#tokens.count(toFilter(filter, this.#clock.now()))
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
    const expired = { expiresAt: { $ne: null, $lte: now } }
    const forgotten = { revokedAt: { $ne: null, $lte: now - retentionRevokedMs } }
    const removed = await this.#tokens.deleted({ $or: retentionRevokedMs > 0 ? [expired, forgotten] : [expired] })
    return removed + (await this.#denials.purge(now))
  }

  async #one(filter: Filter<StoredDocument>): Promise<TokenRecord | null> {
    const found = await this.#tokens.findOne(filter)
    return found === null ? null : toRecord(found)
  }

  /** Until a pass finds nothing: a rotation under way may have put a successor where the first had looked already. */
  async #revokeAll(filter: Filter<StoredDocument>, reason: string): Promise<number> {
    checkText('revokedReason', reason, false)
    let total = 0
    for (;;) {
      const revoked = await this.#tokens.changed({ ...filter, revokedAt: null }, this.#revocation(reason))
      if (revoked === 0) return total
      total += revoked
    }
  }

  #revocation(reason: string): Document {
    return { $set: { revokedAt: this.#clock.now(), revokedReason: reason } }
  }
}

function activeAt(now: number): Filter<StoredDocument> {
  return { revokedAt: null, $or: [{ expiresAt: null }, { expiresAt: { $gt: now } }] }
}

/** Without a secret the key is absent, so that the unique index leaves the token alone. */
function toDocument({ id, secretHash, ...rest }: TokenRecord): StoredDocument {
  return { _id: id, ...rest, ...(secretHash === null ? {} : { secretHash }) }
}

function toRecord({ _id, secretHash, ...rest }: Document): TokenRecord {
  return { id: _id, secretHash: secretHash ?? null, ...rest } as TokenRecord
}

function toFilter(filter: TokenFilter, now: number): Filter<StoredDocument> {
  const { subject, kind, tenantId, active, q } = readFilter(filter, filterTypes.tokens)
  const over = { $or: [{ revokedAt: { $ne: null } }, { expiresAt: { $ne: null, $lte: now } }] }
  return {
    ...(subject === undefined ? {} : { subject }),
    ...(kind === undefined ? {} : { kind }),
    ...(tenantId === undefined ? {} : { tenantId }),
    ...(active === undefined ? {} : active ? activeAt(now) : over),
    ...(q === undefined ? {} : { name: containing(q) })
  }
}
