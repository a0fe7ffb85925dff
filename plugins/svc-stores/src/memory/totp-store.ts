/** One-time code enrolments in memory: for development and tests; lost at a restart, seen by one instance. */
import type { Clock } from 'svc-kernel'
import type { TotpRecord, TotpStore } from '../contracts/totp-store.ts'
import { recordShapes } from '../records/record-shapes.ts'
import { storableRecord } from '../records/storable-record.ts'
import { copyOut, MemoryTable } from './memory-table.ts'
import type { StoreParts } from './store-parts.ts'

export class MemoryTotpStore implements TotpStore {
  readonly #clock: Clock
  readonly #table = new MemoryTable<TotpRecord>('totp')

  constructor({ clock }: StoreParts) {
    this.#clock = clock
  }

  async enroll(userId: string, secretEnc: string): Promise<boolean> {
    const given: TotpRecord = {
      id: userId,
      secretEnc,
      lastStep: null,
      recoveryHashes: [],
      createdAt: this.#clock.now(),
      confirmedAt: null
    }
    const row = storableRecord(given, recordShapes.totp)
    const stored = this.#table.get(userId)
    if (stored !== undefined && stored.confirmedAt !== null) return false
    if (stored === undefined) this.#table.insert(row)
    else this.#table.change(stored, row)
    return true
  }

  async find(userId: string): Promise<TotpRecord | null> {
    const row = this.#table.get(userId)
    return row === undefined ? null : copyOut(row)
  }

  async confirm(userId: string, secretEnc: string, step: number, recoveryHashes: readonly string[]): Promise<boolean> {
    const row = this.#table.get(userId)
    if (row === undefined || row.confirmedAt !== null || row.secretEnc !== secretEnc) return false
    this.#replace(row, { lastStep: step, recoveryHashes, confirmedAt: this.#clock.now() })
    return true
  }

  async useStep(userId: string, step: number): Promise<boolean> {
    const row = this.#confirmed(userId)
    if (row === undefined || (row.lastStep !== null && step <= row.lastStep)) return false
    this.#replace(row, { lastStep: step })
    return true
  }

  async useRecoveryCode(userId: string, hash: string): Promise<boolean> {
    const row = this.#confirmed(userId)
    if (row === undefined || !row.recoveryHashes.includes(hash)) return false
    this.#replace(row, { recoveryHashes: row.recoveryHashes.filter((kept) => kept !== hash) })
    return true
  }

  async replaceRecoveryCodes(userId: string, hashes: readonly string[]): Promise<boolean> {
    const row = this.#confirmed(userId)
    if (row === undefined) return false
    this.#replace(row, { recoveryHashes: hashes })
    return true
  }

  async remove(userId: string): Promise<boolean> {
    return this.#table.delete(userId)
  }

  #confirmed(userId: string): TotpRecord | undefined {
    const row = this.#table.get(userId)
    return row === undefined || row.confirmedAt === null ? undefined : row
  }

  #replace(row: TotpRecord, changes: Partial<TotpRecord>): void {
    this.#table.change(row, storableRecord({ ...row, ...changes }, recordShapes.totp))
  }
}
