/** The denylist of `jti`s and the thresholds of subjects. Both only move forward: the database keeps the greater value. */
import { atMost, type Database, purge, type Table, type TablePlan } from 'svc-stores/table'

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

interface Threshold {
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

  constructor(database: Database) {
    this.#denied = database.table(denialPlan)
    this.#thresholds = database.table(thresholdPlan)
  }

  async deny(jti: string, expiresAt: number): Promise<void> {
    await this.#denied.put({ id: jti, expiresAt }, { max: ['expiresAt'] })
  }

  async isDenied(jti: string, now: number): Promise<boolean> {
    const denial = await this.#denied.findOne({ id: jti })
    return denial !== null && denial.expiresAt > now
  }

  async invalidateBefore(subject: string, at: number): Promise<number> {
    const threshold = await this.#thresholds.put({ id: subject, invalidBefore: at }, { max: ['invalidBefore'] })
    return threshold?.invalidBefore ?? at
  }

  async invalidBefore(subject: string): Promise<number | null> {
    return (await this.#thresholds.findOne({ id: subject }))?.invalidBefore ?? null
  }

  /** Removes denials of tokens that have expired anyway. @returns how many */
  purge(now: number): Promise<number> {
    return purge(this.#denied, { expiresAt: atMost(now) })
  }
}
