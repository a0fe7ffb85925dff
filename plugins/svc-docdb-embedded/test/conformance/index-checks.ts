/** Checks on indexes: uniqueness in all its forms, listings, contradictions. */
import assert from 'node:assert/strict'
import { type Check, failureCode } from './check.ts'

export const indexChecks: readonly Check[] = [
  {
    name: 'unique: partial, compound and multikey',
    run: async ({ db }) => {
      const c = db.collection('c')
      await c.createIndex({ a: 1, b: 1 }, { unique: true, partialFilterExpression: { live: true } })
      await c.insertMany([
        { a: 1, b: 1, live: true },
        { a: 1, b: 1 },
        { a: 1, b: 2, live: true }
      ])
      assert.equal(await failureCode(c.insertOne({ a: 1, b: 1, live: true })), 11000)
      await c.createIndex({ tags: 1 }, { unique: true, sparse: true })
      await c.insertOne({ a: 3, tags: ['x', 'y', 'x'] })
      assert.equal(await failureCode(c.insertOne({ a: 4, tags: ['z', 'y'] })), 11000)
    }
  },
  {
    name: 'unique: null and absence are one value, numbers equal by value',
    run: async ({ db }) => {
      const c = db.collection('c')
      await c.createIndex({ a: 1 }, { unique: true })
      await c.insertMany([{}, { a: 1 }])
      assert.equal(await failureCode(c.insertOne({ a: null })), 11000)
      assert.equal(await failureCode(c.insertOne({ a: 1.0 })), 11000)
    }
  },
  {
    name: 'a unique index over duplicates is refused (11000) and not there',
    run: async ({ db }) => {
      await db.collection('c').insertMany([{ a: 1 }, { a: 1 }])
      assert.equal(await failureCode(db.collection('c').createIndex({ a: 1 }, { unique: true })), 11000)
      assert.equal((await db.collection('c').indexes()).length, 1)
    }
  },
  {
    name: 'create, list, contradict (85, 86), drop (27)',
    run: async ({ db }) => {
      const c = db.collection('c')
      await c.createIndex({ at: 1 }, { expireAfterSeconds: 3600 })
      await c.createIndex({ at: 1 }, { expireAfterSeconds: 3600 })
      await c.createIndex({ n: -1 }, { name: 'by_n' })
      assert.partialDeepStrictEqual(await c.indexes(), [
        { name: '_id_' },
        { name: 'at_1', expireAfterSeconds: 3600 },
        { name: 'by_n', key: { n: -1 } }
      ])
      assert.equal(await failureCode(c.createIndex({ at: 1 }, { name: 'other', expireAfterSeconds: 3600 })), 85)
      assert.equal(await failureCode(c.createIndex({ m: 1 }, { name: 'by_n' })), 86)
      await c.dropIndex('by_n')
      assert.equal(await failureCode(c.dropIndex('by_n')), 27)
    }
  },
  {
    name: 'partial: several over one key, and reads see the documents outside',
    run: async ({ db }) => {
      const c = db.collection('c')
      await c.createIndex({ a: 1 }, { name: 'gone', unique: true, partialFilterExpression: { gone: { $eq: null } } })
      await c.createIndex({ a: 1 }, { name: 'dear', unique: true, partialFilterExpression: { n: { $gte: 5 } } })
      await c.insertMany([
        { a: 1, n: 5 },
        { a: 1, n: 4, gone: true },
        { a: 2, n: 4, gone: 1 },
        { a: 3, gone: null }
      ])
      assert.equal(await failureCode(c.insertOne({ a: 1 })), 11000)
      assert.equal(await failureCode(c.insertOne({ a: 1, n: 6, gone: 1 })), 11000)
      const count = (filter: object) => c.countDocuments(filter)
      assert.deepEqual(
        [await count({ a: 1 }), await count({ a: 1, gone: null }), await count({ gone: null })],
        [2, 1, 2]
      )
      assert.deepEqual([await count({ a: 1, n: { $gte: 4 } }), await count({ a: 1, n: { $gte: 5 } })], [2, 1])
      assert.deepEqual([await count({ a: 1, n: 5 }), await count({ a: 1, n: 4 })], [1, 1])
      assert.equal(await count({ a: 1, gone: { $ne: null } }), 1)
      await c.updateOne({ a: 1, gone: true }, { $set: { n: 7, a: 9 } })
      assert.equal(await count({ a: 9, n: { $gt: 5 } }), 1)
    }
  },
  {
    name: 'parallel arrays cannot be indexed (171)',
    run: async ({ db }) => {
      await db.collection('c').createIndex({ a: 1, b: 1 })
      assert.equal(await failureCode(db.collection('c').insertOne({ a: [1], b: [2] })), 171)
    }
  },
  {
    name: 'collections: create twice (48), list, drop',
    run: async ({ db }) => {
      await db.createCollection('made')
      assert.equal(await failureCode(db.createCollection('made')), 48)
      assert.partialDeepStrictEqual(await db.listCollections({ name: 'made' }).toArray(), [
        { name: 'made', type: 'collection' }
      ])
      assert.equal(await db.dropCollection('made'), true)
      assert.deepEqual(await db.listCollections().toArray(), [])
    }
  },
  {
    name: 'aggregation: $group, $lookup, $unwind, $count',
    run: async ({ db }) => {
      await db.collection('a').insertMany([
        { k: 'x', n: 1 },
        { k: 'x', n: 2 },
        { k: 'y', n: 5 }
      ])
      await db.collection('b').insertMany([{ key: 'x', tags: ['p', 'q'] }])
      const grouped = [{ $group: { _id: '$k', total: { $sum: '$n' } } }, { $sort: { _id: 1 } }]
      assert.deepEqual(await db.collection('a').aggregate(grouped).toArray(), [
        { _id: 'x', total: 3 },
        { _id: 'y', total: 5 }
      ])
      const joined = [
        { $match: { n: 1 } },
        { $lookup: { from: 'b', localField: 'k', foreignField: 'key', as: 'b' } },
        { $unwind: '$b' },
        { $unwind: '$b.tags' }
      ]
      assert.equal((await db.collection('a').aggregate(joined).toArray()).length, 2)
      assert.deepEqual(
        await db
          .collection('a')
          .aggregate([{ $count: 'all' }])
          .toArray(),
        [{ all: 3 }]
      )
    }
  }
]
