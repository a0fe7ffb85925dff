/** What JSON text has at a path, as SQLite compares it: numbers below texts, texts below booleans, which are blobs. Pure. */
import { valueAt } from 'svc-stores/table'
import type { PathKind } from '../sql-engine.ts'

export const BOOLEANS = { false: Uint8Array.of(0), true: Uint8Array.of(1) }

/** The last path: of a statement it comes again for every row. */
let last: { readonly text: string; readonly path: readonly string[] } = { text: '[]', path: [] }

/**
 * @param path as JSON @param kind `scalar`: a number, text or boolean
 * @returns `null` for what is of another kind, 1 for what is `held` or `present`
 */
export function atPath(json: unknown, path: unknown, kind: unknown): number | string | Uint8Array | null {
  if (typeof json !== 'string' || typeof path !== 'string') return null
  if (path !== last.text) last = { text: path, path: JSON.parse(path) as string[] }
  const value = valueAt(JSON.parse(json), last.path)
  return isOfKind(value, kind as PathKind | 'scalar')
}

function isOfKind(value: unknown, kind: PathKind | 'scalar'): number | string | Uint8Array | null {
  if (kind === 'present') return value === undefined ? null : 1
  if (kind === 'held') return value === undefined || value === null ? null : 1
  if (kind !== 'scalar' && typeof value !== kind) return null
  if (typeof value === 'boolean') return BOOLEANS[`${value}`]
  return typeof value === 'number' || typeof value === 'string' ? value : null
}
