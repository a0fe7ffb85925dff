/** The denylist of `jti`s and the thresholds of subjects. Both only move forward: the database keeps the greater value. */
import type { SqlConnection } from '../connection/sql-connection.ts'
import { atLeast, compared } from './store-conditions.ts'
import { StoreTable } from './store-table.ts'
import { denialPlan, thresholdPlan } from './token-plan.ts'

interface Denial {
  readonly id: string
  readonly expiresAt: number
}

interface Threshold {
  readonly id: string
  readonly invalidBefore: number
}

export class TokenDenials {
  readonly #denied: StoreTable<Denial>
  readonly #thresholds: StoreTable<Threshold>

  constructor(connection: SqlConnection) {
    this.#denied = StoreTable.declare(connection, denialPlan)
    this.#thresholds = StoreTable.declare(connection, thresholdPlan)
  }

  async deny(jti: string, expiresAt: number): Promise<void> {
    const later = { expiresAt: atLeast('svc_denied_jti.expiresAt', expiresAt) }
    await this.#denied.upsert({ id: jti, expiresAt }, [], later)
  }

  async isDenied(jti: string, now: number): Promise<boolean> {
    const denial = await this.#denied.findBy('id', jti)
    return denial !== null && denial.expiresAt > now
  }

  async invalidateBefore(subject: string, at: number): Promise<number> {
    const later = { invalidBefore: atLeast('svc_subject_revocation.invalidBefore', at) }
    const standing = await this.#thresholds.upsert({ id: subject, invalidBefore: at }, [], later)
    return standing?.invalidBefore ?? at
  }

  async invalidBefore(subject: string): Promise<number | null> {
    return (await this.#thresholds.findBy('id', subject))?.invalidBefore ?? null
  }

  /** Removes denials of tokens that have expired anyway. @returns how many */
  purge(now: number): Promise<number> {
    return this.#denied.purge(compared('expiresAt', '<=', now))
  }
}
