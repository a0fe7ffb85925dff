/**
 * Copies free JSON and refuses what JSON, or one of the databases, does not
 * keep. Pure. Own keys only, and `__proto__` stays a key like any other.
 */
import type { JsonValue } from '../entity/json-value.ts'
import { isStorableText } from './read-scalar.ts'

const MAX_DEPTH = 64

/** For messages. */
export const EXPECTED_JSON = `JSON, at most ${MAX_DEPTH} levels deep, without NUL or lone surrogates`

/** @returns `undefined` when the value is no such JSON */
export function copyJson(given: unknown, depth = 0): JsonValue | undefined {
  if (given === null || typeof given === 'boolean') return given
  if (typeof given === 'string') return isStorableText(given) ? given : undefined
  if (typeof given === 'number') return Number.isFinite(given) ? given + 0 : undefined
  if (typeof given !== 'object' || depth === MAX_DEPTH) return undefined
  return Array.isArray(given) ? copyList(given, depth) : copyObject(given, depth)
}

function copyList(given: readonly unknown[], depth: number): JsonValue | undefined {
  const copy: JsonValue[] = []
  // By index: a hole is no JSON, and `map` would keep it.
  for (let index = 0; index < given.length; index += 1) {
    const item = copyJson(given[index], depth + 1)
    if (item === undefined) return undefined
    copy.push(item)
  }
  return copy
}

function copyObject(given: object, depth: number): JsonValue | undefined {
  const prototype: unknown = Object.getPrototypeOf(given)
  if (prototype !== Object.prototype && prototype !== null) return undefined
  const copy: [string, JsonValue][] = []
  for (const [key, value] of Object.entries(given)) {
    const item = copyJson(value, depth + 1)
    if (item === undefined || !isStorableText(key)) return undefined
    copy.push([key, item])
  }
  return Object.fromEntries(copy)
}
