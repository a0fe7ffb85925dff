/** Of rows in an order, the first of those that hold each of some values. Pure. */
import { valuesText } from './compare-held.ts'
import type { FirstOfEach } from './table.ts'

export function firstOfEach<Row extends object>(
  sorted: readonly Row[],
  { column, values, limit }: FirstOfEach
): readonly Row[] {
  const left = new Map(values.map((value) => [keyOf(value), limit]))
  return sorted.filter((row) => {
    const held = keyOf((row as Readonly<Record<string, unknown>>)[column])
    const more = left.get(held) ?? 0
    if (more > 0) left.set(held, more - 1)
    return more > 0
  })
}

/** A text is its own key: no text of a column begins with NUL. */
function keyOf(value: unknown): string {
  return typeof value === 'string' ? value : `\0${valuesText([value])}`
}
