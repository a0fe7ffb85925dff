/** Passkeys in the table `svc_webauthn_credential`, by credential id. A listing never reads the key. */
import { sql } from 'kysely'
import type { Clock } from 'svc-kernel'
import {
  checkText,
  DuplicateRecord,
  filterTypes,
  type NewPasskey,
  newRecords,
  type Page,
  type PageQuery,
  type PasskeyFilter,
  type PasskeyRecord,
  type PasskeySortField,
  type PasskeySummary,
  type PasskeysStore,
  readFilter,
  recordShapes,
  sortFields,
  storableRecord
} from 'svc-stores'
import type { SqlConnection } from '../connection/sql-connection.ts'
import { flag, foldOf, integer, list, optionalInteger, optionalText, text } from './store-columns.ts'
import { all, atLeast, compared, exactly, startingWith, type Where } from './store-conditions.ts'
import { type StorePlan, StoreTable } from './store-table.ts'

export const passkeyPlan: StorePlan = {
  brick: 'passkey',
  unique: 'id',
  table: {
    name: 'svc_webauthn_credential',
    columns: [
      text('id'),
      text('userId'),
      text('publicKey'),
      integer('counter'),
      list('transports'),
      flag('backupEligible'),
      flag('backupState'),
      optionalText('nickname'),
      foldOf('nickname'),
      integer('createdAt'),
      optionalInteger('lastUsedAt')
    ],
    indexes: [{ columns: ['userId', ['createdAt', 'desc']] }, { columns: [['createdAt', 'desc'], 'id'] }]
  }
}

const HIDDEN = ['publicKey'] as const

const REPLACED = ['publicKey', 'transports', 'backupEligible', 'backupState', 'nickname']

/** The owner is part of the condition: a credential never changes hands. */
const OWN: Where = sql<boolean>`${sql.ref('svc_webauthn_credential.userId')} = ${sql.ref('excluded.userId')}`

export class SqlPasskeysStore implements PasskeysStore {
  readonly #clock: Clock
  readonly #passkeys: StoreTable<PasskeyRecord>

  constructor(connection: SqlConnection, clock: Clock) {
    this.#clock = clock
    this.#passkeys = StoreTable.declare(connection, passkeyPlan)
  }

  async save(passkey: NewPasskey): Promise<PasskeyRecord> {
    const record = newRecords.passkey(storableRecord(passkey, recordShapes.passkeys), this.#clock.now())
    const counter = atLeast('svc_webauthn_credential.counter', record.counter)
    const saved = await this.#passkeys.upsert(record, REPLACED, { counter }, OWN)
    if (saved === null) throw new DuplicateRecord('passkey', 'id')
    return saved
  }

  find(id: string): Promise<PasskeyRecord | null> {
    return this.#passkeys.findBy('id', id)
  }

  async advance(id: string, counter: number, backupState: boolean): Promise<boolean> {
    const higher = counter === 0 ? compared('counter', '=', 0) : compared('counter', '<', counter)
    const changes = { counter, backupState, lastUsedAt: this.#clock.now() }
    return (await this.#passkeys.update(changes, all(exactly('id', id), higher))) === 1
  }

  async rename(id: string, userId: string, nickname: string | null): Promise<boolean> {
    if (nickname !== null) checkText('nickname', nickname, false)
    return (await this.#passkeys.update({ nickname }, owned(id, userId))) === 1
  }

  async remove(id: string, userId: string): Promise<boolean> {
    return (await this.#passkeys.delete(owned(id, userId))) === 1
  }

  removeByUser(userId: string): Promise<number> {
    return this.#passkeys.delete(exactly('userId', userId))
  }

  async list(filter: PasskeyFilter, page: PageQuery<PasskeySortField>): Promise<Page<PasskeySummary>> {
    return this.#passkeys.page(this.#where(filter), page, sortFields.passkeys, HIDDEN)
  }

  async count(filter: PasskeyFilter): Promise<number> {
    return this.#passkeys.count(this.#where(filter))
  }

  #where(filter: PasskeyFilter): Where {
    const { userId, q } = readFilter(filter, filterTypes.passkeys)
    return all(
      userId === undefined ? undefined : exactly('userId', userId),
      q === undefined ? undefined : startingWith(this.#passkeys.engine, 'nickname', q)
    )
  }
}

function owned(id: string, userId: string): Where {
  return all(exactly('id', id), exactly('userId', userId))
}
