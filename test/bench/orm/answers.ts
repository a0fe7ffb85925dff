/** Whether all sides answer alike, before they are timed: a side that answers less is fast for nothing. */
import { deepEqual } from 'node:assert/strict'
import type { Side } from './side.ts'

const STARS = [0, 4, 9]

/** @throws AssertionError that names the side and the case. */
export async function checkAnswers(sides: ReadonlyMap<string, Side>, ids: readonly string[]): Promise<void> {
  const [id = ''] = ids
  const first = sides.get('bare')
  if (first === undefined) throw new TypeError('No side is bare')
  for (const [name, side] of sides) {
    deepEqual(article(await side.find(id)), article(await first.find(id)), `${name}: find`)
    for (const stars of STARS) {
      const expected: readonly unknown[] = rowsOf(await first.list(stars)).map(article)
      deepEqual(rowsOf(await side.list(stars)).map(article), expected, `${name}: list`)
    }
    deepEqual(rowsOf(await side.groups()).map(group), rowsOf(await first.groups()).map(group), `${name}: groups`)
    const before = article(await first.find(id))
    await side.addStar(id)
    deepEqual(article(await first.find(id)), { ...before, stars: before.stars + 1 }, `${name}: addStar`)
  }
}

function rowsOf(answer: unknown): readonly unknown[] {
  if (!Array.isArray(answer) || answer.length === 0) throw new TypeError('The answer has no rows')
  return answer
}

/** Numbers: `pg` by itself gives a bigint as text. */
function article(row: unknown) {
  const { id, title, body, stars } = record(row)
  return { id, title, body, stars: Number(stars) }
}

function group(row: unknown) {
  const { stars, rows } = record(row)
  return { stars: Number(stars), rows: Number(rows) }
}

function record(row: unknown): Readonly<Record<string, unknown>> {
  if (typeof row !== 'object' || row === null) throw new TypeError('The answer is no row')
  return { ...row }
}
