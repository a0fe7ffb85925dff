/** What a filter asks is told without its values, as a table. */
import t from 'tap'
import { filterShape } from '../../src/table/filter-shape.ts'

const rows: readonly [asked: unknown, told: string | undefined][] = [
  [{}, '{}'],
  [{ state: 'hunter2' }, '{ state: ? }'],
  [{ n: { $gte: 1, $lt: 9 }, a: { $in: ['hunter2'] } }, '{ n: { $gte: ?, $lt: ? }, a: { $in: ? } }'],
  [
    { $or: [{ a: 1 }, { $and: [{ b: { $not: { $eq: 'x' } } }] }] },
    '{ $or: [{ a: ? }, { $and: [{ b: { $not: { $eq: ? } } }] }] }'
  ],
  [{ json: { hunter2: 'of the caller' } }, '{ json: ? }'],
  [{ json: { $eq: { hunter2: 1 } } }, '{ json: { $eq: ? } }'],
  [[{ $match: { a: 'hunter2' } }, { $group: { _id: '$hunter2' } }, { $limit: 3 }], '[$match { a: ? }, $group, $limit]'],
  ['hunter2', undefined],
  [undefined, undefined]
]

for (const [asked, told] of rows) {
  t.test(`Q12: ${told ?? 'nothing'}`, async (t) => t.equal(filterShape(asked), told))
}

t.test('Q12: a long filter ends, and a deep one', async (t) => {
  t.equal(filterShape({ $or: Array.from({ length: 1000 }, () => ({ a: 1 })) })?.length, 1000)
  let deep: object = { a: 1 }
  for (let depth = 0; depth < 1000; depth += 1) deep = { $or: [deep] }
  t.ok((filterShape(deep)?.length ?? 0) < 200)
})
