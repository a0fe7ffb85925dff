/**
 * How far a migration of documents has come. Each step is noted when it has ended, and within a step of many documents
 * the last batch, so that a run that was cut short goes on there.
 */
import type { Collection, Document } from 'mongodb'
import { type FoundPart, unexpectedState } from 'svc-orm/driver'

export type MigrationRecords = Collection<Document & { _id: string }>

export interface MigrationRecord {
  readonly _id: string
  readonly checksum: string
  readonly at: Date
  /** Absent once it is over. */
  readonly direction?: 'up' | 'down'
  /** Steps that have ended, in order, as they are described. */
  readonly done?: readonly string[]
  /** Of the step that runs: where it is, as the step itself says it. */
  readonly place?: unknown
  /** What its way up found in place. */
  readonly found?: readonly FoundPart[]
}

export class MigrationProgress {
  readonly #records: MigrationRecords
  readonly #name: string
  readonly #done: readonly string[]
  #place: unknown
  #count = 0

  constructor(records: MigrationRecords, { _id, done = [], place }: Pick<MigrationRecord, '_id' | 'done' | 'place'>) {
    this.#records = records
    this.#name = _id
    this.#done = done
    this.#place = place
  }

  /** Where the step that begins was cut short; `undefined` where it has not begun. */
  get place(): unknown {
    return this.#place
  }

  /** @returns whether the step has ended already, in an earlier run @throws where that run did other steps */
  isDone(step: string): boolean {
    const known = this.#done[this.#count]
    if (known === undefined) return false
    if (known !== step) {
      throw unexpectedState(
        `${this.#name} was interrupted after other steps than the file has now: there "${known}", here "${step}"`
      )
    }
    this.#count += 1
    return true
  }

  async reached(place: unknown): Promise<void> {
    this.#place = place
    await this.#records.updateOne({ _id: this.#name }, { $set: { place } })
  }

  async found(part: FoundPart): Promise<void> {
    await this.#records.updateOne({ _id: this.#name }, { $push: { found: part } } as Document)
  }

  async ended(step: string): Promise<void> {
    this.#place = undefined
    await this.#records.updateOne({ _id: this.#name }, { $push: { done: step }, $unset: { place: '' } } as Document)
  }
}
