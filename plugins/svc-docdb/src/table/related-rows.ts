/** Rows of other collections that a condition asks for, as it is resolved: how many they may be, and what is read of them. */
import { type ConditionValue, recordOf, type TablePlan } from 'svc-stores/table'
import { TooManyRelated } from '../errors.ts'

/** A command that names more values than this comes near the size that the server takes. */
export const MOST_RELATED = 100_000

export type AnyRow = Readonly<Record<string, ConditionValue | null>>

/** A selection of these columns. */
export function only({ columns }: TablePlan, read: readonly string[]): { readonly without: never[] } {
  return { without: columns.map(({ name }) => name).filter((name) => !read.includes(name)) as never[] }
}

/** @throws TooManyRelated */
export function bounded(table: TablePlan, rows: readonly object[]): readonly AnyRow[] {
  if (rows.length > MOST_RELATED) throw new TooManyRelated(recordOf(table), String(MOST_RELATED))
  return rows as unknown as readonly AnyRow[]
}
