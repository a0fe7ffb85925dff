/** One-time codes (RFC 6238): one enrolment per user. A time step and a recovery code work once. */
import type { Clock } from 'svc-kernel'
import type { StoreDefinition, StoreParts } from 'svc-stores'
import { operationsOf, type ResealRows, resealRows, storableRecord } from 'svc-stores/plugin'
import { all, any, below, type Database, held, holding, isNull, type Table, type TablePlan } from 'svc-stores/table'

export interface TotpRecord {
  /** The user's id. */
  readonly id: string
  /** Encrypted by the caller (`gcm1.`). */
  readonly secretEnc: string
  /** The last time step that was accepted; `null` before the first. */
  readonly lastStep: number | null
  /** Hashes of the recovery codes that are left. */
  readonly recoveryHashes: readonly string[]
  /** Epoch ms. */
  readonly createdAt: number
  /** Epoch ms; `null` while the enrolment waits for its first code. */
  readonly confirmedAt: number | null
}

export interface TotpStore {
  /** Starts an enrolment, or replaces one that was never confirmed. `false` when a confirmed one stands. */
  enroll(userId: string, secretEnc: string): Promise<boolean>
  find(userId: string): Promise<TotpRecord | null>
  /** Compare-and-set: confirms the waiting enrolment that holds this very secret; its first step counts as used. */
  confirm(userId: string, secretEnc: string, step: number, recoveryHashes: readonly string[]): Promise<boolean>
  /** Compare-and-set: accepts a step later than the last one, of a confirmed enrolment. */
  useStep(userId: string, step: number): Promise<boolean>
  /** Removes the code; `true` for exactly one caller. */
  useRecoveryCode(userId: string, hash: string): Promise<boolean>
  /** `false` without a confirmed enrolment. */
  replaceRecoveryCodes(userId: string, hashes: readonly string[]): Promise<boolean>
  /** `true` when this call removed it. */
  remove(userId: string): Promise<boolean>
  /** Seals secrets under the first key of a box. Absent from a store that cannot: former keys then stay in use. */
  readonly reseal?: ResealRows
}

const plan: TablePlan = {
  name: 'svc_totp',
  collection: 'totp',
  record: 'totp',
  columns: [
    { name: 'id', type: 'text' },
    { name: 'secretEnc', type: 'text' },
    { name: 'lastStep', type: 'integer', nullable: true },
    { name: 'recoveryHashes', type: 'text', list: true },
    { name: 'createdAt', type: 'integer' },
    { name: 'confirmedAt', type: 'integer', nullable: true }
  ]
}

const shape = {
  fields: ['id', 'secretEnc', 'lastStep', 'recoveryHashes', 'createdAt', 'confirmedAt'],
  keys: ['id', 'recoveryHashes'],
  json: []
}

/** Every step is one compare-and-set. */
export class TableTotpStore implements TotpStore {
  readonly #clock: Clock
  readonly #enrolments: Table<TotpRecord>
  /** No method: an operation is what every store has. */
  readonly reseal: ResealRows

  constructor(database: Database, { clock }: StoreParts) {
    this.#clock = clock
    this.#enrolments = database.table(plan)
    this.reseal = resealRows(this.#enrolments)
  }

  async enroll(userId: string, secretEnc: string): Promise<boolean> {
    const record = this.#storable({ id: userId, secretEnc })
    return (await this.#enrolments.put(record, { guard: { confirmedAt: isNull } })) !== null
  }

  async find(userId: string): Promise<TotpRecord | null> {
    return this.#enrolments.findOne({ id: userId })
  }

  async confirm(userId: string, secretEnc: string, step: number, recoveryHashes: readonly string[]): Promise<boolean> {
    const { lastStep, recoveryHashes: hashes } = this.#storable({ lastStep: step, recoveryHashes })
    const set = { lastStep, recoveryHashes: hashes, confirmedAt: this.#clock.now() }
    return (await this.#enrolments.update({ id: userId, confirmedAt: isNull, secretEnc }, { set })) === 1
  }

  async useStep(userId: string, step: number): Promise<boolean> {
    const { lastStep } = this.#storable({ lastStep: step })
    const later = any<TotpRecord>({ lastStep: isNull }, { lastStep: below(step) })
    const where = all<TotpRecord>({ id: userId, confirmedAt: held }, later)
    return (await this.#enrolments.update(where, { set: { lastStep } })) === 1
  }

  async useRecoveryCode(userId: string, hash: string): Promise<boolean> {
    const unused = { id: userId, confirmedAt: held, recoveryHashes: holding(hash) }
    return (await this.#enrolments.update(unused, { pull: { recoveryHashes: hash } })) === 1
  }

  async replaceRecoveryCodes(userId: string, hashes: readonly string[]): Promise<boolean> {
    const { recoveryHashes } = this.#storable({ recoveryHashes: hashes })
    return (await this.#enrolments.update({ id: userId, confirmedAt: held }, { set: { recoveryHashes } })) === 1
  }

  async remove(userId: string): Promise<boolean> {
    return (await this.#enrolments.delete({ id: userId })) === 1
  }

  /** A checked copy, also of a part of a record. @throws InvalidRecord */
  #storable(part: Partial<TotpRecord>): TotpRecord {
    const blank = { id: 'x', secretEnc: '', lastStep: null, recoveryHashes: [], confirmedAt: null }
    return storableRecord<TotpRecord>({ ...blank, createdAt: this.#clock.now(), ...part }, shape)
  }
}

export const totpStore: StoreDefinition<TotpStore> = {
  brick: 'totp',
  operations: operationsOf(TableTotpStore),
  open: (database, parts) => new TableTotpStore(database, parts),
  check: (store) => store.find('health')
}
