/** One-time code enrolments in the collection `totp`, by the user's id. Every step is one compare-and-set. */
import type { Document } from 'mongodb'
import type { Clock } from 'svc-kernel'
import { DuplicateRecord, recordShapes, storableRecord, type TotpRecord, type TotpStore } from 'svc-stores'
import type { DocumentConnection } from '../connection/document-connection.ts'
import { exactly } from './exactly.ts'
import { type CollectionPlan, StoreCollection } from './store-collection.ts'
import { OPTIONAL_TIME, storeSchema, TEXT, TEXTS, TIME } from './store-schema.ts'

export const totpPlan: CollectionPlan = {
  name: 'totp',
  brick: 'totp',
  unique: 'id',
  schema: storeSchema('totp', {
    _id: { type: String, required: true },
    secretEnc: TEXT,
    lastStep: { type: Number, default: null },
    recoveryHashes: TEXTS,
    createdAt: TIME,
    confirmedAt: OPTIONAL_TIME
  }),
  indexes: []
}

export class DocumentTotpStore implements TotpStore {
  readonly #clock: Clock
  readonly #enrolments: StoreCollection

  constructor(connection: DocumentConnection, clock: Clock) {
    this.#clock = clock
    this.#enrolments = new StoreCollection(connection, totpPlan)
  }

  async enroll(userId: string, secretEnc: string): Promise<boolean> {
    const { id, ...rest } = this.#storable({ id: userId, secretEnc })
    try {
      await this.#enrolments.upsert((collection) =>
        collection.updateOne({ _id: id, confirmedAt: null }, { $set: rest }, { upsert: true })
      )
      return true
    } catch (error) {
      // A confirmed one stands: the filter misses it, and the id is taken.
      if (error instanceof DuplicateRecord) return false
      throw error
    }
  }

  async find(userId: string): Promise<TotpRecord | null> {
    const found = await this.#enrolments.findOne({ _id: exactly(userId) })
    return found === null ? null : toRecord(found)
  }

  async confirm(userId: string, secretEnc: string, step: number, recoveryHashes: readonly string[]): Promise<boolean> {
    const waiting = { _id: exactly(userId), confirmedAt: null, secretEnc: exactly(secretEnc) }
    const { lastStep, recoveryHashes: hashes } = this.#storable({ lastStep: step, recoveryHashes })
    return this.#enrolments.changedOne(waiting, {
      $set: { lastStep, recoveryHashes: hashes, confirmedAt: this.#clock.now() }
    })
  }

  async useStep(userId: string, step: number): Promise<boolean> {
    const { lastStep } = this.#storable({ lastStep: step })
    const later = { $or: [{ lastStep: null }, { lastStep: { $lt: lastStep } }] }
    return this.#enrolments.changedOne({ ...confirmed(userId), ...later }, { $set: { lastStep } })
  }

  async useRecoveryCode(userId: string, hash: string): Promise<boolean> {
    const holds = { ...confirmed(userId), recoveryHashes: exactly(hash) }
    return this.#enrolments.changedOne(holds, { $pull: { recoveryHashes: hash } })
  }

  async replaceRecoveryCodes(userId: string, hashes: readonly string[]): Promise<boolean> {
    const { recoveryHashes } = this.#storable({ recoveryHashes: hashes })
    return this.#enrolments.changedOne(confirmed(userId), { $set: { recoveryHashes } })
  }

  async remove(userId: string): Promise<boolean> {
    return (await this.#enrolments.deleted({ _id: exactly(userId) })) === 1
  }

  /** The door into the store, also for a part of a record. @throws InvalidRecord */
  #storable(part: Partial<TotpRecord>): TotpRecord {
    const blank = { id: 'x', secretEnc: '', lastStep: null, recoveryHashes: [], confirmedAt: null }
    return storableRecord<TotpRecord>({ ...blank, createdAt: this.#clock.now(), ...part }, recordShapes.totp)
  }
}

function confirmed(userId: string): Document {
  return { _id: exactly(userId), confirmedAt: { $ne: null } }
}

function toRecord({ _id, ...rest }: Document): TotpRecord {
  return { id: _id, ...rest } as TotpRecord
}
