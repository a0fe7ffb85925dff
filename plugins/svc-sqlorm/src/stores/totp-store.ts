/** One-time code enrolments in the table `svc_totp`, by the user's id. Every step is a compare-and-set. */
import type { Clock } from 'svc-kernel'
import { recordShapes, storableRecord, type TotpRecord, type TotpStore } from 'svc-stores'
import type { SqlConnection } from '../connection/sql-connection.ts'
import { integer, list, optionalInteger, text } from './store-columns.ts'
import { all, any, compared, exactly, isHeld, isNull, type Where } from './store-conditions.ts'
import { type StorePlan, StoreTable } from './store-table.ts'

export const totpPlan: StorePlan = {
  brick: 'totp',
  unique: 'id',
  table: {
    name: 'svc_totp',
    columns: [
      text('id'),
      text('secretEnc'),
      optionalInteger('lastStep'),
      list('recoveryHashes'),
      integer('createdAt'),
      optionalInteger('confirmedAt')
    ]
  }
}

const REPLACED = ['secretEnc', 'lastStep', 'recoveryHashes', 'createdAt']

export class SqlTotpStore implements TotpStore {
  readonly #clock: Clock
  readonly #enrolments: StoreTable<TotpRecord>

  constructor(connection: SqlConnection, clock: Clock) {
    this.#clock = clock
    this.#enrolments = StoreTable.declare(connection, totpPlan)
  }

  async enroll(userId: string, secretEnc: string): Promise<boolean> {
    const record = this.#storable({ id: userId, secretEnc })
    // A confirmed one stands: the guard refuses it.
    return (await this.#enrolments.upsert(record, REPLACED, {}, isNull('svc_totp.confirmedAt'))) !== null
  }

  find(userId: string): Promise<TotpRecord | null> {
    return this.#enrolments.findBy('id', userId)
  }

  async confirm(userId: string, secretEnc: string, step: number, recoveryHashes: readonly string[]): Promise<boolean> {
    const { lastStep, recoveryHashes: hashes } = this.#storable({ lastStep: step, recoveryHashes })
    const changes = { lastStep, recoveryHashes: hashes, confirmedAt: this.#clock.now() }
    const waiting = all(exactly('id', userId), isNull('confirmedAt'), exactly('secretEnc', secretEnc))
    return (await this.#enrolments.update(changes, waiting)) === 1
  }

  async useStep(userId: string, step: number): Promise<boolean> {
    const { lastStep } = this.#storable({ lastStep: step })
    const later = any(isNull('lastStep'), compared('lastStep', '<', step))
    return (await this.#enrolments.update({ lastStep }, all(confirmed(userId), later))) === 1
  }

  useRecoveryCode(userId: string, hash: string): Promise<boolean> {
    return this.#enrolments.transaction(async (db) => {
      const enrolments = this.#enrolments.within(db)
      const standing = await enrolments.lock(confirmed(userId))
      if (standing === null || !standing.recoveryHashes.includes(hash)) return false
      const recoveryHashes = standing.recoveryHashes.filter((one) => one !== hash)
      return (await enrolments.update({ recoveryHashes }, exactly('id', userId))) === 1
    })
  }

  async replaceRecoveryCodes(userId: string, hashes: readonly string[]): Promise<boolean> {
    const { recoveryHashes } = this.#storable({ recoveryHashes: hashes })
    return (await this.#enrolments.update({ recoveryHashes }, confirmed(userId))) === 1
  }

  async remove(userId: string): Promise<boolean> {
    return (await this.#enrolments.delete(exactly('id', userId))) === 1
  }

  /** The door into the store, also for a part of a record. @throws InvalidRecord */
  #storable(part: Partial<TotpRecord>): TotpRecord {
    const blank = { id: 'x', secretEnc: '', lastStep: null, recoveryHashes: [], confirmedAt: null }
    return storableRecord<TotpRecord>({ ...blank, createdAt: this.#clock.now(), ...part }, recordShapes.totp)
  }
}

function confirmed(userId: string): Where {
  return all(exactly('id', userId), isHeld('confirmedAt'))
}
