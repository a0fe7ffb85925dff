/** The sorted list against an array that is sorted anew: additions, removals, ranges both ways. */
import fc from 'fast-check'
import t from 'tap'
import { SortedList } from '../../src/indexes/sorted-list.ts'

t.test('as a sorted set', async (t) => {
  const step = fc.record({ value: fc.nat(200), remove: fc.boolean() })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400 }), fc.nat(200), fc.nat(200), (steps, low, high) => {
      const list = new SortedList<number>((a, b) => a - b)
      const model = new Set<number>()
      for (const { value, remove } of steps) {
        if (remove) {
          list.remove(value)
          model.delete(value)
        } else {
          list.add(value)
          model.add(value)
        }
      }
      const begins = (value: number) => value >= low
      const ends = (value: number) => value > high
      const expected = [...model].filter((value) => begins(value) && !ends(value)).sort((a, b) => a - b)
      t.strictSame([...list.range(begins, ends)], expected)
      t.strictSame([...list.reversed(begins, ends)], expected.reverse())
    }),
    { numRuns: 50 }
  )
})

t.test('many pieces', async (t) => {
  const list = new SortedList<number>((a, b) => a - b)
  const count = 5000
  for (let index = 0; index < count; index++) list.add((index * 7919) % count)
  const all = [
    ...list.range(
      () => true,
      () => false
    )
  ]
  t.strictSame(
    all,
    Array.from({ length: count }, (_, index) => index)
  )
  t.strictSame(
    [
      ...list.reversed(
        (value) => value >= 4990,
        (value) => value > 4992
      )
    ],
    [4992, 4991, 4990]
  )
  for (const value of all) list.remove(value)
  t.strictSame(
    [
      ...list.range(
        () => true,
        () => false
      )
    ],
    []
  )
})
