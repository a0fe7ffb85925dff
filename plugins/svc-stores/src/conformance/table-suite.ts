/**
 * `tableConformance`: what every engine behind the storage port has to do. The driver opens one database with the tables
 * of the suite, made and empty; each case starts with empty tables. Independent of the test runner; a failed case throws.
 */
import type { Database } from '../table/database.ts'
import type { TablePlan } from '../table/table-plan.ts'
import type { ConformanceRunner } from './conformance-suite.ts'
import { changeCases } from './table-change-cases.ts'
import { conditionCases } from './table-condition-cases.ts'
import { blankNote, type Mark, markPlan, type Note, notePlan } from './table-fixtures.ts'
import { groupCases } from './table-group-cases.ts'
import { indexCases, seatPlan } from './table-index-cases.ts'
import { mergeCases } from './table-merge-cases.ts'
import { referenceCases, referencePlans } from './table-reference-cases.ts'
import { scopedReferenceCases, scopedReferencePlans } from './table-scoped-reference-cases.ts'
import { pagePlan, searchCases } from './table-search-cases.ts'
import { transactionCases } from './table-transaction-cases.ts'
import { treeCases, treeInTransactionCases, treePlans } from './table-tree-cases.ts'
import { writingCases } from './table-writing-cases.ts'

export interface TableSubject {
  /** A database with these tables, connected. */
  open(plans: readonly TablePlan[]): Database | Promise<Database>
  /** Called once, after the last case. */
  close?(database: Database): void | Promise<void>
  /** `false` for a server without transactions. Default `true`. */
  readonly transactions?: boolean
  /** `false` for a driver without `Database.search`. Default `true`. */
  readonly search?: boolean
}

const suitePlans: readonly TablePlan[] = [notePlan, markPlan, seatPlan]

/** Runs the whole suite. */
export async function tableConformance(runner: ConformanceRunner, subject: TableSubject): Promise<void> {
  const isSearched = subject.search !== false
  const plans = isSearched ? [...suitePlans, pagePlan] : suitePlans
  const database = await subject.open([...plans, ...referencePlans, ...scopedReferencePlans, ...treePlans])
  const seats = database.table(seatPlan)
  const notes = database.table<Note>(notePlan)
  const marks = database.table<Mark>(markPlan)
  const note = (values: Partial<Note> = {}): Note => ({ ...blankNote, id: database.ids.generate(), ...values })
  const cases = [writingCases, mergeCases, conditionCases, changeCases, groupCases, indexCases, treeCases]
  if (subject.transactions !== false) cases.push(transactionCases, treeInTransactionCases)
  if (database.references === true) cases.push(referenceCases, scopedReferenceCases)
  if (isSearched) cases.push(searchCases)
  try {
    for (const [name, body] of cases.flatMap((each) => Object.entries(each))) {
      await runner.test(name, async () => {
        await notes.delete({})
        await marks.delete({})
        await seats.delete({})
        if (isSearched) await database.table(pagePlan).delete({})
        await body({ database, notes, marks, note })
      })
    }
  } finally {
    await subject.close?.(database)
  }
}
