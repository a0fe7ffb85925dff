/**
 * Operations whose answers are compared between engines: filters, sorts and projections over one table of values,
 * updates of one document each, and pipelines.
 */
import { Binary, Decimal128, type Document, Double, Int32, Long, MaxKey, MinKey, ObjectId, Timestamp } from 'bson'
import type { Operation } from './operation.ts'
import { updates } from './updates.ts'

const decimal = (text: string) => Decimal128.fromString(text)
const double = (value: number) => new Double(value)
const int = (value: number) => new Int32(value)

/** Values of every type, where comparisons go wrong most easily; `undefined` is the absent field. */
const VALUES: readonly unknown[] = [
  ...[int(1), double(1.5), Long.fromNumber(2), decimal('3'), null, undefined, 'text', 'b\nc'],
  ...[
    { x: 1, y: 2 },
    { y: 2, x: 1 },
    [1, 2],
    [[1, 2]],
    [],
    [{ x: 1, z: 3 }, { x: 2 }],
    [null],
    new ObjectId('00000000000000000000000a'),
    true,
    false
  ],
  ...[new Date(5), double(-0), int(0), double(Number.NaN), double(Number.POSITIVE_INFINITY)],
  ...[Long.fromString('9007199254740993'), double(9007199254740992), decimal('0.1'), double(0.1)],
  ...[
    new Binary(Buffer.from('x')),
    new Timestamp({ t: 1, i: 1 }),
    new MinKey(),
    new MaxKey(),
    '',
    '\u{1F600}',
    '\uFF5E'
  ],
  ...[{ x: null }, [{ x: [1, 2] }, { x: [3] }], [[{ x: 1 }]], ['a', 'b'], decimal('NaN'), 9, 10, 'Text', 1001.5],
  ...[{ x: { y: [4, 5] } }, [1, 'text'], new Date(-5), [2, 1], { x: 1 }, int(-7), { a: 2, b: 1 }]
]

/** The documents that filters and sorts are asked about. */
export const TABLE: readonly Document[] = VALUES.map((v, _id) => (v === undefined ? { _id } : { _id, v }))

const filters: readonly Document[] = [
  ...[1, 0, -0, 1.5, 2, 10, Long.ONE, decimal('1.0'), decimal('0.1'), 0.1, Number.NaN].map((v) => ({ v })),
  ...[Long.fromString('9007199254740993'), double(9007199254740992), null, true, 'text', '', []].map((v) => ({ v })),
  ...[[1, 2], [2, 1], { x: 1, y: 2 }, { y: 2, x: 1 }, { x: null }, new Date(5), new Binary(Buffer.from('x'))].map(
    (v) => ({ v })
  ),
  ...[new Timestamp({ t: 1, i: 1 }), new ObjectId('00000000000000000000000a'), new MinKey(), /^te/i].map((v) => ({
    v
  })),
  ...['$gt', '$gte', '$lt', '$lte', '$ne'].flatMap((name) =>
    [1, 9, 'a', null, new Date(0), Number.NaN, true, decimal('0.1'), Long.fromNumber(2), [1, 2], { x: 1 }].map((v) => ({
      v: { [name]: v }
    }))
  ),
  ...[[1, 'text', null], [Number.NaN], [/^te/, 10], [[1, 2]], []].flatMap((list) => [
    { v: { $in: list } },
    { v: { $nin: list } }
  ]),
  ...[
    1,
    2,
    4,
    8,
    9,
    10,
    16,
    17,
    18,
    19,
    'number',
    'string',
    'object',
    'binData',
    'date',
    ['int', 'long'],
    'minKey'
  ].map((type) => ({ v: { $type: type } })),
  ...[{ $exists: true }, { $exists: false }, { $size: 2 }, { $size: 0 }, { $mod: [2, 1] }, { $mod: [4.7, 1] }].map(
    (v) => ({ v })
  ),
  ...[[1, 2], [[1, 2]], [1], [], [/^te/], [{ $elemMatch: { x: 1 } }]].map((list) => ({ v: { $all: list } })),
  ...[{ $gt: 1 }, { $gt: 1, $lt: 3 }, { x: 1, z: 3 }, { x: { $gt: 1 } }, { $in: [1] }, {}, { $or: [{ x: 2 }] }].map(
    (v) => ({ v: { $elemMatch: v } })
  ),
  ...[{ $gt: 1 }, { $size: 2 }, /^te/, { $in: [1, null] }, { $not: { $gt: 1 } }, { $elemMatch: { $gt: 1 } }].map(
    (v) => ({
      v: { $not: v }
    })
  ),
  ...[1, null, { $gt: 1 }, { $exists: false }, { $ne: 1 }, [1, 2], { $size: 2 }].map((x) => ({ 'v.x': x })),
  ...[1, [1, 2], null, { $exists: true }].map((first) => ({ 'v.0': first })),
  ...[{ 'v.x.y': 4 }, { 'v.x.0': 1 }, { 'v.0.x': 1 }, { 'v.0.0': 1 }, { 'v.x.y': null }],
  ...[{ $regex: 'B.C', $options: 'is' }, { $regex: '^c', $options: 'm' }, { $regex: '(' }, { $foo: 1 }].map((v) => ({
    v
  })),
  ...[{ $or: [{ v: 1 }, { v: 'text' }] }, { $and: [{ v: { $gt: 1 } }, { v: { $lt: 3 } }] }, { $nor: [{ v: null }] }],
  ...[{ $or: [] }, { $foo: 1 }, { v: { $in: 1 } }, { v: { $size: -1 } }, { $expr: { $gt: ['$v', 5] } }]
]

