/** What a migration writes into a new column that holds the folded text of another: rows are there before it. Pure. */
import { type ColumnPlan, fold } from 'svc-stores/table'
import type { MigratedColumn, StoredRow } from './migration.ts'

export interface FoldedChange {
  readonly read: readonly ColumnPlan[]
  readonly written: readonly ColumnPlan[]
  /** As `eachRow` takes it. */
  readonly change: (row: StoredRow) => Readonly<Record<string, unknown>> | null
}

/** `null` for any other column. */
export function foldedChange({ name, folds }: MigratedColumn): FoldedChange | null {
  if (folds === undefined) return null
  const [source, copy] = [folds, name].map((each): ColumnPlan => ({ name: each, type: 'text', nullable: true }))
  return {
    read: [source, copy] as readonly ColumnPlan[],
    written: [copy] as readonly ColumnPlan[],
    change: (row) => {
      const value = row[folds]
      const folded = typeof value === 'string' ? fold(value) : null
      return folded === row[name] ? null : { [name]: folded }
    }
  }
}
