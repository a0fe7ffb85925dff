/** Columns of a migration as documents have them. Pure. */
import type { ColumnPlan } from 'svc-stores/table'
import { DocumentColumns } from '../table/document-columns.ts'

const ID: ColumnPlan = { name: 'id', type: 'id' }

export function migratedColumns(columns: readonly ColumnPlan[]): DocumentColumns {
  return new DocumentColumns({ name: 'migration', columns: [ID, ...columns] })
}
