/** Updates on one document each: the document after, and what is refused with which code. The old document stays. */
import t from 'tap'
import { applyUpdate, upsertDocument } from '../../src/update/apply-update.ts'
import { parseUpdate } from '../../src/update/parse-update.ts'
import { checkArrayFilters, readArrayFilters } from '../../src/update/positional-paths.ts'
import { documentOf, plainOf } from '../support/documents.ts'

interface Setting {
  query?: object
  arrayFilters?: object[]
  inserting?: boolean
}

function updated(
  before: object,
  plain: object,
  { query = {}, arrayFilters = [], inserting = false }: Setting = {}
): Record<string, unknown> {
  const document = documentOf(before)
  const copy = plainOf(document)
  const update = parseUpdate(documentOf({ update: plain }).get('update') ?? null)
  const filters = readArrayFilters(arrayFilters.map(documentOf))
  checkArrayFilters(update.kind === 'modifications' ? update.modifications.map(({ parts }) => parts) : [], filters)
  const context = { query: documentOf(query), arrayFilters: filters, now: new Date(7), inserting }
  const after = plainOf(applyUpdate(document, update, context))
  t.strictSame(plainOf(document), copy, 'the old document is as it was')
  return after
}

const rows: readonly [before: object, update: object, after: object, setting?: Setting][] = [
  [{ z: 1 }, { $set: { b: 1, a: 1 } }, { z: 1, a: 1, b: 1 }],
  [{}, { $set: { 'a.b.c': 1 } }, { a: { b: { c: 1 } } }],
  [{ a: [1] }, { $set: { 'a.3': 4 } }, { a: [1, null, null, 4] }],
  [{ a: [{ b: 1 }] }, { $set: { 'a.0.c': 2 } }, { a: [{ b: 1, c: 2 }] }],
  [{ a: 1, b: 2 }, { $unset: { a: 1, 'x.y': 1 } }, { b: 2 }],
  [{ a: [1, 2] }, { $unset: { 'a.0': 1 } }, { a: [null, 2] }],
  [{}, { $inc: { a: 2 }, $mul: { b: 2 } }, { a: 2, b: 0 }],
  [{ a: 5 }, { $max: { a: 'text' } }, { a: 'text' }],
  [{ a: 5 }, { $min: { a: null } }, { a: null }],
  [{}, { $currentDate: { a: { $type: 'date' } } }, { a: new Date(7) }],
  [{ a: 1, b: 2 }, { $rename: { a: 'c.d' } }, { b: 2, c: { d: 1 } }],
  [{ a: 1 }, { $rename: { x: 'y' } }, { a: 1 }],
  [{ a: 1 }, { $setOnInsert: { b: 1 } }, { a: 1 }],
  [{ a: 1 }, { $setOnInsert: { b: 1 } }, { a: 1, b: 1 }, { inserting: true }],
  [{ a: [1, 2] }, { $push: { a: { $each: [9], $position: 1 } } }, { a: [1, 9, 2] }],
  [{ a: [1, 2, 3] }, { $push: { a: { $each: [], $slice: -2 } } }, { a: [2, 3] }],
  [{ a: [{ n: 2 }] }, { $push: { a: { $each: [{ n: 1 }], $sort: { n: 1 } } } }, { a: [{ n: 1 }, { n: 2 }] }],
  [{}, { $push: { a: 1 } }, { a: [1] }],
  [
    { a: [{ x: 1, y: 2 }] },
    { $addToSet: { a: { y: 2, x: 1 } } },
    {
      a: [
        { x: 1, y: 2 },
        { y: 2, x: 1 }
      ]
    }
  ],
  [{ a: [{ n: 1, m: 1 }, { n: 2 }] }, { $pull: { a: { n: 1 } } }, { a: [{ n: 2 }] }],
  [{ a: ['xa', 'b'] }, { $pull: { a: /^x/ } }, { a: ['b'] }],
  [{ a: [1, 5] }, { $pull: { a: { $in: [5] } } }, { a: [1] }],
  [{ b: 1 }, { $pull: { a: 1 } }, { b: 1 }],
  [{ a: [{ b: [1, 2] }] }, { $inc: { 'a.$[].b.$[]': 1 } }, { a: [{ b: [2, 3] }] }],
  [{ a: [1, 2, 3] }, { $set: { 'a.$': 9 } }, { a: [1, 9, 3] }, { query: { a: { $gte: 2 } } }],
  [{ a: [1, 2, 3] }, { $set: { 'a.$[big]': 0 } }, { a: [1, 0, 0] }, { arrayFilters: [{ big: { $gt: 1 } }] }],
  [{ _id: 1, a: 1 }, { b: 2 }, { _id: 1, b: 2 }]
]

