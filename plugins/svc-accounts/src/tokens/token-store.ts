/** The book of one-time tokens, over any table. Whatever uses a token removes it in the same step, so one caller gets it. */
import type { Clock } from 'svc-kernel'
import type { StoreDefinition, StoreParts } from 'svc-stores'
import { operationsOf, storableRecord } from 'svc-stores/plugin'
import { above, atMost, type Database, held, purge, type Table, type TablePlan } from 'svc-stores/table'
import type { TokenPurpose, TokenRecord } from './token-record.ts'

export interface TokenStore {
  /** Stores a token in place of the one with its id. */
  put(record: TokenRecord): Promise<void>
  find(id: string): Promise<TokenRecord | null>
  /** Gives a stored token a secret in place of the one that it had. @returns `null` where it is gone or over */
  arm(id: string, hash: string): Promise<TokenRecord | null>
  /** Removes a token that is not over, and returns it: for exactly one caller. */
  take(purpose: TokenPurpose, hash: string): Promise<TokenRecord | null>
  /** Stores a token again that was taken, unless a newer one has its id. */
  restore(record: TokenRecord): Promise<void>
  /** `true` when this call removed it. */
  remove(id: string): Promise<boolean>
  /** Removes those that are bound to a login name. */
  endOf(identifier: string): Promise<void>
  /** Removes every one of a user. */
  eraseOf(subject: string): Promise<void>
  /** Those with a secret that are not over, the newest first. */
  list(purpose: TokenPurpose, limit: number): Promise<readonly TokenRecord[]>
  /** Removes those that are over. @returns how many */
  purge(): Promise<number>
}

const plan: TablePlan = {
  name: 'svc_account_token',
  collection: 'account_token',
  record: 'accountTokens',
  columns: [
    { name: 'id', type: 'text' },
    { name: 'purpose', type: 'text' },
    { name: 'subject', type: 'text', nullable: true },
    { name: 'identifier', type: 'text', nullable: true },
    { name: 'address', type: 'text' },
    { name: 'hash', type: 'text', nullable: true },
    { name: 'data', type: 'document' },
    { name: 'createdAt', type: 'integer' },
    { name: 'expiresAt', type: 'integer' }
  ],
  indexes: [
    { columns: ['hash'], unique: true, held: 'hash', name: 'by_hash' },
    { columns: ['subject'], name: 'by_subject' },
    { columns: ['identifier'], name: 'by_identifier' },
    { columns: ['purpose', 'createdAt'], name: 'by_purpose' },
    { columns: ['expiresAt'], name: 'by_expiry' }
  ]
}

const shape = {
  fields: ['id', 'purpose', 'subject', 'identifier', 'address', 'hash', 'data', 'createdAt', 'expiresAt'],
  keys: ['id', 'purpose', 'subject', 'identifier', 'address', 'hash'],
  json: ['data']
}

export class TableTokenStore implements TokenStore {
  readonly #clock: Clock
  readonly #tokens: Table<TokenRecord>

  constructor(database: Database, { clock }: StoreParts) {
    this.#clock = clock
    this.#tokens = database.table(plan)
  }

  async put(record: TokenRecord): Promise<void> {
    await this.#tokens.put(storableRecord(record, shape))
  }

  async find(id: string): Promise<TokenRecord | null> {
    return this.#tokens.findOne({ id })
  }

  async arm(id: string, hash: string): Promise<TokenRecord | null> {
    return this.#tokens.updateOne({ id, expiresAt: above(this.#clock.now()) }, { set: { hash } })
  }

  async take(purpose: TokenPurpose, hash: string): Promise<TokenRecord | null> {
    return this.#tokens.deleteOne({ purpose, hash, expiresAt: above(this.#clock.now()) })
  }

  async restore(record: TokenRecord): Promise<void> {
    await this.#tokens.insertNew([storableRecord(record, shape)])
  }

  async remove(id: string): Promise<boolean> {
    return (await this.#tokens.delete({ id })) === 1
  }

  async endOf(identifier: string): Promise<void> {
    await this.#tokens.delete({ identifier })
  }

  async eraseOf(subject: string): Promise<void> {
    await this.#tokens.delete({ subject })
  }

  async list(purpose: TokenPurpose, limit: number): Promise<readonly TokenRecord[]> {
    const order = [{ field: 'createdAt', direction: 'DESC' }] as const
    return this.#tokens.find({ purpose, hash: held, expiresAt: above(this.#clock.now()) }, { order, limit })
  }

  async purge(): Promise<number> {
    return purge(this.#tokens, { expiresAt: atMost(this.#clock.now()) })
  }
}

export const accountTokenStore: StoreDefinition<TokenStore> = {
  brick: 'accountTokens',
  operations: operationsOf(TableTokenStore),
  open: (database, parts) => new TableTokenStore(database, parts),
  check: (store) => store.find('health')
}
