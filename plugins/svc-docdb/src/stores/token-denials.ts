/** The denylist of `jti`s and the thresholds of subjects. Both only move forward: the server keeps the greater value. */
import type { DocumentConnection } from '../connection/document-connection.ts'
import { exactly } from './exactly.ts'
import { StoreCollection } from './store-collection.ts'
import { denialPlan, thresholdPlan } from './token-plan.ts'

export class TokenDenials {
  readonly #denied: StoreCollection
  readonly #thresholds: StoreCollection

  constructor(connection: DocumentConnection) {
    this.#denied = new StoreCollection(connection, denialPlan)
    this.#thresholds = new StoreCollection(connection, thresholdPlan)
  }

  async deny(jti: string, expiresAt: number): Promise<void> {
    await this.#denied.upsert((collection) =>
      collection.updateOne({ _id: jti }, { $max: { expiresAt } }, { upsert: true })
    )
  }

  async isDenied(jti: string, now: number): Promise<boolean> {
    return (await this.#denied.findOne({ _id: exactly(jti), expiresAt: { $gt: now } })) !== null
  }

  async invalidateBefore(subject: string, at: number): Promise<number> {
    const standing = await this.#thresholds.upsert((collection) =>
      collection.findOneAndUpdate(
        { _id: subject },
        { $max: { invalidBefore: at } },
        { upsert: true, returnDocument: 'after' }
      )
    )
    return (standing as { invalidBefore: number } | null)?.invalidBefore ?? at
  }

  async invalidBefore(subject: string): Promise<number | null> {
    const found = await this.#thresholds.findOne({ _id: exactly(subject) })
    return found === null ? null : (found.invalidBefore as number)
  }

  /** Removes denials of tokens that have expired anyway. @returns how many */
  purge(now: number): Promise<number> {
    return this.#denied.deleted({ expiresAt: { $lte: now } })
  }
}
