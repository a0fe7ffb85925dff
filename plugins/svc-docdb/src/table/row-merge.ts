/** Many documents written by their keys: those that are there by one command, all others by another. */
import { TransactionConflict } from 'svc-stores'
import {
  conditionsOf,
  existingRows,
  heldValues,
  keyOf,
  keyText,
  type Merge,
  mergeChange,
  rowMatcher,
  type Table
} from 'svc-stores/table'
import type { OperationRunner } from '../transactions/operation-runner.ts'
import { conditionFilter } from './condition-filter.ts'
import type { DocumentAccess, EachUpdate } from './document-access.ts'
import { type DocumentColumns, objectIds } from './document-columns.ts'
import { changeUpdate, isEmpty } from './document-update.ts'

export interface MergedCollection<Row extends object> {
  /** In the transaction of the merge, where there is one. */
  readonly table: Table<Row>
  readonly runner: OperationRunner
  readonly access: DocumentAccess
  readonly columns: DocumentColumns
}

/** @throws TransactionConflict where a document was changed meanwhile */
export async function mergeDocuments<Row extends object>(
  { table, runner, access, columns }: MergedCollection<Row>,
  rows: readonly Row[],
  merge: Merge<Row>
): Promise<Row[]> {
  const { by, insert } = merge
  const guard = conditionsOf(table.plan, merge.guard ?? [], objectIds)
  const existing = await table.find(existingRows(table.plan, rows, by))
  const byKey = new Map(existing.map((row) => [keyText(row, by), row]))
  const isMet = rowMatcher(guard)
  const changed: Row[] = []
  const updates: EachUpdate[] = []
  for (const row of rows) {
    const found = byKey.get(keyText(row, by))
    const asHeld = heldValues(row, merge)
    if (found === undefined || !isMet(found) || !rowMatcher(asHeld)(found)) continue
    changed.push(found)
    const update = changeUpdate(columns, mergeChange(row, merge))
    if (isEmpty(update)) continue
    const filter = conditionFilter(columns, [
      ...existingRows(table.plan, [found], keyOf(table.plan)),
      ...asHeld,
      ...guard
    ])
    updates.push({ filter, update })
  }
  const made = insert ? rows.filter((row) => !byKey.has(keyText(row, by))) : []
  if (made.length > 0) await table.insert(made)
  if (updates.length > 0) {
    const matched = await runner.run((within) => access.updateEach(updates, within))
    if (matched < updates.length) throw new TransactionConflict()
  }
  const written = [...changed, ...made]
  return written.length === 0 ? [] : table.find(existingRows(table.plan, written, keyOf(table.plan)))
}
