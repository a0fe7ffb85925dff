/** Commands as they are sent: options that are refused, cursors, listings, what may not stand in a transaction. */
import { MongoClient } from 'mongodb'
import t from 'tap'
import { startDocumentEngine } from '../../src/index.ts'

const engine = await startDocumentEngine()
const client = await new MongoClient(engine.uri).connect()
t.teardown(async () => {
  await client.close()
  await engine.close()
})
const db = client.db('d')
await db.collection<{ _id: number }>('c').insertMany([{ _id: 1 }, { _id: 2 }, { _id: 3 }])

const refused: readonly [command: Record<string, unknown>, code: number][] = [
  [{ mapReduce: 'c' }, 59],
  [{ find: 'c', tailable: true }, 238],
  [{ find: 'c', let: { a: 1 } }, 238],
  [{ find: 'c', collation: { locale: 'de' } }, 115],
  [{ find: 'c', filter: 1 }, 14],
  [{ find: 'c', batchSize: -1 }, 51024],
  [{ find: 'c', sort: { a: 2 } }, 15975],
  [{ find: 'c', hint: 'nothing' }, 2],
  [{ find: 'c', hint: 5 }, 14],
  [{ find: 5 }, 14],
  [{ find: 'c', readConcern: { level: 'best' } }, 9],
  [{ insert: 'c', documents: [] }, 72],
  [{ insert: 'c' }, 40414],
  [{ insert: 'c', documents: [{}], writeConcern: { w: 3 } }, 100],
  [{ insert: 'c', documents: [{}], writeConcern: { w: 'tagged' } }, 79],
  [{ insert: 'system.x', documents: [{}], ordered: true, nothing: 1 }, 40415],
  [{ update: 'c', updates: [{ q: {}, u: {}, nothing: 1 }], ordered: 'yes' }, 14],
  [{ findAndModify: 'c' }, 9],
  [{ findAndModify: 'c', remove: true, new: true }, 9],
  [{ aggregate: 1, pipeline: [], cursor: {} }, 238],
  [{ aggregate: 'c', pipeline: [], cursor: { size: 1 } }, 40415],
  [{ create: 'capped', capped: true, size: 100 }, 238],
  [{ create: 'a$b' }, 73],
  [{ create: 'strict', validator: { a: 1 } }, 238],
  [{ createIndexes: 'c', indexes: [] }, 2],
  [{ dropIndexes: 'c', index: '_id_' }, 72],
  [{ dropIndexes: 'nowhere', index: '*' }, 26],
  [{ listIndexes: 'nowhere' }, 26],
  [{ explain: { count: 'c' } }, 238]
]

for (const [command, code] of refused) {
  t.test(`${code}: ${JSON.stringify(command)}`, (t) => t.rejects(db.command(command), { code }))
}

t.test('statements: an unknown field of one, a wrong limit, a name that no collection has', async (t) => {
  t.match(await db.command({ update: 'c', updates: [{ q: {}, u: { $set: { a: 1 } }, nothing: 1 }] }), {
    writeErrors: [{ index: 0, code: 40415 }]
  })
  t.match(await db.command({ delete: 'c', deletes: [{ q: {}, limit: 2 }] }), { n: 0, writeErrors: [{ code: 9 }] })
  t.match(await db.command({ insert: 'system.x', documents: [{}] }), { writeErrors: [{ code: 73 }] })
  t.match(await db.command({ update: 'c', updates: [{ q: {}, u: { a: 1 }, multi: true }] }), {
    writeErrors: [{ code: 9 }]
  })
})

