/** The first documents of each of some values, by a bounded query for each: no server has a stage that reads an index only so far. */
import type { Condition, FirstOfEach } from 'svc-stores/table'

/** Queries that wait for an answer at a time. */
const AT_ONCE = 16

/** @param findOf the first that meet a condition */
export async function firstOfEach<Row>(
  { column: field, values }: FirstOfEach,
  findOf: (own: Condition) => Promise<Row[]>,
  isTogether: boolean
): Promise<Row[]> {
  const together = isTogether ? AT_ONCE : 1
  const found: Row[] = []
  for (let start = 0; start < values.length; start += together) {
    const some = values.slice(start, start + together).map((value) => findOf({ field, operator: 'eq', value }))
    for (const rows of await Promise.all(some)) found.push(...rows)
  }
  return found
}
