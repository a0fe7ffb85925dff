/** Checks on documents: what is written is read back as it was, and changed as the operators say. */
import assert from 'node:assert/strict'
import { Decimal128, type Document, Double, Int32, Long, MongoServerError, ObjectId, type UpdateFilter } from 'mongodb'
import { type Check, failureCode } from './check.ts'

const raw = { promoteValues: false, promoteLongs: false } as const

export const crudChecks: readonly Check[] = [
  {
    name: 'insert and find: types and field order survive',
    run: async ({ db }) => {
      const document = {
        _id: new ObjectId(),
        z: new Int32(1),
        a: new Double(1),
        long: Long.fromString('9007199254740993'),
        dec: Decimal128.fromString('1.50'),
        nested: { y: 1, b: [1, 'x', null] },
        on: new Date(5)
      }
      await db.collection('c').insertOne(document)
      const found = await db.collection('c').findOne({}, raw)
      assert.deepEqual(Object.keys(found ?? {}), Object.keys(document))
      assert.equal(found?.z._bsontype, 'Int32')
      assert.equal(found?.a._bsontype, 'Double')
      assert.equal(String(found?.long), '9007199254740993')
      assert.equal(String(found?.dec), '1.50')
    }
  },
  {
    name: 'duplicate _id and unique index: 11000',
    run: async ({ db }) => {
      const c = db.collection<{ _id: number; email?: string }>('c')
      await c.createIndex({ email: 1 }, { unique: true, sparse: true })
      await c.insertMany([{ _id: 1, email: 'a' }, { _id: 2 }, { _id: 3 }])
      assert.equal(await failureCode(c.insertOne({ _id: 1 })), 11000)
      assert.equal(await failureCode(c.insertOne({ _id: 4, email: 'a' })), 11000)
      assert.equal(await failureCode(c.updateOne({ _id: 2 }, { $set: { email: 'a' } })), 11000)
      assert.equal(await c.countDocuments(), 3)
    }
  },
  {
    name: 'duplicate key: keyPattern and keyValue name it',
    run: async ({ db }) => {
      await db.collection('c').createIndex({ a: 1, b: -1 }, { unique: true })
      await db.collection('c').insertOne({ a: 1, b: 'x' })
      const error: unknown = await db
        .collection('c')
        .insertOne({ a: 1, b: 'x' })
        .catch((cause: unknown) => cause)
      assert.ok(error instanceof MongoServerError)
      assert.partialDeepStrictEqual(error.errorResponse, { keyPattern: { a: 1, b: -1 }, keyValue: { a: 1, b: 'x' } })
    }
  },
  {
    name: 'upsert: from the filter, with $setOnInsert, and then not again',
    run: async ({ db }) => {
      const c = db.collection('c')
      const update = { $setOnInsert: { made: 1 }, $inc: { seen: 1 } }
      const first = await c.updateOne({ key: 'k', kind: { $eq: 'x' } }, update, { upsert: true })
      assert.equal(first.upsertedCount, 1)
      const second = await c.updateOne(
        { key: 'k', kind: 'x' },
        { ...update, $setOnInsert: { made: 2 } },
        { upsert: true }
      )
      assert.partialDeepStrictEqual(second, { matchedCount: 1, modifiedCount: 1, upsertedCount: 0 })
      assert.partialDeepStrictEqual(await c.findOne({ key: 'k' }), { kind: 'x', made: 1, seen: 2 })
    }
  },
  {
    name: '$inc keeps and widens number types',
    run: async ({ db }) => {
      const c = db.collection('c')
      await c.insertOne({
        i: new Int32(2147483647),
        d: new Double(0.5),
        l: Long.fromNumber(1),
        m: Decimal128.fromString('0.10')
      })
      await c.updateOne({}, { $inc: { i: 1, d: 1, l: 1, m: Decimal128.fromString('0.20'), fresh: 7 } })
      const found = await c.findOne({}, raw)
      assert.deepEqual([found?.i._bsontype, String(found?.i)], ['Long', '2147483648'])
      assert.deepEqual([found?.d._bsontype, found?.d.value], ['Double', 1.5])
      assert.deepEqual([found?.l._bsontype, String(found?.l)], ['Long', '2'])
      assert.equal(String(found?.m), '0.30')
      assert.equal(Number(found?.fresh), 7)
    }
  },
  {
    name: '$min and $max move one way; $mul, $rename, $unset, $currentDate',
    run: async ({ db }) => {
      const c = db.collection<{ _id: number; [field: string]: unknown }>('c')
      await c.insertOne({ _id: 1, a: 5, b: 5, m: 3, old: 'x', gone: 1 })
      const change: UpdateFilter<Document> = {
        $max: { a: 3, fresh: 1 },
        $min: { b: 3 },
        $mul: { m: 2 },
        $rename: { old: 'renamed' },
        $unset: { gone: '' },
        $currentDate: { at: true }
      }
      await db.collection('c').updateOne({ a: 5 }, change)
      const found = await c.findOne({ _id: 1 })
      assert.partialDeepStrictEqual(found, { a: 5, b: 3, m: 6, fresh: 1, renamed: 'x' })
      assert.ok(found?.at instanceof Date && !('gone' in found) && !('old' in found))
    }
  },
  {
    name: 'array operators: $push with its modifiers, $addToSet, $pull, $pullAll, $pop',
    run: async ({ db }) => {
      const c = db.collection<{ _id: number; a: number[]; s: string[] }>('c')
      await c.insertOne({ _id: 1, a: [3, 1], s: ['x'] })
      await c.updateOne(
        { _id: 1 },
        { $push: { a: { $each: [2, 9], $sort: 1, $slice: 3 } }, $addToSet: { s: { $each: ['x', 'y'] } } }
      )
      assert.partialDeepStrictEqual(await c.findOne(), { a: [1, 2, 3], s: ['x', 'y'] })
      await c.updateOne({ _id: 1 }, { $pull: { a: { $gte: 3 } }, $pullAll: { s: ['x'] } })
      assert.partialDeepStrictEqual(await c.findOne(), { a: [1, 2], s: ['y'] })
      await c.updateOne({ _id: 1 }, { $pop: { a: -1 } })
      assert.deepEqual((await c.findOne())?.a, [2])
    }
  },
  {
    name: 'positional updates: $, $[] and $[name]',
    run: async ({ db }) => {
      const c = db.collection<{ _id: number; items: { id: number; n: number }[] }>('c')
      await c.insertOne({
        _id: 1,
        items: [
          { id: 1, n: 0 },
          { id: 2, n: 0 }
        ]
      })
      await c.updateOne({ 'items.id': 2 }, { $set: { 'items.$.n': 5 } })
      await c.updateOne({ _id: 1 }, { $inc: { 'items.$[].n': 1 } })
      await c.updateOne({ _id: 1 }, { $set: { 'items.$[low].n': -1 } }, { arrayFilters: [{ 'low.n': { $lt: 2 } }] })
      assert.deepEqual((await c.findOne())?.items, [
        { id: 1, n: -1 },
        { id: 2, n: 6 }
      ])
    }
  },
  {
    name: 'findOneAndUpdate, findOneAndReplace, findOneAndDelete',
    run: async ({ db }) => {
      const c = db.collection<{ _id: number; n: number }>('c')
      await c.insertMany([
        { _id: 1, n: 1 },
        { _id: 2, n: 2 }
      ])
      assert.partialDeepStrictEqual(
        await c.findOneAndUpdate({}, { $inc: { n: 10 } }, { sort: { n: -1 }, returnDocument: 'after' }),
        { _id: 2, n: 12 }
      )
      assert.partialDeepStrictEqual(await c.findOneAndReplace({ _id: 1 }, { n: 7 }), { _id: 1, n: 1 })
      assert.partialDeepStrictEqual(
        await c.findOneAndUpdate({ _id: 3 }, { $set: { n: 3 } }, { upsert: true, returnDocument: 'after' }),
        { _id: 3, n: 3 }
      )
      assert.partialDeepStrictEqual(await c.findOneAndDelete({ n: 7 }, { projection: { n: 1, _id: 0 } }), { n: 7 })
      assert.equal(await c.findOneAndDelete({ n: 99 }), null)
    }
  },
  {
    name: 'bulkWrite: ordered stops at the first failure, unordered goes on',
    run: async ({ db }) => {
      const c = db.collection<{ _id: number }>('c')
      const operations = [1, 1, 2].map((_id) => ({ insertOne: { document: { _id } } }))
      assert.equal(await failureCode(c.bulkWrite(operations)), 11000)
      assert.equal(await c.countDocuments(), 1)
      assert.equal(await failureCode(c.bulkWrite(operations, { ordered: false })), 11000)
      assert.equal(await c.countDocuments(), 2)
    }
  },
  {
    name: 'cursors over 3500 documents: natural, sorted, aggregated',
    run: async ({ db }) => {
      const c = db.collection<{ _id: number; n: number }>('c')
      await c.insertMany(Array.from({ length: 3500 }, (_, _id) => ({ _id, n: 3500 - _id })))
      assert.equal((await c.find().batchSize(100).toArray()).length, 3500)
      const sorted = await c.find().sort({ n: 1 }).skip(10).limit(2000).toArray()
      assert.deepEqual([sorted.length, sorted[0]?.n, sorted.at(-1)?.n], [2000, 11, 2010])
      assert.equal((await c.aggregate([{ $match: { n: { $gt: 500 } } }], { batchSize: 50 }).toArray()).length, 3000)
      const open = c.find().batchSize(2)
      await open.next()
      await open.close()
    }
  },
  {
    name: 'deleteOne, deleteMany, distinct, counts',
    run: async ({ db }) => {
      const c = db.collection('c')
      await c.insertMany([{ tag: ['a', 'b'] }, { tag: 'b' }, { tag: 'c' }])
      assert.deepEqual((await c.distinct('tag')).sort(), ['a', 'b', 'c'])
      assert.equal(await c.estimatedDocumentCount(), 3)
      assert.equal((await c.deleteOne({ tag: 'b' })).deletedCount, 1)
      assert.equal((await c.deleteMany({})).deletedCount, 2)
    }
  }
]
