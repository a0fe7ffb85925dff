/** Starting and closing: what is refused, what the engine says of itself, what a standalone server cannot do. */

import { once } from 'node:events'
import { createServer } from 'node:net'
import { MongoClient } from 'mongodb'
import t from 'tap'
import { type DocumentEngineOptions, startDocumentEngine } from '../src/index.ts'

const refused: readonly [options: object, code: string][] = [
  [{ production: true }, 'SVC_ENGINE_PRODUCTION'],
  [{ production: 'no' }, 'SVC_ENGINE_OPTIONS'],
  [{ host: '0.0.0.0' }, 'SVC_ENGINE_HOST'],
  [{ host: '::' }, 'SVC_ENGINE_HOST'],
  [{ port: -1 }, 'SVC_ENGINE_OPTIONS'],
  [{ port: 65_536 }, 'SVC_ENGINE_OPTIONS'],
  [{ file: '' }, 'SVC_ENGINE_OPTIONS'],
  [{ mode: 'sharded' }, 'SVC_ENGINE_OPTIONS'],
  [{ filename: 'x' }, 'SVC_ENGINE_OPTIONS']
]

for (const [options, code] of refused) {
  t.test(`refused: ${JSON.stringify(options)}`, (t) =>
    t.rejects(startDocumentEngine(options as DocumentEngineOptions), { code })
  )
}

t.test('a port that is taken', async (t) => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  t.teardown(() => other.close())
  const address = other.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  await t.rejects(startDocumentEngine({ port }), { code: 'SVC_ENGINE_PORT' })
})

t.test('closing twice, with a client connected', async (t) => {
  const engine = await startDocumentEngine({ host: 'localhost' })
  const client = await new MongoClient(engine.uri, { serverSelectionTimeoutMS: 200 }).connect()
  t.equal(engine.uri, `mongodb://127.0.0.1:${engine.port}/?replicaSet=rs0`)
  await Promise.all([engine.close(), engine.close()])
  await t.rejects(client.db('d').command({ ping: 1 }))
  await client.close()
})

t.test('a standalone engine: reads and writes, but no transactions (20)', async (t) => {
  const engine = await startDocumentEngine({ mode: 'standalone' })
  t.teardown(() => engine.close())
  const client = await new MongoClient(engine.uri).connect()
  t.teardown(() => client.close())
  const c = client.db('d').collection<{ _id: number }>('c')
  await c.insertOne({ _id: 1 })
  const inside = (run: (options: { session: ReturnType<MongoClient['startSession']> }) => Promise<unknown>) =>
    client.withSession(async (session) => {
      session.startTransaction()
      try {
        await run({ session })
      } finally {
        await session.abortTransaction()
      }
    })
  await t.rejects(
    inside((options) => c.findOne({}, options)),
    { code: 20 }
  )
  const write = inside((options) => c.insertOne({ _id: 2 }, options))
  // The driver replaces the failure of a write by one of its own.
  t.match(await write.catch((error: unknown) => error), { originalError: { code: 20 } })
  t.equal(await c.countDocuments(), 1)
})

t.test('what it says of itself', async (t) => {
  const engine = await startDocumentEngine()
  t.teardown(() => engine.close())
  const client = await new MongoClient(engine.uri).connect()
  t.teardown(() => client.close())
  const admin = client.db('admin')
  t.match(await admin.command({ hello: 1 }), { isWritablePrimary: true, setName: 'rs0', maxBsonObjectSize: 16_777_216 })
  t.match(await admin.command({ buildInfo: 1 }), { modules: ['svc-docdb-embedded'] })
  t.match(await admin.command({ serverStatus: 1 }), {
    process: 'svc-docdb-embedded',
    storageEngine: { persistent: false }
  })
  t.match((await admin.command({ listDatabases: 1 })).databases, [])
})

t.test('authentication is refused by name', async (t) => {
  const engine = await startDocumentEngine()
  t.teardown(() => engine.close())
  const client = new MongoClient(engine.uri.replace('mongodb://', 'mongodb://user:word@'), {
    serverSelectionTimeoutMS: 500
  })
  t.teardown(() => client.close())
  await t.rejects(client.connect(), /no authentication/)
})
