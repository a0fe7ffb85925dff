/** Passkeys (WebAuthn credentials). A credential never changes hands, its counter never goes back, a listing never shows the key. */
import type { Clock } from 'svc-kernel'
import { DuplicateRecord, type Page, type PageQuery, type StoreDefinition, type StoreParts } from 'svc-stores'
import { checkText, operationsOf, readFilter, type SortFields, storableRecord } from 'svc-stores/plugin'
import {
  below,
  type Database,
  given,
  pageOf,
  sortIndexes,
  startingWith,
  type Table,
  type TablePlan,
  type Where
} from 'svc-stores/table'

export interface PasskeyRecord {
  /** The credential id, base64url. */
  readonly id: string
  readonly userId: string
  /** COSE key, base64url. */
  readonly publicKey: string
  /** Signature counter; 0 where the authenticator keeps none. */
  readonly counter: number
  readonly transports: readonly string[]
  readonly backupEligible: boolean
  readonly backupState: boolean
  readonly nickname: string | null
  /** Epoch ms. */
  readonly createdAt: number
  readonly lastUsedAt: number | null
}

export type NewPasskey = Omit<PasskeyRecord, 'createdAt' | 'lastUsedAt'>

/** A passkey as listings show it, without its public key. */
export type PasskeySummary = Omit<PasskeyRecord, 'publicKey'>

export interface PasskeyFilter {
  readonly userId?: string
  /** Case-insensitive beginning of the nickname; every character is literal. */
  readonly q?: string
}

export type PasskeySortField = 'createdAt' | 'userId' | 'id'

export interface PasskeysStore {
  /**
   * Atomic upsert: creates the credential, or replaces what its owner registered before; the creation
   * and last-use times stay, the counter becomes the higher of the two.
   * @throws DuplicateRecord when the credential is another user's
   */
  save(passkey: NewPasskey): Promise<PasskeyRecord>
  find(id: string): Promise<PasskeyRecord | null>
  /**
   * Compare-and-set after a login: the counter must be higher than the stored one, or both 0.
   * Writes the last-use time. `false` when absent or not higher: a cloned authenticator, or a replay.
   */
  advance(id: string, counter: number, backupState: boolean): Promise<boolean>
  /** `false` when absent or another user's. */
  rename(id: string, userId: string, nickname: string | null): Promise<boolean>
  /** `false` when absent or another user's. */
  remove(id: string, userId: string): Promise<boolean>
  /** @returns how many */
  removeByUser(userId: string): Promise<number>
  /** Newest first. Without public keys. */
  list(filter: PasskeyFilter, page: PageQuery<PasskeySortField>): Promise<Page<PasskeySummary>>
  count(filter: PasskeyFilter): Promise<number>
}

const plan: TablePlan = {
  name: 'svc_webauthn_credential',
  collection: 'webauthn_credential',
  record: 'passkey',
  columns: [
    { name: 'id', type: 'text' },
    { name: 'userId', type: 'text' },
    { name: 'publicKey', type: 'text' },
    { name: 'counter', type: 'integer' },
    { name: 'transports', type: 'text', list: true },
    { name: 'backupEligible', type: 'boolean' },
    { name: 'backupState', type: 'boolean' },
    { name: 'nickname', type: 'text', nullable: true, searched: true },
    { name: 'createdAt', type: 'integer' },
    { name: 'lastUsedAt', type: 'integer', nullable: true }
  ],
  indexes: [
    { columns: ['userId', ['createdAt', 'desc']], on: 'sql' },
    { columns: [['createdAt', 'desc'], 'id'], on: 'sql' },
    { columns: ['userId', ['createdAt', 'desc'], 'id'], name: 'by_user', on: 'documents' },
    ...sortIndexes(['createdAt', 'userId'])
  ]
}

const shape = {
  fields: ['id', 'userId', 'publicKey', 'counter', 'transports', 'backupEligible', 'backupState', 'nickname'],
  keys: ['id', 'userId'],
  json: []
}

export const passkeySort: SortFields<PasskeySortField> = {
  fields: ['createdAt', 'userId', 'id'],
  fallback: ['createdAt', 'DESC']
}

const HIDDEN = ['publicKey'] as const

export class TablePasskeysStore implements PasskeysStore {
  readonly #clock: Clock
  readonly #passkeys: Table<PasskeyRecord>

  constructor(database: Database, { clock }: StoreParts) {
    this.#clock = clock
    this.#passkeys = database.table(plan)
  }

  async save(passkey: NewPasskey): Promise<PasskeyRecord> {
    const record = { ...storableRecord(passkey, shape), createdAt: this.#clock.now(), lastUsedAt: null }
    // The owner is part of the condition: a credential never changes hands.
    const guard = { userId: record.userId }
    const saved = await this.#passkeys.put(record, { guard, keep: ['createdAt', 'lastUsedAt'], max: ['counter'] })
    if (saved === null) throw new DuplicateRecord('passkey', 'id')
    return saved
  }

  async find(id: string): Promise<PasskeyRecord | null> {
    return this.#passkeys.findOne({ id })
  }

  async advance(id: string, counter: number, backupState: boolean): Promise<boolean> {
    const standing = { id, counter: counter === 0 ? 0 : below(counter) }
    return (
      (await this.#passkeys.update(standing, { set: { counter, backupState, lastUsedAt: this.#clock.now() } })) === 1
    )
  }

  async rename(id: string, userId: string, nickname: string | null): Promise<boolean> {
    if (nickname !== null) checkText('nickname', nickname, false)
    return (await this.#passkeys.update({ id, userId }, { set: { nickname } })) === 1
  }

  async remove(id: string, userId: string): Promise<boolean> {
    return (await this.#passkeys.delete({ id, userId })) === 1
  }

  removeByUser(userId: string): Promise<number> {
    return this.#passkeys.delete({ userId })
  }

  async list(filter: PasskeyFilter, page: PageQuery<PasskeySortField>): Promise<Page<PasskeySummary>> {
    return pageOf(this.#passkeys, whereOf(filter), page, passkeySort, HIDDEN)
  }

  async count(filter: PasskeyFilter): Promise<number> {
    return this.#passkeys.count(whereOf(filter))
  }
}

function whereOf(filter: PasskeyFilter): Where<PasskeyRecord> {
  const { userId, q } = readFilter(filter, { userId: 'text', q: 'text' })
  return given({ userId, nickname: q === undefined ? undefined : startingWith(q) })
}

export const passkeysStore: StoreDefinition<PasskeysStore> = {
  brick: 'passkeys',
  operations: operationsOf(TablePasskeysStore),
  open: (database, parts) => new TablePasskeysStore(database, parts),
  check: (store) => store.find('health')
}
