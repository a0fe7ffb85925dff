/** Circles by hand, and random ones beside a model that walks from each row as often as there are rows. */
import fc from 'fast-check'
import t from 'tap'
import { findCircles } from '../../src/integrity/find-circles.ts'

const above = (pairs: string) => new Map(pairs.split(' ').map((pair) => pair.split('>') as [string, string]))

const cases: readonly [rows: string, circles: readonly string[]][] = [
  ['b>a c>b d>b', []],
  ['a>a', ['a']],
  ['b>a a>b', ['a b']],
  ['c>a a>b b>c', ['a b c']],
  ['c>b b>a a>c', ['a c b']],
  ['d>b b>c c>b e>d', ['b c']],
  ['z>y y>z b>a a>b x>x m>gone', ['a b', 'x', 'y z']]
]

for (const [rows, circles] of cases) {
  t.test(rows, async (t) => {
    t.strictSame(
      findCircles(above(rows)).map((circle) => circle.join(' ')),
      circles
    )
  })
}

/** Ids of the rows that come back to themselves. */
function comingBack(rows: ReadonlyMap<string, string>): string[] {
  return [...rows.keys()].filter((id) => {
    let at = rows.get(id)
    for (let step = 0; step < rows.size && at !== id; step += 1) at = at === undefined ? at : rows.get(at)
    return at === id
  })
}

t.test('random rows', async (t) => {
  const row = fc.tuple(fc.integer({ max: 30, min: 0 }).map(String), fc.integer({ max: 30, min: 0 }).map(String))
  let met = 0
  fc.assert(
    fc.property(fc.array(row, { maxLength: 40, size: 'max' }), (pairs) => {
      const rows = new Map(pairs)
      const found = findCircles(rows)
      met += found.length
      t.strictSame(found.flat().toSorted(), comingBack(rows).toSorted())
      for (const circle of found) {
        t.equal(circle[0], circle.toSorted()[0])
        for (const [place, id] of circle.entries()) t.equal(rows.get(id), circle[(place + 1) % circle.length])
      }
    }),
    { numRuns: 200 }
  )
  t.ok(met > 20, 'circles were met')
})
