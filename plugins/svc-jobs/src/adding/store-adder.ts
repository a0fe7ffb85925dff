/** Adds jobs to a store: that of the application, or the same one within an open transaction. */
import type { JobStore } from '../records/job-store.ts'
import { type AddedJob, type AddOptions, addedJob } from './added-job.ts'
import { type AddedBatch, addBatch, addFollower, type BatchOptions } from './batches.ts'
import type { JobMaker } from './job-maker.ts'

/** As `AddOptions`, for a single job. */
export interface AddOneOptions extends AddOptions {
  /** Ids of jobs that have to be done first; until then it is `blocked`. Default: none. */
  readonly after?: readonly string[]
}

/** What adds jobs, inside a transaction or outside. */
export interface JobAdder {
  /**
   * Stores a job. It runs at least once after this resolves.
   *
   * @throws UnknownJob, InvalidPriority, InvalidJobBody (400), JobsUnavailable (503), JobCaused; JobEnding (409) while the
   * attempt at a cancelled job with its unique key goes on; with `after` UnknownJobBefore (400), and JobKeyTaken (409) if
   * another job has its unique key
   */
  add(name: string, body?: unknown, options?: AddOneOptions): Promise<AddedJob>
  /** Stores jobs of one kind, all or none. @throws as `add` */
  addMany(name: string, bodies: readonly unknown[], options?: AddOptions): Promise<readonly AddedJob[]>
  /**
   * Stores a batch: jobs, and the one that runs once all of them are done. All or none.
   *
   * @throws as `add` with `after`, BatchTooLarge (400)
   */
  batch(batch: BatchOptions): Promise<AddedBatch>
}

export class StoreAdder implements JobAdder {
  readonly #maker: JobMaker
  readonly #store: JobStore
  readonly #added: () => void

  /** @param added called once jobs are stored */
  constructor(maker: JobMaker, store: JobStore, added: () => void) {
    this.#maker = maker
    this.#store = store
    this.#added = added
  }

  async add(name: string, body: unknown = {}, { after = [], ...options }: AddOneOptions = {}): Promise<AddedJob> {
    if (after.length === 0) return (await this.addMany(name, [body], options))[0] as AddedJob
    return this.#told(addFollower(this.#store, after, { name, body, ...options }, this.#maker))
  }

  addMany(name: string, bodies: readonly unknown[], options: AddOptions = {}): Promise<readonly AddedJob[]> {
    return this.#told(this.#stored(name, bodies, options))
  }

  batch(batch: BatchOptions): Promise<AddedBatch> {
    return this.#told(addBatch(this.#store, batch, this.#maker))
  }

  async #stored(name: string, bodies: readonly unknown[], options: AddOptions): Promise<readonly AddedJob[]> {
    const records = await Promise.all(bodies.map((body) => this.#maker.record(name, body, options)))
    const stored = await this.#store.add(records)
    return stored.map((job, place) => addedJob(job, records[place]))
  }

  async #told<T>(storing: Promise<T>): Promise<T> {
    const stored = await storing
    this.#added()
    return stored
  }
}
