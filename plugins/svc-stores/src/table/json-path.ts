/** Values within JSON by a path of keys and positions, in plain code. Pure. */
import { compareHeld } from './compare-held.ts'

const POSITION = /^(?:0|[1-9]\d*)$/

/** @returns `undefined` where nothing is there; a list is entered by position alone */
export function valueAt(json: unknown, path: readonly string[]): unknown {
  let value = json
  for (const part of path) {
    const isEntered = Array.isArray(value) ? POSITION.test(part) : typeof value === 'object' && value !== null
    if (!isEntered || !Object.hasOwn(value as object, part)) return undefined
    value = (value as Readonly<Record<string, unknown>>)[part]
  }
  return value
}

const RANKS: Readonly<Record<string, number>> = { number: 1, string: 2, boolean: 3 }

/** Numbers before texts, texts before booleans, and everything else lowest. */
export function compareJson(a: unknown, b: unknown): number {
  const rank = RANKS[typeof a] ?? 0
  const difference = rank - (RANKS[typeof b] ?? 0)
  return difference !== 0 || rank === 0 ? difference : compareHeld(a, b)
}
