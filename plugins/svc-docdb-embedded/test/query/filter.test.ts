/** Filters on one document each: what matches, what does not, and what is refused with which code. */
import { Binary, BSONRegExp, Decimal128, Double, Long, ObjectId } from 'bson'
import t from 'tap'
import { parseFilter } from '../../src/query/filter.ts'
import { documentOf } from '../support/documents.ts'

const id = new ObjectId()

const rows: readonly [filter: object, document: object, matches: boolean][] = [
  [{}, {}, true],
  [{ a: id }, { a: new ObjectId(id.toHexString()) }, true],
  [{ a: new Binary(Buffer.from('x')) }, { a: new Binary(Buffer.from('x'), 4) }, false],
  [{ a: Long.ONE }, { a: 1 }, true],
  [{ a: Decimal128.fromString('1.0') }, { a: new Double(1) }, true],
  [{ a: '1' }, { a: 1 }, false],
  [{ a: { $gt: '1' } }, { a: 2 }, false],
  [{ a: { $lt: new Date(5) } }, { a: new Date(4) }, true],
  [{ a: { $gt: Number.NaN } }, { a: 1 }, false],
  [{ a: { $gte: Number.NaN } }, { a: Number.NaN }, true],
  [{ a: { $lte: 1 } }, { a: Number.NaN }, false],
  [{ a: { $gte: null } }, {}, true],
  [{ a: null }, { a: [] }, false],
  [{ a: null }, { a: [null] }, true],
  [{ 'a.b': null }, { a: [1, 2] }, false],
  [{ 'a.b': null }, { a: [{ b: 1 }, {}] }, true],
  [{ 'a.b': null }, { a: 1 }, true],
  [{ a: { $ne: 1 } }, { a: [1, 2] }, false],
  [{ a: { $nin: [3] } }, { a: [1, 2] }, true],
  [{ a: [1, 2] }, { a: [[1, 2]] }, true],
  [{ a: [1, 2] }, { a: [2, 1] }, false],
  [{ a: { b: 1, c: 2 } }, { a: { c: 2, b: 1 } }, false],
  [{ 'a.1': 2 }, { a: [1, 2] }, true],
  [{ 'a.1': 5 }, { a: { 1: 5 } }, true],
  [{ a: { $in: [/^x/] } }, { a: 'xyz' }, true],
  [{ a: /x/ }, { a: ['y', 'x'] }, true],
  [{ a: { $not: /x/ } }, { a: 'x' }, false],
  [{ a: { $regex: 'a.c', $options: 's' } }, { a: 'a\nc' }, true],
  [{ a: { $regex: "it\\'s\\-ok" } }, { a: "it's-ok" }, true],
  [{ a: { $type: 'number' } }, { a: Long.ONE }, true],
  [{ a: { $type: 16 } }, { a: new Double(1) }, false],
  [{ a: { $type: 'array' } }, { a: [] }, true],
  [{ $expr: { $lt: ['$a', '$b'] } }, { a: 1, b: Long.fromNumber(2) }, true],
  [{ $expr: { $lt: ['$a', '$b'] } }, { a: 2, b: new Double(2) }, false],
  [{ $expr: { $gte: ['$a', '$b'] } }, { a: 'b', b: 'a' }, true],
  // By the order of all values: what is absent lies below them.
  [{ $expr: { $lt: ['$a', '$b'] } }, { b: null }, true],
  [{ $expr: { $eq: ['$a', '$b'] } }, {}, true],
  [{ a: { $exists: false } }, { a: null }, false],
  [{ a: { $size: 1 } }, { a: [[1, 2]] }, true],
  [{ a: { $all: [] } }, { a: [] }, false],
  [{ a: { $all: [[1]] } }, { a: [1] }, true],
  [
    { a: { $elemMatch: { b: 1, c: { $gt: 1 } } } },
    {
      a: [
        { b: 1, c: 1 },
        { b: 2, c: 2 }
      ]
    },
    false
  ],
  [{ a: { $elemMatch: { $in: [2] } } }, { a: 2 }, false],
  [{ a: { $elemMatch: { $gt: 1 } } }, { a: [[2]] }, false],
  [{ a: { $elemMatch: { $elemMatch: { $gt: 1 } } } }, { a: [[2]] }, true],
  [{ a: { $mod: [2, 1] } }, { a: Long.fromString('9007199254740993') }, true],
  [{ a: { $not: { $gt: 5 } } }, {}, true],
  [{ $nor: [{ a: 1 }, { b: 1 }] }, { a: 2 }, true],
  [{ a: { $eq: /x/ } }, { a: 'x' }, false],
  [{ a: { $eq: new BSONRegExp('x') } }, { a: new BSONRegExp('x') }, true],
  [{ __proto__: null, constructor: 1 }, {}, false],
  [{ a: { $ref: 'c', $id: 1 } }, { a: { $ref: 'c', $id: 1 } }, true],
  [{ $comment: 'why', a: 1 }, { a: 1 }, true]
]

for (const [index, [filter, document, matches]] of rows.entries()) {
  t.test(`${index}: ${JSON.stringify(filter)} on ${JSON.stringify(document)}`, async (t) => {
    t.equal(parseFilter(documentOf(filter)).matches(documentOf(document)), matches)
  })
}

const refused: readonly [filter: object, code: number][] = [
  [{ a: { $foo: 1 } }, 2],
  [{ a: { $gt: 1, b: 2 } }, 2],
  [{ $foo: 1 }, 2],
  [{ $and: {} }, 2],
  [{ $or: [1] }, 2],
  [{ a: { $in: 5 } }, 2],
  [{ a: { $in: [{ $gt: 1 }] } }, 2],
  [{ a: { $ne: /x/ } }, 2],
  [{ a: { $not: {} } }, 2],
  [{ a: { $not: 5 } }, 2],
  [{ a: { $size: -1 } }, 9],
  [{ a: { $size: 1.5 } }, 9],
  [{ a: { $mod: [0, 1] } }, 2],
  [{ a: { $mod: [1] } }, 2],
  [{ a: { $type: 99 } }, 2],
  [{ a: { $type: [] } }, 9],
  [{ a: { $options: 'i' } }, 2],
  [{ a: { $regex: 5 } }, 2],
  [{ a: { $regex: 'x', $options: 'q' } }, 51108],
  [{ a: { $regex: 'x', $options: 'x' } }, 238],
  [{ a: { $regex: '\\Ax' } }, 51091],
  [{ a: { $elemMatch: 1 } }, 2],
  [{ a: { $near: [1, 2] } }, 238],
  [{ $expr: { $eq: [1, 1] } }, 238],
  [{ $expr: { $eq: ['$a.b', '$c'] } }, 238],
  [{ $expr: { $eq: ['$$ROOT', '$c'] } }, 238],
  [{ $expr: '$a' }, 238],
  [{ $expr: { $foo: ['$a', '$b'] } }, 168],
  [{ $expr: { $eq: ['$a', '$b'], $gt: ['$a', '$b'] } }, 168],
  [{ $expr: { $eq: ['$a'] } }, 16020],
  [{ $where: 'true' }, 238]
]

for (const [filter, code] of refused) {
  t.test(`refused: ${JSON.stringify(filter)}`, async (t) => t.throws(() => parseFilter(documentOf(filter)), { code }))
}
