/** `json`: any JSON that every database keeps, described by `schema` if its field has one. */

import { hasOnlyStorableText, isRecord } from 'svc-stores/table'
import { iso, ofTexts, same } from './conversions.ts'
import type { FieldTypeDefinition } from './field-type.ts'

/** A JSON value that is neither a list nor an object. */
export type JsonScalar = string | number | boolean | null

/** Any JSON, the value of a `json` field. */
export type JsonValue = JsonScalar | JsonValue[] | { [key: string]: JsonValue }

const MAX_DEPTH = 64

export const jsonType: FieldTypeDefinition = {
  name: 'json',
  storage: 'json',
  takes: ['schema'],
  can: { compare: false, order: false, add: false, search: false, default: true },
  noList: 'json can hold lists already',
  from: {
    ...{ ...ofTexts(same), id: same, day: same, uuid: same, json: same },
    ...{ integer: same, float: same, boolean: same, date: iso }
  },
  read: (given) => copyJson(given),
  expected: () => `JSON, at most ${MAX_DEPTH} levels deep, without NUL or lone surrogates`,
  schema: () => ({}),
  dbml: () => 'json'
}

/**
 * Copies free JSON and refuses what JSON, or one of the databases, does not keep. Own keys only; `__proto__` is a key
 * like any other.
 *
 * @returns `undefined` when the value is no such JSON
 */
export function copyJson(given: unknown, depth = 0): JsonValue | undefined {
  if (given === null || typeof given === 'boolean') return given
  if (typeof given === 'string') return hasOnlyStorableText(given) ? given : undefined
  if (typeof given === 'number') return Number.isFinite(given) ? given + 0 : undefined
  if (typeof given !== 'object' || depth === MAX_DEPTH) return undefined
  if (Array.isArray(given)) {
    // By index: a hole is no JSON, and `map` would keep it.
    const items = Array.from(given, (item) => copyJson(item, depth + 1))
    return items.every((item) => item !== undefined) ? items : undefined
  }
  if (!isRecord(given)) return undefined
  const entries = Object.entries(given).map(([key, item]) => [key, copyJson(item, depth + 1)] as const)
  if (entries.some(([key, item]) => item === undefined || !hasOnlyStorableText(key))) return undefined
  return Object.fromEntries(entries) as JsonValue
}