for (const [before, update, after, setting] of rows) {
  t.test(`${JSON.stringify(update)} on ${JSON.stringify(before)}`, async (t) => {
    const found = updated(before, update, setting)
    t.strictSame(found, after)
    t.strictSame(Object.keys(found), Object.keys(after), 'the order of fields')
  })
}

const refused: readonly [before: object, update: object, code: number, setting?: Setting][] = [
  [{}, { $foo: {} }, 9],
  [{}, { $set: 1 }, 9],
  [{}, { $set: { a: 1 }, b: 2 }, 9],
  [{}, { $bit: { a: { and: 1 } } }, 238],
  [{}, { a: 1, $set: { b: 1 } }, 52],
  [{ a: 'x' }, { $inc: { a: 1 } }, 14],
  [{ a: null }, { $inc: { a: 1 } }, 14],
  [{ a: 1 }, { $set: { 'a.b': 1 } }, 28],
  [{ a: [1] }, { $set: { 'a.b': 1 } }, 28],
  [{ a: [] }, { $set: { 'a.9999999': 1 } }, 2],
  [{ _id: 1 }, { $set: { _id: 2 } }, 66],
  [{ _id: 1 }, { $unset: { _id: 1 } }, 66],
  [{ _id: 1 }, { _id: 2, a: 1 }, 66],
  [{}, { $set: { a: 1, 'a.b': 1 } }, 40],
  [{}, { $rename: { a: 'b' }, $set: { b: 1 } }, 40],
  [{}, { $rename: { a: 'a' } }, 2],
  [{ a: [{ b: 1 }] }, { $rename: { 'a.0.b': 'c' } }, 2],
  [{ a: 1 }, { $push: { a: 1 } }, 2],
  [{}, { $push: { a: { $each: 1 } } }, 2],
  [{}, { $push: { a: { $each: [], $foo: 1 } } }, 2],
  [{}, { $addToSet: { a: { $each: 1 } } }, 14],
  [{ a: 1 }, { $pull: { a: 1 } }, 2],
  [{ a: [] }, { $pullAll: { a: 1 } }, 2],
  [{ a: [] }, { $pop: { a: 2 } }, 9],
  [{}, { $currentDate: { a: 1 } }, 2],
  [{}, { $set: { 'a.$': 1 } }, 2],
  [{}, { $set: { 'a.$[]': 1 } }, 2],
  [{ a: [1] }, { $set: { 'a.$[x]': 1 } }, 2],
  [{ a: [1] }, { $set: { a: [] } }, 9, { arrayFilters: [{ x: 1 }] }],
  [{ a: [1] }, { $set: { 'a.$[x]': 1 } }, 9, { arrayFilters: [{ x: 1, y: 1 }] }],
  [{}, { $set: { 'a.': 1 } }, 56],
  [{}, { $set: { $a: 1 } }, 52],
  [{}, { $set: { a: 'x'.repeat(16 * 1024 * 1024) } }, 17419]
]

for (const [before, update, code, setting] of refused) {
  t.test(`refused: ${JSON.stringify(update).slice(0, 80)} on ${JSON.stringify(before)}`, async (t) => {
    t.throws(() => updated(before, update, setting), { code })
  })
}

t.test('the document an upsert begins with', async (t) => {
  const of = (filter: object) => plainOf(upsertDocument(documentOf(filter)))
  t.strictSame(of({ a: 1, 'b.c': { $eq: 2 }, d: { $gt: 5 }, e: /x/ }), { a: 1, b: { c: 2 } })
  t.strictSame(of({ $and: [{ a: 1 }, { b: { $all: [2] } }], $or: [{ c: 3 }] }), { a: 1, b: 2, c: 3 })
  t.strictSame(of({ $or: [{ a: 1 }, { a: 2 }] }), {})
  t.throws(() => of({ $and: [{ a: 1 }, { a: 2 }] }), { code: 54 })
})