t.test('cursors: batches, an end, an unknown one (43), another collection (13), killed', async (t) => {
  const { cursor } = await db.command({ find: 'c', batchSize: 1 }, { promoteLongs: false })
  t.equal(cursor.firstBatch.length, 1)
  await t.rejects(db.command({ getMore: cursor.id, collection: 'other' }), { code: 13 })
  const more = await db.command({ getMore: cursor.id, collection: 'c', batchSize: 1 })
  t.match(more.cursor.nextBatch, [{ _id: 2 }])
  t.match((await db.command({ getMore: cursor.id, collection: 'c' })).cursor, { nextBatch: [{ _id: 3 }], id: 0 })
  await t.rejects(db.command({ getMore: cursor.id, collection: 'c' }), { code: 43 })
  const second = (await db.command({ find: 'c', batchSize: 0 }, { promoteLongs: false })).cursor.id
  t.equal((await db.command({ killCursors: 'c', cursors: [second] })).cursorsKilled.length, 1)
  t.equal((await db.command({ killCursors: 'c', cursors: [second] })).cursorsNotFound.length, 1)
})

t.test('explain names the index', async (t) => {
  await db.collection('e').createIndex({ a: 1 })
  const plan = async (filter: object, sort = {}) =>
    (await db.collection('e').find(filter).sort(sort).explain()).queryPlanner.winningPlan
  t.match(await plan({ a: 1 }), { stage: 'IXSCAN', indexName: 'a_1' })
  t.match(await plan({ b: 1 }), { stage: 'COLLSCAN' })
  t.match(await plan({}, { a: -1 }), { stage: 'IXSCAN', direction: 'backward' })
  t.match(await plan({ b: 1 }, { c: 1 }), { stage: 'SORT', inputStage: { stage: 'COLLSCAN' } })
})

t.test('a partial index is used where the filter says what its documents meet', async (t) => {
  const partialFilterExpression = { gone: { $eq: null }, n: { $gte: 5 }, name: { $exists: true } }
  await db.collection('p').createIndex({ a: 1 }, { partialFilterExpression })
  const stage = async (filter: object) =>
    (await db.collection('p').find(filter).explain()).queryPlanner.winningPlan.stage as string
  const own = { a: 1, gone: null, n: { $gte: 5 }, name: 'x' }
  for (const filter of [own, { ...own, n: 7 }, { ...own, name: { $gt: 'b' } }, { $and: [own, { b: { $ne: 1 } }] }])
    t.equal(await stage(filter), 'IXSCAN', JSON.stringify(filter))
  const { gone: _gone, ...others } = own
  const wider = [
    others,
    { ...own, gone: { $ne: null } },
    { ...own, n: { $gte: 4 } },
    { ...own, n: 4 },
    { ...own, n: 'x' }
  ]
  for (const filter of [
    ...wider,
    { ...own, name: null },
    { ...own, name: { $in: ['x', null] } },
    { $or: [own, { a: 2 }] }
  ])
    t.equal(await stage(filter), 'COLLSCAN', JSON.stringify(filter))
  await db.collection('p').dropIndexes()
  await db.collection('p').createIndex({ a: 1 }, { partialFilterExpression: { $or: [{ gone: null }, { n: 1 }] } })
  t.equal(await stage({ a: 1, gone: null }), 'COLLSCAN', 'one that is not understood')
})

t.test('in a transaction: definitions are refused (263), and end it', async (t) => {
  const session = client.startSession()
  session.startTransaction()
  await db.collection<{ _id: number }>('c').insertOne({ _id: 9 }, { session })
  await t.rejects(db.command({ drop: 'c' }, { session }), { code: 263 })
  await session.abortTransaction()
  await session.endSession()
  t.equal(await db.collection<{ _id: number }>('c').findOne({ _id: 9 }), null)
})

t.test('a drop waits for the transaction that has changes there', async (t) => {
  const session = client.startSession()
  session.startTransaction()
  await db.collection<{ _id: number }>('w').insertOne({ _id: 1 }, { session })
  const dropped = db.collection('w').drop()
  await session.commitTransaction()
  t.equal(await dropped, true)
  t.strictSame(await db.listCollections({ name: 'w' }).toArray(), [])
  await session.endSession()
})
