/** What a migration writes into a new column that holds the folded text or the words of another: rows are there before it. Pure. */
import type { ColumnPlan } from 'svc-stores/table'
import { copiedText } from '../entities/text-copies.ts'
import type { MigratedColumn, StoredRow } from './migration.ts'

export interface FoldedChange {
  readonly read: readonly ColumnPlan[]
  readonly written: readonly ColumnPlan[]
  /** As `eachRow` takes it. */
  readonly change: (row: StoredRow) => Readonly<Record<string, unknown>> | null
}

/** `null` for any other column. */
export function foldedChange({ name, type, folds }: MigratedColumn): FoldedChange | null {
  if (folds === undefined) return null
  const source: ColumnPlan = { name: folds, type: 'text', nullable: true }
  const copy: ColumnPlan = { name, type, nullable: true }
  return {
    // Words are not read: engines store them in forms of their own.
    read: type === 'words' ? [source] : [source, copy],
    written: [copy],
    change: (row) => {
      const copied = copiedText(copy, row[folds])
      return copied === (row[name] ?? null) ? null : { [name]: copied }
    }
  }
}
