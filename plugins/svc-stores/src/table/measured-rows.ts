/** Measures of rows, in plain code. Pure. */
import { compareHeld, valuesText } from './compare-held.ts'
import type { ConditionValue } from './condition.ts'

type AnyRow = Readonly<Record<string, unknown>>

/** A measure of the rows that it is of. */
type MeasureOf =
  | { readonly of: 'count' }
  | { readonly of: 'countDistinct' | 'sum' | 'avg' | 'min' | 'max'; readonly column: string }

/** @returns `null` where nothing is held, but for numbers of rows and values */
export function measureOf(rows: readonly AnyRow[], measure: MeasureOf): ConditionValue | null {
  if (measure.of === 'count') return rows.length
  const held = rows.map((row) => row[measure.column] ?? null).filter((value) => value !== null) as ConditionValue[]
  if (measure.of === 'countDistinct') return new Set(held.map((value) => valuesText([value]))).size
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