const sortable = (values: readonly unknown[]) => values.map((v, _id) => ({ _id, v }))
const sorts: readonly (readonly [Document, readonly Document[]])[] = [
  ...[
    { v: 1, _id: 1 },
    { v: -1, _id: 1 },
    { 'v.x': 1, _id: 1 },
    { 'v.x': -1, _id: -1 },
    { 'v.0': 1, _id: 1 }
  ].map((sort) => [sort, TABLE] as const),
  [{ v: 1, _id: 1 }, sortable([10, 9, 1.5, Long.fromNumber(-3), decimal('2.5'), -0, 0])],
  [{ v: 1, _id: 1 }, sortable([[3], [1, 9], 2, [], null, [2, 0]])],
  [{ v: -1, _id: 1 }, sortable([[3], [1, 9], 2, [], null, [2, 0]])],
  [{ v: 1, _id: 1 }, sortable([{ b: 1 }, { a: 2 }, { a: 'x' }, {}, { a: 1, b: 1 }])],
  [{ v: 1, _id: 1 }, sortable(['Z', 'a', 'é', '\uFF5E', '\u{1F600}', ''])],
  [{ 'v.x.y': -1, _id: 1 }, TABLE]
]

const nested: readonly Document[] = [
  {
    _id: 1,
    z: 1,
    a: { b: 1, c: [{ d: 1, e: 2 }, 5, [{ d: 3 }]] },
    list: [1, 2, 3, 4],
    docs: [{ k: 1, n: 2 }, { k: 2 }],
    n: new Long(5)
  }
]
const projections: readonly (readonly [Document, Document?])[] = [
  ...[{}, { a: 1 }, { z: 1, a: 1, _id: 0 }, { _id: 0 }, { _id: 1 }, { 'a.b': 1 }, { a: { b: 1 } }, { 'a.c.d': 1 }],
  ...[{ 'a.c.d': 0, list: 0 }, { 'a.c.e': 0 }, { 'z.x': 1 }, { 'z.x': 0 }, { list: { $slice: 2 } }, { 'docs.k': 1 }],
  ...[{ list: { $slice: -3 } }, { list: { $slice: [1, 2] }, z: 1 }, { list: { $slice: [-3, 2] }, a: 0 }],
  ...[
    { docs: { $elemMatch: { k: 2 } } },
    { docs: { $elemMatch: { k: 9 } }, z: 1 },
    { list: { $elemMatch: { $gt: 2 } } }
  ],
  ...[{ a: 1, z: 0 }, { a: 0, z: 1 }, { a: 1, 'a.b': 1 }, { list: { $slice: 'x' } }, { n: 1 }, { 'docs.0': 1 }]
].map((projection) => [projection] as const)
const positional: readonly (readonly [Document, Document?])[] = [
  [{ 'docs.$': 1 }, { 'docs.k': 2 }],
  [{ 'list.$': 1, z: 1 }, { list: { $gt: 2 } }],
  [{ 'list.$': 1 }, { z: 1 }]
]

const sales: readonly Document[] = [
  { _id: 1, k: 'x', n: 1, tags: ['p', 'q'], at: new Date(0) },
  { _id: 2, k: 'y', n: 2.5, tags: [], at: new Date(86_400_000) },
  { _id: 3, k: 'x', n: Long.fromNumber(5), tags: ['p'], in: { z: 1 } },
  { _id: 4, n: null, k: 'z' }
]
const byId = { $sort: { _id: 1 } }
const pipelines: readonly (readonly Document[])[] = [
  [{ $match: { n: { $gte: 2 } } }, { $count: 'n' }],
  [{ $match: { n: 99 } }, { $count: 'n' }],
  [{ $sort: { n: -1, _id: 1 } }, { $skip: 1 }, { $limit: 2 }, { $project: { n: 1 } }],
  [{ $group: { _id: 1, n: { $sum: 1 } } }],
  ...['$sum', '$avg', '$min', '$max'].map((name) => [{ $group: { _id: '$k', v: { [name]: '$n' } } }, byId]),
  ...['$first', '$last', '$push'].map((name) => [byId, { $group: { _id: '$k', v: { [name]: '$n' } } }, byId]),
  [{ $unwind: '$tags' }, { $sort: { _id: 1, tags: 1 } }],
  [{ $unwind: { path: '$tags', preserveNullAndEmptyArrays: true } }, { $sort: { _id: 1, tags: 1 } }],
  [{ $unset: ['at', 'tags', 'in.z'] }, byId],
  [byId, { $project: { sum: { $add: [1, '$_id'] }, k: 1 } }],
  [byId, { $addFields: { 'in.y': { $concat: ['$k', '!'] } } }, { $project: { in: 1 } }],
  [byId, { $project: { v: { $cond: [{ $gt: ['$n', 2] }, 'big', 'small'] } } }],
  [byId, { $project: { v: { $ifNull: ['$in.z', 'none'] }, w: { $size: { $ifNull: ['$tags', []] } } } }],
  [{ $match: { in: { $exists: true } } }, { $replaceRoot: { newRoot: '$in' } }],
  [{ $sortByCount: '$k' }, { $match: { count: 2 } }],
  [{ $match: { k: 'x' } }, byId, { $project: { t: { $arrayElemAt: ['$tags', 0] }, y: { $year: new Date(0) } } }]
]

export const OPERATIONS: readonly Operation[] = [
  ...filters.map((filter) => ({ area: 'matching' as const, documents: TABLE, filter })),
  ...sorts.map(([sort, documents]) => ({ area: 'ordering' as const, documents, sort })),
  ...[...projections, ...positional].map(([projection, filter = {}]) => ({
    area: 'projection' as const,
    documents: nested,
    filter,
    projection
  })),
  ...updates,
  ...pipelines.map((pipeline) => ({ area: 'aggregation' as const, documents: sales, pipeline }))
]
