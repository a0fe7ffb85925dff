/** Results of the steps of jobs, a row for each: a later attempt finds what an earlier one has done. */
import { UniqueViolation } from 'svc-stores'
import { type Database, JoinedDatabase, oneOf, type Table, type TablePlan, type Transaction } from 'svc-stores/table'

interface StepRecord {
  readonly job: string
  readonly name: string
  /** `value`: JSON; absent where the step had no result. */
  readonly result: StepResult
}

export interface StepResult {
  readonly value?: unknown
}

/** Where results of steps are stored. Rejects with an error of status 503 while the database cannot be reached. */
export interface StepStore {
  /** The results of a job, by the names of its steps. */
  load(job: string): Promise<ReadonlyMap<string, StepResult>>
  /** Stores a result, unless the step has one. @returns the one that is there */
  keep(job: string, name: string, result: StepResult): Promise<StepResult>
  /**
   * Runs work in a transaction that stores its result too. Where another attempt has stored one meanwhile, what the work
   * wrote is rolled back.
   *
   * @param work called again after a conflict @returns the result that is there
   */
  within(job: string, name: string, work: (tx: Transaction) => Promise<StepResult>): Promise<StepResult>
}

const stepPlan: TablePlan = {
  name: 'svc_job_step',
  collection: 'job_step',
  record: 'step of a job',
  key: ['job', 'name'],
  columns: [
    { name: 'job', type: 'text' },
    { name: 'name', type: 'text' },
    { name: 'result', type: 'document' }
  ]
}

export class TableSteps implements StepStore {
  readonly #database: Database
  readonly #steps: Table<StepRecord>

  constructor(database: Database) {
    this.#database = database
    this.#steps = database.table(stepPlan)
  }

  async load(job: string): Promise<ReadonlyMap<string, StepResult>> {
    const steps = await this.#steps.find({ job })
    return new Map(steps.map(({ name, result }) => [name, result]))
  }

  async keep(job: string, name: string, result: StepResult): Promise<StepResult> {
    return (await this.#steps.insertIfAbsent({ job, name, result }, ['job', 'name'])).result
  }

  async within(job: string, name: string, work: (tx: Transaction) => Promise<StepResult>): Promise<StepResult> {
    try {
      return await this.#database.transaction(async (tx) => {
        const result = await work(tx)
        await new JoinedDatabase(this.#database, tx).table<StepRecord>(stepPlan).insert([{ job, name, result }])
        return result
      })
    } catch (error) {
      const standing = error instanceof UniqueViolation ? await this.#steps.findOne({ job, name }) : null
      if (standing === null) throw error
      return standing.result
    }
  }

  async remove(jobs: readonly string[]): Promise<void> {
    await this.#steps.delete({ job: oneOf(jobs) })
  }
}
