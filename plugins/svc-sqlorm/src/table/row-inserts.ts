/** Inserts rows, a hundred at a time, of wide tables fewer: all of them or none. */
import type { QueryResult } from 'kysely'
import { type Condition, keyOf, type TablePlan } from 'svc-stores/table'
import type { StatementRunner } from '../transactions/sql-transaction.ts'
import { MOST_PARAMETERS } from './compiled-statements.ts'
import type { InsertStatements } from './insert-statements.ts'
import type { ItemTables } from './item-tables.ts'

/** Rows of one `insert`. */
const BATCH = 100

type Rows = readonly object[]

export class RowInserts {
  readonly #key: readonly string[]
  readonly #items: ItemTables
  readonly #batch: number

  constructor(plan: TablePlan, items: ItemTables) {
    this.#key = keyOf(plan)
    this.#items = items
    // A searched column has a copy.
    const parameters = plan.columns.reduce((sum, { searched = false }) => sum + (searched ? 2 : 1), 0)
    this.#batch = Math.max(1, Math.min(BATCH, Math.floor(MOST_PARAMETERS / parameters)))
  }

  async insert(rows: Rows, statements: InsertStatements, runner: StatementRunner): Promise<void> {
    await this.#inBatches(rows, runner, async (batch, inner) => {
      await this.#insertBatch(batch, statements, inner)
      return batch
    })
  }

  /** Rows whose key is there already are left alone. @returns how many are new */
  insertNew(rows: Rows, statements: InsertStatements, runner: StatementRunner): Promise<number> {
    return this.#inBatches(rows, runner, async (batch, inner) => {
      const made = await this.#insertNewBatch(batch, statements, inner, true)
      return batch.filter((row) => made.delete(this.#keyText(row)))
    })
  }

  /** @param insert answers the rows that are new @returns how many are new */
  async #inBatches(
    rows: Rows,
    runner: StatementRunner,
    insert: (batch: Rows, runner: StatementRunner) => Promise<Rows>
  ): Promise<number> {
    if (rows.length === 0) return 0
    if (rows.length <= this.#batch && this.#items.isEmpty) return (await insert(rows, runner)).length
    return runner.together(async (inner) => {
      let total = 0
      for (let start = 0; start < rows.length; start += this.#batch) {
        const made = await insert(rows.slice(start, start + this.#batch), inner)
        await this.#items.add(made, inner)
        total += made.length
      }
      return total
    })
  }

  /**
   * With a snapshot, a row that another transaction inserted meanwhile is not to be seen: PostgreSQL reports it as a
   * conflict where nothing has to be refused, and as a violation where it has. The first is what it is.
   */
  async #insertBatch(rows: Rows, statements: InsertStatements, runner: StatementRunner): Promise<void> {
    if (!runner.hasSnapshot) {
      await runner.write(statements.insert(rows))
      return
    }
    const made = await this.#insertNewBatch(rows, statements, runner, false)
    // By itself, so that the index which refuses it is named.
    for (const row of rows) if (!made.delete(this.#keyText(row))) await runner.write(statements.insert([row]))
  }

  /** @returns the keys of those that are new */
  async #insertNewBatch(
    rows: Rows,
    statements: InsertStatements,
    runner: StatementRunner,
    byKey: boolean
  ): Promise<Set<string>> {
    const made = await runner.write(statements.insertNew(rows, byKey))
    return new Set(made.rows.map((row) => this.#keyText(row)))
  }

  #keyText(row: object): string {
    return JSON.stringify(this.#key.map((name) => (row as Readonly<Record<string, unknown>>)[name]))
  }
}

/** Conditions for the row that has the same values in these columns. */
export function sameValues(row: object, columns: readonly string[]): readonly Condition[] {
  const values = row as Readonly<Record<string, string>>
  return columns.map((field) => ({ field, operator: 'eq', value: values[field] as string }))
}

/** How many rows a statement wrote. */
export function affected({ numAffectedRows = 0n }: QueryResult<unknown>): number {
  return Number(numAffectedRows)
}
