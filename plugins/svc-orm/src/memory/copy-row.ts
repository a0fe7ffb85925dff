/** Copies a row, so that what callers do to theirs changes none that is kept. Pure. */
import type { StoredRow } from '../driver/entity-gateway.ts'

export function copyRow(row: StoredRow): StoredRow {
  const copy: { id: string; [field: string]: unknown } = { id: row.id }
  for (const name of Object.keys(row)) copy[name] = copyValue(row[name])
  return copy
}

function copyValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  return value instanceof Date ? new Date(value) : structuredClone(value)
}
