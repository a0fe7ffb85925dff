/** What a table of SQL is made of. */
import type { IdForm, TablePlan, Transaction } from 'svc-stores/table'
import type { StatementRunner } from '../transactions/sql-transaction.ts'
import type { ItemTables } from './item-tables.ts'
import type { OtherTables } from './refused-references.ts'
import type { TableStatements } from './table-statements.ts'

export interface SqlTableParts {
  readonly plan: TablePlan
  /** Replaced once the table was looked at. */
  readonly statements: { readonly current: TableStatements }
  readonly items: ItemTables
  readonly ids: IdForm
  readonly runner: StatementRunner
  /** The tables of the database. */
  readonly others: OtherTables
  /** @throws ForeignTransaction */
  readonly join: (tx: Transaction) => StatementRunner
  /** The transaction that its operations run in. */
  readonly tx: Transaction | null
}
