/** The denylist of `jti`s and the thresholds of subjects. Both only move forward: the database keeps the greater value. */
import type { MaybePromise } from 'svc-kernel'
import { isThenable } from 'svc-kernel/plugin'
import { atMost, type Database, type Lookup, purge, type Table, type TablePlan } from 'svc-stores/table'
import { tokenRefused } from '../journal/audit-writer.ts'

interface Denial {
  readonly id: string
  readonly expiresAt: number
}

const denialPlan: TablePlan = {
  name: 'svc_denied_jti',
  collection: 'denied_jti',
  record: 'denial',
  columns: [
    { name: 'id', type: 'text' },
    { name: 'expiresAt', type: 'integer' }
  ],
  indexes: [{ columns: ['expiresAt'], name: 'by_expiry' }]
}

export interface Threshold {
  readonly id: string
  readonly invalidBefore: number
}

const thresholdPlan: TablePlan = {
  name: 'svc_subject_revocation',
  collection: 'subject_revocation',
  record: 'threshold',
  columns: [
    { name: 'id', type: 'text' },
    { name: 'invalidBefore', type: 'integer' }
  ]
}

export class TokenDenials {
  readonly #denied: Table<Denial>
  readonly #thresholds: Table<Threshold>
  /** Where the threshold of a subject is found. */
  readonly bySubject: Lookup<Threshold>

  constructor(database: Database) {
    this.#denied = database.table(denialPlan)
    this.#thresholds = database.table(thresholdPlan)
    this.bySubject = { table: this.#thresholds, column: 'id' }
  }

  async deny(jti: string, expiresAt: number): Promise<void> {
    await this.#denied.put({ id: jti, expiresAt }, { max: ['expiresAt'] })
  }

  isDenied(jti: string, now: number): MaybePromise<boolean> {
    const found = this.#denied.findOne({ id: jti })
    return isThenable(found) ? found.then((denial) => isInForce(denial, now)) : isInForce(found, now)
  }

  async invalidateBefore(subject: string, at: number): Promise<number> {
    const threshold = await this.#thresholds.put({ id: subject, invalidBefore: at }, { max: ['invalidBefore'] })
    return threshold?.invalidBefore ?? at
  }

  invalidBefore(subject: string): MaybePromise<number | null> {
    const found = this.#thresholds.findOne({ id: subject })
    return isThenable(found) ? found.then(timeOf) : timeOf(found)
  }

  /** Removes denials of tokens that have expired anyway. @returns how many */
  purge(now: number): Promise<number> {
    return purge(this.#denied, { expiresAt: atMost(now) })
  }
}

function isInForce(denial: Denial | null, now: number): boolean {
  return denial !== null && denial.expiresAt > now
}

/** @param issuedAt epoch ms @throws InvalidToken */
export function checkRevocation(issuedAt: number, denied: boolean, threshold: number | null): void {
  if (denied) throw tokenRefused('revoked')
  // `issuedAt` is cut to the second: one from the same second may be older than the threshold.
  if (threshold !== null && issuedAt <= threshold) throw tokenRefused('invalid_before')
}

/** Epoch ms; `null` where there is no threshold. */
export function timeOf(threshold: Threshold | null): number | null {
  return threshold === null ? null : threshold.invalidBefore
}
