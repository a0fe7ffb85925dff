/** Updates whose answers are compared between engines: one document before each, or none for an upsert. */
import { Decimal128, type Document, Double, Int32, Long } from 'bson'
import type { Operation } from './operation.ts'

type Row = readonly [before: Document, update: Document, setting?: Partial<Operation>]

const items = [
  { k: 1, n: 0 },
  { k: 2, n: 5 }
]

const rows: readonly Row[] = [
  [{ a: 1, b: { c: 1 } }, { $set: { b: 2, 'x.y': 3, a: 'x' } }],
  [{ a: [1, 2] }, { $set: { 'a.1': 9, 'a.3': 4 } }],
  [{ a: 1 }, { $set: { b: 1, 10: 1, 9: 1 } }],
  [{ a: 1 }, { $set: { a: new Double(1) } }],
  [{ a: new Double(0) }, { $set: { a: new Double(-0) } }],
  [{ a: { x: 1, y: 2 } }, { $set: { a: { y: 2, x: 1 } } }],
  [{ a: 1, b: [1, 2, 3] }, { $unset: { a: '', 'b.1': '', c: '' } }],
  [{ a: new Int32(2147483647) }, { $inc: { a: 1 } }],
  [{ a: new Double(0.5), b: Long.ONE, c: 1 }, { $inc: { a: 1, b: 1, c: 0.5, d: 2 } }],
  [{ a: Decimal128.fromString('0.10') }, { $inc: { a: Decimal128.fromString('0.20') } }],
  [{ a: Long.fromString('9007199254740993') }, { $inc: { a: 2 } }],
  [{ a: 'x' }, { $inc: { a: 1 } }],
  [{ a: null }, { $inc: { a: 1 } }],
  [{ a: 1 }, { $inc: { a: 'x' } }],
  [{ a: 3, b: Long.ONE }, { $mul: { a: 2, b: 1.5, c: 4 } }],
  [{ a: 5, b: 5, c: 'x', d: [1] }, { $min: { a: 3, b: 9, c: 1, d: 2, e: 1 } }],
  [{ a: 5, b: 5, c: 'x', d: [1] }, { $max: { a: 3, b: 9, c: 1, d: 2, e: 1 } }],
  [{ a: Long.fromNumber(9) }, { $max: { a: 10 } }],
  [{ a: new Date(5) }, { $max: { a: new Date(9) } }],
  [{ a: 1, b: 2 }, { $rename: { a: 'c', b: 'x.y', z: 'q' } }],
  [{ a: 1 }, { $rename: { a: 'a' } }],
  [{ a: [3, 1] }, { $push: { a: 2 } }],
  [{}, { $push: { a: 2 } }],
  [{ a: [3, 1] }, { $push: { a: { $each: [2, 9], $sort: 1, $slice: 3 } } }],
  [{ a: [3, 1] }, { $push: { a: { $each: [2, 9], $position: 1 } } }],
  [{ a: [3, 1] }, { $push: { a: { $each: [2, 9], $position: -1, $slice: -3 } } }],
  [{ a: [3, 1] }, { $push: { a: { $each: [], $slice: 0 } } }],
  [{}, { $push: { a: { $each: [3, 1, 2], $sort: -1, $slice: 2 } } }],
  [{ a: items }, { $push: { a: { $each: [{ k: 0, n: 5 }], $sort: { n: -1, k: 1 } } } }],
  [{ a: 1 }, { $push: { a: 1 } }],
  [{ a: [1] }, { $push: { a: { $each: 1 } } }],
  [{ a: [1, 'x', { k: 1, n: 0 }] }, { $addToSet: { a: { $each: [1, 'y', { k: 1, n: 0 }, { n: 0, k: 1 }] } } }],
  [{ a: [1] }, { $addToSet: { a: new Double(1) } }],
  [{}, { $addToSet: { a: { $each: [1, 1, 2] } } }],
  [{ a: [1, 5, 3, 'x', [4]] }, { $pull: { a: { $gte: 3 } } }],
  [{ a: items }, { $pull: { a: { n: { $gt: 1 } } } }],
  [{ a: items }, { $pull: { a: { k: 1, n: 0 } } }],
  [{ a: [1, Long.ONE, 2] }, { $pull: { a: 1 } }],
  [{ a: [[1], [2]] }, { $pull: { a: [1] } }],
  [{ a: ['ab', 'b'] }, { $pull: { a: /^a/ } }],
  [{ a: [1, 2, 1, null] }, { $pullAll: { a: [1, null] } }],
  [{ a: 1 }, { $pull: { a: 1 } }],
  [{ a: [1, 2, 3], b: [1] }, { $pop: { a: 1, b: -1 } }],
  [{ a: 1 }, { $pop: { a: 1 } }],
  [{ a: items }, { $set: { 'a.$.n': 7 } }, { filter: { 'a.k': 2 } }],
  [{ a: [1, 5, 9] }, { $set: { 'a.$': 0 } }, { filter: { a: { $gt: 4 } } }],
  [{ a: items }, { $set: { 'a.$.n': 7 } }, { filter: { a: { $elemMatch: { k: 2, n: 5 } } } }],
  [{ a: items }, { $set: { 'a.$.n': 7 } }],
  [{ a: items }, { $inc: { 'a.$[].n': 1 } }],
  [{ a: [1, 2] }, { $mul: { 'a.$[]': 3 } }],
  [{ a: items }, { $set: { 'a.$[low].n': -1 } }, { arrayFilters: [{ 'low.n': { $lt: 2 } }] }],
  [{ a: [1, 5, 9] }, { $inc: { 'a.$[big]': 1 } }, { arrayFilters: [{ big: { $gte: 5 } }] }],
  [{ a: [{ b: [1, 2] }, { b: [3] }] }, { $inc: { 'a.$[].b.$[x]': 1 } }, { arrayFilters: [{ x: { $gt: 1 } }] }],
  [{ a: [1] }, { $set: { 'a.$[x]': 1 } }],
  [{ a: 1 }, { $set: { 'a.b': 1 } }],
  [{ a: [1] }, { $set: { 'a.b': 1 } }],
  [{ a: null }, { $set: { 'a.b': 1 } }],
  [{}, { $set: { a: 1, 'a.b': 1 } }],
  [{}, { $set: { a: 1 }, $inc: { a: 1 } }],
  [{}, { $set: { _id: 2 } }],
  [{}, { $foo: { a: 1 } }],
  [
    { a: 1, b: 2 },
    { b: 3, c: 4 }
  ],
  [{ a: 1 }, { $setOnInsert: { b: 1 }, $set: { c: 1 } }],
  [
    {},
    { $set: { s: 1 }, $setOnInsert: { i: 2 } },
    { filter: { a: 1, 'b.c': { $eq: 2 }, d: { $gt: 5 } }, upsert: true }
  ],
  [{}, { $inc: { n: 1 } }, { filter: { $and: [{ a: 1 }, { b: { $in: [2] } }], $or: [{ c: 3 }] }, upsert: true }],
  [{}, { $push: { l: { $each: [1, 2] } } }, { filter: { k: { $all: ['x'] } }, upsert: true }],
  [{}, { z: 1 }, { filter: { a: 1, _id: 9 }, upsert: true }]
]

const NONE: readonly Document[] = []

export const updates: readonly Operation[] = rows.map(([before, update, setting = {}]) => ({
  area: 'updating',
  documents: setting.upsert === true ? NONE : [{ _id: 1, ...before }],
  update,
  ...setting
}))
