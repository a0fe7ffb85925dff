/** Measures of rows, in plain code. Pure. */
import { compareHeld } from './compare-held.ts'
import type { ConditionValue } from './condition.ts'
import type { Measure } from './measure.ts'

type AnyRow = Readonly<Record<string, unknown>>

/** @returns `null` where nothing is held, but for a count */
export function measureOf(rows: readonly AnyRow[], measure: Measure): ConditionValue | null {
  if (measure.of === 'count') return rows.length
  const held = rows.map((row) => row[measure.column] ?? null).filter((value) => value !== null) as ConditionValue[]
  const [first, ...rest] = held
  if (first === undefined) return null
  switch (measure.of) {
    case 'sum':
      return sumOf(held)
    case 'avg':
      return Number(sumOf(held)) / held.length
    case 'min':
      return rest.reduce((least, value) => (compareHeld(value, least) < 0 ? value : least), first)
    case 'max':
      return rest.reduce((most, value) => (compareHeld(value, most) > 0 ? value : most), first)
  }
}

/** Of `bigint` exact. */
function sumOf(values: readonly ConditionValue[]): number | bigint {
  if (typeof values[0] === 'bigint') return values.reduce<bigint>((sum, value) => sum + (value as bigint), 0n)
  return values.reduce<number>((sum, value) => sum + Number(value), 0)
}
