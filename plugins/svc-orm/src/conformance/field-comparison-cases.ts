/** Criteria that compare a field with another one of the same row. */
import assert from 'node:assert/strict'
import { type CaseContext, type Cases, column, refused } from './conformance-suite.ts'

/** Of each row: `label`, what `total` and `stock` hold, and two texts, two exact numbers and two moments beside them. */
async function seed({ things }: CaseContext) {
  const day = (ms: number | null) => (ms === null ? null : new Date(ms))
  const rows = [
    ['less', 1, 2, 'b', '1', '20', 1],
    ['level', 2, 2, 'level', '21', '21', 2],
    ['more', 5, 2, 'a', '10', '9', 3],
    ['no total', null, 2, null, null, '5', null],
    ['no stock', 1, null, 'no', '5', null, 4],
    ['neither', null, null, null, null, null, null]
  ] as const
  for (const [label, total, stock, body, big, serial, at] of rows) {
    await things.create({ label, total, stock, body, big, serial, at: day(at), seen: day(2) })
  }
}

const CASES: readonly (readonly [criteria: Readonly<Record<string, unknown>>, labels: readonly string[]])[] = [
  [{ total: { $field: { $lt: 'stock' } } }, ['less']],
  [{ total: { $field: { $lte: 'stock' } } }, ['less', 'level']],
  [{ total: { $field: { $eq: 'stock' } } }, ['level']],
  [{ total: { $field: { $gt: 'stock' } } }, ['more']],
  [{ total: { $field: { $gte: 'stock' } } }, ['level', 'more']],
  // What `$eq` is not: null is equal to nothing, null included.
  [{ total: { $field: { $ne: 'stock' } } }, ['less', 'more', 'neither', 'no stock', 'no total']],
  [{ $not: { total: { $field: { $eq: 'stock' } } } }, ['less', 'more', 'neither', 'no stock', 'no total']],
  [{ $not: { total: { $field: { $lt: 'stock' } } } }, ['level', 'more', 'neither', 'no stock', 'no total']],
  [{ $not: { total: { $field: { $ne: 'stock' } } } }, ['level']],
  [{ total: { $field: { $eq: 'total' } } }, ['less', 'level', 'more', 'no stock']],
  [{ total: { $field: { $gte: 'stock' }, $lt: 5 } }, ['level']],
  [{ total: { $field: { $gte: 'stock', $ne: 'stock' } } }, ['more']],
  [{ $or: [{ total: { $field: { $lt: 'stock' } } }, { label: 'neither' }] }, ['less', 'neither']],
  // Text by code point, also where one is of a bounded type.
  [{ label: { $field: { $gt: 'body' } } }, ['less', 'more', 'no stock']],
  [{ label: { $field: { $eq: 'body' } } }, ['level']],
  // Exact numbers by value: 10 is more than 9.
  [{ big: { $field: { $gt: 'serial' } } }, ['more']],
  [{ big: { $field: { $eq: 'serial' } } }, ['level']],
  [{ at: { $field: { $eq: 'seen' } } }, ['level']],
  [{ at: { $field: { $gt: 'seen' } } }, ['more', 'no stock']]
]

export const fieldComparisonCases: Cases = {
  'a field is compared with another one; null in either finds the row by $ne alone': async (context) => {
    await seed(context)
    const { things } = context
    for (const [criteria, labels] of CASES) {
      const shown = JSON.stringify(criteria)
      assert.deepEqual(column(await things.find(criteria), 'label').sort(), labels, shown)
      assert.equal(await things.count(criteria), labels.length, shown)
    }
    assert.equal(await things.updateMany({ total: { $field: { $gt: 'stock' } } }, { label: 'changed' }), 1)
    assert.equal(await things.delete({ total: { $field: { $gt: 'stock' } } }), 1)
  },
  'through a relation, both fields are of the related row': async ({ authors, books, repository }) => {
    const ada = await authors.create({ name: 'Ada' })
    const own = await authors.create({ name: 'Own' })
    await authors.updateOne({ id: own.id }, { mentorId: own.id })
    await books.createMany([
      { title: 'one', authorId: ada.id },
      { title: 'two', authorId: own.id }
    ])
    const taught = { mentorId: { $field: { $eq: 'id' } } }
    assert.deepEqual(column(await books.find({ author: taught }), 'title'), ['two'])
    assert.deepEqual(column(await books.find({ $not: { author: taught } }), 'title'), ['one'])
    assert.deepEqual(column(await books.find({ 'author.mentorId': { $field: { $ne: 'id' } } }), 'title'), ['one'])
    await repository('Passport').create({ number: 'P', heldBy: ada.id })
    assert.equal(await repository('Passport').count({ heldBy: { $field: { $eq: 'id' } } }), 0)
  },
  'what cannot be compared is refused by name, and a value never becomes a name': async ({ things }) => {
    const find = (criteria: Readonly<Record<string, unknown>>) => () => things.find(criteria)
    await refused(find({ total: { $field: { $lt: 'nope' } } }), 'SVC_ORM_UNKNOWN_FIELD', 400)
    for (const criterion of [
      { total: { $field: { $lt: 'ratio' } } },
      { amount: { $field: { $lt: 'price' } } },
      { total: { $field: { $lt: 'tags' } } },
      { tags: { $field: { $eq: 'tags' } } },
      { data: { $field: { $eq: 'settings' } } },
      { total: { $field: { $like: 'count' } } },
      { total: { $field: { constructor: 'count' } } },
      { total: { $field: {} } },
      { total: { $field: 'count' } },
      { total: { $field: { $lt: 5 } } },
      { total: { $eq: { $field: 'count' } } },
      { total: { $in: [{ $field: 'count' }] } }
    ]) {
      await refused(find(criterion), 'SVC_ORM_CRITERIA', 400)
    }
  }
}
