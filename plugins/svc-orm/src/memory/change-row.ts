/** Applies changes to a row as a database would: bounds and sums against what is held. Pure. */
import type { ParsedChanges } from '../criteria/changes.ts'
import type { StoredRow } from '../driver/entity-gateway.ts'

/** @returns a new row; the given one stays as it is */
export function changeRow(row: StoredRow, { set, max, min, add }: ParsedChanges): StoredRow {
  const changed: { id: string; [field: string]: unknown } = { ...row }
  for (const [name, value] of set) changed[name] = value
  for (const [name, value] of max) if (isNull(row[name]) || Number(row[name]) < Number(value)) changed[name] = value
  for (const [name, value] of min) if (isNull(row[name]) || Number(row[name]) > Number(value)) changed[name] = value
  for (const [name, delta] of add) changed[name] = Number(row[name] ?? 0) + delta
  return changed
}

function isNull(value: unknown): boolean {
  return value === null || value === undefined
}
