/**
 * How many jobs of a lane all workers together hold, and may take. It is counted in the rows that are held, in a
 * transaction that changes the row of the lane first: of workers that ask at once, one counts after the other. No lease ends
 * while a job runs: what a worker holds counts until it says how that ended, or has expired.
 */
import { type Database, JoinedDatabase, type Table, type TablePlan } from 'svc-stores/table'

interface Row {
  readonly id: string
  /** How often the lane was asked for. */
  readonly turns: number
}

export class LaneGrants {
  readonly #database: Database
  readonly #plan: TablePlan

  constructor(database: Database, names: Omit<TablePlan, 'columns'>) {
    this.#database = database
    this.#plan = {
      ...names,
      columns: [
        { name: 'id', type: 'text' },
        { name: 'turns', type: 'integer' }
      ]
    }
    this.#tableOf(database)
  }

  /** @param work counts and claims in the database that it gets */
  alone<T>(lane: string, work: (database: Database) => Promise<T>): Promise<T> {
    const inside = async (tx: Parameters<Parameters<Database['transaction']>[0]>[0]) => {
      const joined = new JoinedDatabase(this.#database, tx)
      const lanes = this.#tableOf(joined)
      const lock = () => lanes.update({ id: lane }, { add: { turns: 1 } })
      // Where another worker made the row meanwhile, it is there now, and waited for.
      if ((await lock()) === 0 && (await lanes.insertNew([{ id: lane, turns: 0 }])) === 0) await lock()
      return work(joined)
    }
    // Each statement sees what was committed before it: the count, what the worker before has claimed.
    return this.#database.transaction(inside, { isolation: 'read committed' })
  }

  #tableOf(database: Database): Table<Row> {
    return database.table<Row>(this.#plan)
  }
}
