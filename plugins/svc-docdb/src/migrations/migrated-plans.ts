/** Columns and indexes of a migration as documents have them. Pure. */
import type { MigratedIndex } from 'svc-orm/driver'
import { type ColumnPlan, columnName } from 'svc-stores/table'
import { collectionIndexes } from '../schema/collection-indexes.ts'
import { DocumentColumns } from '../table/document-columns.ts'

const ID: ColumnPlan = { name: 'id', type: 'id' }

export function plan(columns: readonly ColumnPlan[]): DocumentColumns {
  return new DocumentColumns({ name: 'migration', columns: [ID, ...columns] })
}

export function descriptions({ nullable = [], ...index }: MigratedIndex) {
  const names = index.columns.map(columnName).filter((name) => name !== 'id')
  const columns = names.map((name) => ({ name, type: 'text' as const, nullable: nullable.includes(name) }))
  return collectionIndexes({ name: 'migration', columns: [ID, ...columns], indexes: [index] })
}
