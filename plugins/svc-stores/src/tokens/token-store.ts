/** One-time tokens, over any table. Whatever uses a token up removes it in the same step, so one caller gets it. */
import type { Clock } from 'svc-kernel'
import { storableRecord } from '../records/record-values.ts'
import { operationsOf, type StoreDefinition } from '../selection/store-definition.ts'
import { above, atMost, type Database, held, purge, type Table, type TablePlan } from '../table.ts'
import type { TokenRecord } from './token-record.ts'

export interface TokenStore<Purpose extends string = string> {
  /** Stores a token in place of the one with its id. */
  put(record: TokenRecord<Purpose>): Promise<void>
  find(id: string): Promise<TokenRecord<Purpose> | null>
  /** Gives a stored token a secret in place of the one that it had. @returns `null` where it is gone or over */
  arm(id: string, hash: string): Promise<TokenRecord<Purpose> | null>
  /** Removes a token that is not over, and returns it: for exactly one caller. */
  take(purpose: Purpose, hash: string): Promise<TokenRecord<Purpose> | null>
  /** One that is not over, which stays. */
  read(purpose: Purpose, hash: string): Promise<TokenRecord<Purpose> | null>
  /** Stores a token again that was taken, unless a newer one has its id. */
  restore(record: TokenRecord<Purpose>): Promise<void>
  /** `true` when this call removed it. */
  remove(id: string): Promise<boolean>
  /** Removes those that are bound to a login name. */
  endOf(identifier: string): Promise<void>
  /** Removes every one of a user. */
  eraseOf(subject: string): Promise<void>
  /** Those with a secret that are not over, the newest first. */
  list(purpose: Purpose, limit: number): Promise<readonly TokenRecord<Purpose>[]>
  /** Removes those that are over. @returns how many */
  purge(): Promise<number>
}

/** Names of a table of tokens. */
export interface TokenTableNames {
  readonly name: string
  readonly collection: string
  readonly record: string
}

const columns: Omit<TablePlan, keyof TokenTableNames> = {
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

class TableTokenStore<Purpose extends string> implements TokenStore<Purpose> {
  readonly #clock: Clock
  readonly #tokens: Table<TokenRecord<Purpose>>

  constructor(database: Database, { clock }: { readonly clock: Clock }, names: TokenTableNames) {
    this.#clock = clock
    this.#tokens = database.table({ ...columns, ...names })
  }

  async put(record: TokenRecord<Purpose>): Promise<void> {
    await this.#tokens.put(storableRecord(record, shape))
  }

  async find(id: string): Promise<TokenRecord<Purpose> | null> {
    return this.#tokens.findOne({ id })
  }

  async arm(id: string, hash: string): Promise<TokenRecord<Purpose> | null> {
    return this.#tokens.updateOne({ id, expiresAt: above(this.#clock.now()) }, { set: { hash } })
  }

  async take(purpose: Purpose, hash: string): Promise<TokenRecord<Purpose> | null> {
    return this.#tokens.deleteOne({ purpose, hash, expiresAt: above(this.#clock.now()) })
  }

  async read(purpose: Purpose, hash: string): Promise<TokenRecord<Purpose> | null> {
    return this.#tokens.findOne({ purpose, hash, expiresAt: above(this.#clock.now()) })
  }

  async restore(record: TokenRecord<Purpose>): Promise<void> {
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

  async list(purpose: Purpose, limit: number): Promise<readonly TokenRecord<Purpose>[]> {
    const order = [{ field: 'createdAt', direction: 'DESC' }] as const
    return this.#tokens.find({ purpose, hash: held, expiresAt: above(this.#clock.now()) }, { order, limit })
  }

  async purge(): Promise<number> {
    return purge(this.#tokens, { expiresAt: atMost(this.#clock.now()) })
  }
}

/** The store of one-time tokens of a package. @param brick its name, also for messages */
export function tokenStore<Purpose extends string>(
  brick: string,
  names: Omit<TokenTableNames, 'record'>
): StoreDefinition<TokenStore<Purpose>> {
  return {
    brick,
    operations: operationsOf(TableTokenStore),
    open: (database, parts) => new TableTokenStore<Purpose>(database, parts, { ...names, record: brick }),
    check: (store) => store.find('health')
  }
}
