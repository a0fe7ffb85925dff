/** Checks on transactions of a replica set: isolation, commit, abort, conflicts that are tried again. */
import assert from 'node:assert/strict'
import { MongoServerError } from 'mongodb'
import { type Check, failureCode } from './check.ts'

export const transactionChecks: readonly Check[] = [
  {
    name: 'a transaction sees its own writes, others only after the commit',
    run: async ({ db, client }) => {
      const c = db.collection<{ _id: number; n: number }>('c')
      await c.insertOne({ _id: 1, n: 0 })
      const session = client.startSession()
      session.startTransaction()
      await c.insertOne({ _id: 2, n: 0 }, { session })
      await c.updateOne({ _id: 1 }, { $inc: { n: 1 } }, { session })
      assert.deepEqual(await c.find({}, { session }).sort({ _id: 1 }).toArray(), [
        { _id: 1, n: 1 },
        { _id: 2, n: 0 }
      ])
      assert.deepEqual(await c.find().toArray(), [{ _id: 1, n: 0 }])
      await session.commitTransaction()
      assert.equal(await c.countDocuments(), 2)
      await session.endSession()
    }
  },
  {
    name: 'an abort leaves nothing, a snapshot does not move',
    run: async ({ db, client }) => {
      const c = db.collection<{ _id: number; n?: number }>('c')
      await c.insertOne({ _id: 1, n: 0 })
      const session = client.startSession()
      session.startTransaction({ readConcern: { level: 'snapshot' } })
      assert.equal(await c.countDocuments({}, { session }), 1)
      await c.insertOne({ _id: 2 })
      await c.updateOne({ _id: 1 }, { $set: { n: 5 } })
      assert.deepEqual(await c.find({}, { session }).toArray(), [{ _id: 1, n: 0 }])
      await c.insertOne({ _id: 3 }, { session })
      await session.abortTransaction()
      assert.deepEqual(
        (await c.find().sort({ _id: 1 }).toArray()).map(({ _id }) => _id),
        [1, 2]
      )
      await session.endSession()
    }
  },
  {
    name: 'two transactions on one document: the later one conflicts (112) and may try again',
    run: async ({ db, client }) => {
      const c = db.collection<{ _id: number; n: number }>('c')
      await c.insertOne({ _id: 1, n: 0 })
      const [a, b] = [client.startSession(), client.startSession()]
      a.startTransaction()
      b.startTransaction()
      await c.findOne({}, { session: a })
      await c.findOne({}, { session: b })
      await c.updateOne({ _id: 1 }, { $inc: { n: 1 } }, { session: a })
      await a.commitTransaction()
      const error = await c.updateOne({ _id: 1 }, { $inc: { n: 1 } }, { session: b }).catch((cause: unknown) => cause)
      assert.ok(
        error instanceof MongoServerError && error.code === 112 && error.hasErrorLabel('TransientTransactionError')
      )
      await b.abortTransaction()
      await Promise.all([a.endSession(), b.endSession()])
    }
  },
  {
    name: 'withTransaction: 8 concurrent increments all count',
    run: async ({ db, client }) => {
      const c = db.collection<{ _id: number; n: number }>('c')
      await c.insertOne({ _id: 1, n: 0 })
      const once = () =>
        client.withSession((session) =>
          session.withTransaction(async () => {
            const found = await c.findOne({ _id: 1 }, { session })
            await c.updateOne({ _id: 1 }, { $set: { n: (found?.n ?? 0) + 1 } }, { session })
          })
        )
      await Promise.all(Array.from({ length: 8 }, once))
      assert.equal((await c.findOne())?.n, 8)
    }
  },
  {
    name: 'concurrent upserts inside transactions: one document, no 11000',
    run: async ({ db, client }) => {
      const c = db.collection('c')
      await c.createIndex({ key: 1 }, { unique: true })
      const once = () =>
        client.withSession((session) =>
          session.withTransaction(async () => {
            await c.updateOne({ key: 'k' }, { $inc: { n: 1 } }, { upsert: true, session })
          })
        )
      const settled = await Promise.allSettled(Array.from({ length: 6 }, once))
      assert.deepEqual(
        settled.filter(({ status }) => status === 'rejected'),
        []
      )
      assert.partialDeepStrictEqual(await c.find().toArray(), [{ key: 'k', n: 6 }])
    }
  },
  {
    name: 'a write outside waits for the transaction that has the document',
    run: async ({ db, client }) => {
      const c = db.collection<{ _id: number; n: number }>('c')
      await c.insertOne({ _id: 1, n: 0 })
      const session = client.startSession()
      session.startTransaction()
      await c.updateOne({ _id: 1 }, { $inc: { n: 1 } }, { session })
      const outside = c.updateOne({ _id: 1 }, { $inc: { n: 10 } })
      await session.commitTransaction()
      await outside
      assert.equal((await c.findOne())?.n, 11)
      await session.endSession()
    }
  },
  {
    name: 'indexes that are there already wait for no transaction',
    run: async ({ db, client }) => {
      const c = db.collection<{ _id: number; n: number }>('c')
      await c.createIndex({ n: 1 })
      const session = client.startSession()
      session.startTransaction()
      await c.insertOne({ _id: 1, n: 0 }, { session })
      assert.equal(await c.createIndex({ n: 1 }, { maxTimeMS: 5000 }), 'n_1')
      await session.commitTransaction()
      await session.endSession()
    }
  },
  {
    name: 'a failed write aborts its transaction (then 251)',
    run: async ({ db, client }) => {
      const c = db.collection<{ _id: number }>('c')
      await c.insertOne({ _id: 1 })
      const session = client.startSession()
      session.startTransaction()
      assert.equal(await failureCode(c.insertOne({ _id: 1 }, { session })), 11000)
      assert.equal(await failureCode(c.insertOne({ _id: 2 }, { session })), 251)
      await session.abortTransaction()
      await session.endSession()
    }
  }
]
