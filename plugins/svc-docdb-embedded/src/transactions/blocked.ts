/** A write outside a transaction met one inside: nothing was done, and it is tried again when that one has ended. */
import type { Transaction } from './transaction.ts'

export class Blocked extends Error {
  override readonly name = 'Blocked'
  readonly ended: Promise<void>

  constructor(by: Transaction) {
    super('the record is being changed by a transaction')
    this.ended = by.ended
  }
}
