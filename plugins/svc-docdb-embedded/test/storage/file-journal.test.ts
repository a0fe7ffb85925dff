/** What was acknowledged is in the file: after SIGKILL, after a close, never twice, and for one engine at a time. */
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MongoClient } from 'mongodb'
import t from 'tap'
import { EngineFileUnusable, startDocumentEngine } from '../../src/index.ts'
import { engineProcess } from '../support/engine-process.ts'

t.test('killed in the middle of writes, and started again', async (t) => {
  const file = join(t.testdir(), 'data.db')
  const { uri, child } = await engineProcess(t, file)
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: 500 })
  const writer = client.db('d').collection<{ _id: number; n?: number }>('c')
  await writer.createIndex({ n: 1 }, { unique: true, sparse: true })
  await client.withSession((session) =>
    session.withTransaction(() => writer.insertOne({ _id: -1, n: -1 }, { session }))
  )
  const open = client.startSession()
  open.startTransaction()
  await writer.insertOne({ _id: -2 }, { session: open })

  const acknowledged: number[] = []
  const writing = (async () => {
    for (let _id = 0; ; _id++) {
      await writer.insertOne({ _id, n: _id })
      acknowledged.push(_id)
      if (_id === 200) child.kill('SIGKILL')
    }
  })()
  await t.rejects(writing, 'the engine is gone')
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  await client.close(true)

  const again = await startDocumentEngine({ file })
  t.teardown(() => again.close())
  const reader = new MongoClient(again.uri)
  t.teardown(() => reader.close())
  const c = reader.db('d').collection<{ _id: number; n?: number }>('c')
  const ids = new Set((await c.find().toArray()).map(({ _id }) => _id))
  t.ok(acknowledged.length > 200)
  t.strictSame(
    acknowledged.filter((_id) => !ids.has(_id)),
    [],
    'nothing acknowledged is lost'
  )
  t.ok(ids.has(-1), 'the committed transaction is there')
  t.notOk(ids.has(-2), 'the open one is not')
  await t.rejects(c.insertOne({ _id: 9999, n: 5 }), { code: 11000 }, 'the unique index is there')
  t.match(await c.indexes(), [{ name: '_id_' }, { name: 'n_1', unique: true, sparse: true }])
})

t.test('what was dropped and deleted stays gone; order of insertion stays', async (t) => {
  const file = join(t.testdir(), 'data.db')
  const first = await startDocumentEngine({ file })
  const writer = await new MongoClient(first.uri).connect()
  const db = writer.db('d')
  await db.collection('gone').insertOne({})
  await db.collection('gone').drop()
  await db.collection<{ _id: number }>('kept').insertMany([{ _id: 3 }, { _id: 1 }, { _id: 2 }])
  await db.collection<{ _id: number }>('kept').deleteOne({ _id: 1 })
  await db.collection('kept').createIndex({ a: 1 })
  await db.collection('kept').dropIndex('a_1')
  await writer.close()
  await first.close()
  const second = await startDocumentEngine({ file })
  t.teardown(() => second.close())
  const reader = await new MongoClient(second.uri).connect()
  t.teardown(() => reader.close())
  t.strictSame(
    (await reader.db('d').listCollections().toArray()).map(({ name }) => name),
    ['kept']
  )
  t.strictSame(await reader.db('d').collection('kept').find().toArray(), [{ _id: 3 }, { _id: 2 }])
  t.equal((await reader.db('d').collection('kept').indexes()).length, 1)
})

t.test('a file that is in use, or is no data file, is refused and left as it is', async (t) => {
  const folder = t.testdir()
  const file = join(folder, 'data.db')
  const engine = await startDocumentEngine({ file })
  await t.rejects(startDocumentEngine({ file }), EngineFileUnusable)
  await engine.close()
  await (await startDocumentEngine({ file })).close()
  const text = join(folder, 'text.txt')
  writeFileSync(text, 'no database at all, but long enough to be read as one'.repeat(20))
  await t.rejects(startDocumentEngine({ file: text }), { code: 'SVC_ENGINE_FILE' })
  await t.rejects(startDocumentEngine({ file: join(folder, 'nowhere', 'data.db') }), { code: 'SVC_ENGINE_FILE' })
})
