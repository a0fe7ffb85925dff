/** What JSON text has at a path, as SQLite compares it: numbers below texts, texts below booleans, which are blobs. Pure. */
import { valueAt } from 'svc-stores/table'

const BOOLEANS = { false: Uint8Array.of(0), true: Uint8Array.of(1) }

/** Paths come again: of each statement, for every row. */
let last: { readonly text: string; readonly path: readonly string[] } = { text: '[]', path: [] }

/** @param path as JSON @returns `null` for a list, an object, null and what is not there */
export function atPath(json: unknown, path: unknown): number | string | Uint8Array | null {
  if (typeof json !== 'string' || typeof path !== 'string') return null
  if (path !== last.text) last = { text: path, path: JSON.parse(path) as string[] }
  const value = valueAt(JSON.parse(json), last.path)
  if (typeof value === 'boolean') return BOOLEANS[`${value}`]
  return typeof value === 'number' || typeof value === 'string' ? value : null
}
