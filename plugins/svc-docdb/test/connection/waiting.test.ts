/** A server that is away for a while: operations wait for it as the driver has them wait, and no longer than they may. */
import { setTimeout as pause } from 'node:timers/promises'
import { MongoClient } from 'mongodb'
import { startDocumentEngine } from 'svc-docdb-embedded'
import { defineEntity } from 'svc-orm'
import { sessionStore } from 'svc-security/stores'
import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import { application } from '../support/application.ts'

const Note = defineEntity({ name: 'Note', schema: { text: { type: 'string' } } })

const UNAVAILABLE = { code: 'SVC_ORM_UNAVAILABLE', statusCode: 503 }

/** Waits for what another thread of work brings about. */
async function until(holds: () => boolean): Promise<void> {
  for (let turn = 0; turn < 4000 && !holds(); turn += 1) await pause(5)
}

/** With the driver's own heartbeat of ten seconds. */
function uriOf(port: number): string {
  return `mongodb://127.0.0.1:${port}/notes?replicaSet=rs0`
}

t.test('D3: what is asked while the server is known to be away is answered when it is back', async (t) => {
  const gone = await startDocumentEngine()
  const options = { connectors: { svc: { uri: uriOf(gone.port), selectionTimeoutMs: 60_000 } } }
  const fastify = await application(t, { options, entities: [Note] })
  const { store } = fastify.stores.select(sessionStore, 'docdb')
  await fastify.ready()
  const notes = fastify.orm.repository(Note)
  const [connector] = fastify.orm.connectors()
  await notes.create({ text: 'before' })
  await gone.close()
  // The first one meets the broken connection.
  const first = notes.create({ text: 'while it was away' })
  await until(() => connector?.connected === false)
  t.equal(connector?.connected, false, 'the driver knows')
  let settled = 0
  const asked = [
    first,
    notes.create({ text: 'while it was away' }),
    notes.count({ text: 'other' }),
    notes.withTransaction((inside) => inside.count({ text: 'other' })),
    store?.count({ user: 'ann' })
  ].map((answer) => Promise.resolve(answer).finally(() => (settled += 1)))
  await pause(200)
  t.equal(settled, 0, 'nobody is refused meanwhile')
  const engine = await startDocumentEngine({ port: gone.port })
  t.teardown(() => engine.close())
  t.match(await Promise.all(asked), [{ text: 'while it was away' }, { text: 'while it was away' }, 0, 0, 0])
  await fastify.close()
})

for (const selectionTimeoutMs of [150, 900]) {
  t.test(`D3: selectionTimeoutMs ${selectionTimeoutMs} is how long an operation waits`, async (t) => {
    const engine = await startDocumentEngine()
    const options = { connectors: { svc: { uri: uriOf(engine.port), selectionTimeoutMs } } }
    const fastify = await application(t, { options, entities: [Note] })
    await fastify.ready()
    const notes = fastify.orm.repository(Note)
    await engine.close()
    await t.rejects(notes.find(), UNAVAILABLE, 'it meets the broken connection')
    t.equal(fastify.orm.connectors()[0]?.connected, false, 'the driver knows')
    const start = performance.now()
    await t.rejects(notes.find(), UNAVAILABLE)
    const waitedMs = performance.now() - start
    t.ok(waitedMs > selectionTimeoutMs * 0.9, `${waitedMs} ms`)
    t.ok(waitedMs < selectionTimeoutMs + 5000, `${waitedMs} ms, not until the next heartbeat`)
    await fastify.close()
  })
}

t.test('D3: a server that comes after the boot is used by the first operation, whatever pause is on', async (t) => {
  const gone = await startDocumentEngine()
  const { port } = gone
  await gone.close()
  const options = { connectors: { svc: { uri: uriOf(port), selectionTimeoutMs: 200 } } }
  const lines: string[] = []
  // Nobody advances its clock: the next attempt in the background never comes.
  const parts = { clock: new ManualClock() }
  const fastify = await application(t, { options, parts, entities: [Note], lines })
  await fastify.ready()
  const notes = fastify.orm.repository(Note)
  await t.rejects(Promise.all([notes.find(), notes.find()]), UNAVAILABLE)
  t.equal(lines.filter((line) => line.includes('SVC_DOCDB_UNREACHABLE')).length, 1, 'the outage is logged once')
  const engine = await startDocumentEngine({ port })
  t.teardown(() => engine.close())
  t.match(await notes.create({ text: 'at once' }), { text: 'at once' })
  await fastify.close()
})

t.test('D3: a short restart costs no more errors than the bare driver has', async (t) => {
  const file = `${t.testdir({})}/notes.db`
  let engine = await startDocumentEngine({ file })
  const { port } = engine
  t.teardown(() => engine.close())
  const options = { connectors: { svc: { uri: uriOf(port) } } }
  const fastify = await application(t, { options, entities: [Note] })
  await fastify.ready()
  const notes = fastify.orm.repository(Note)
  const client = await new MongoClient(uriOf(port)).connect()
  t.teardown(() => client.close(true))
  const bare = client.db().collection('BareNote')
  const ours = { good: 0, errors: 0 }
  const theirs = { good: 0, errors: 0 }
  let writing = true

  async function write(counts: typeof ours, insert: () => Promise<unknown>): Promise<void> {
    for (let turn = 0; writing && turn < 50_000; turn += 1) {
      try {
        await insert()
        counts.good += 1
      } catch {
        counts.errors += 1
        await pause(5)
      }
    }
  }

  const callers = [1, 2, 3, 4]
  const writers = callers.flatMap(() => [
    write(ours, () => notes.create({ text: 'x' })),
    write(theirs, () => bare.insertOne({ text: 'x' }))
  ])
  await until(() => ours.good > 50 && theirs.good > 50)
  await engine.close()
  await until(() => fastify.orm.connectors()[0]?.connected === false)
  engine = await startDocumentEngine({ file, port })
  const before = { ours: ours.good, theirs: theirs.good }
  await until(() => ours.good > before.ours + 50 && theirs.good > before.theirs + 50)
  writing = false
  await Promise.all(writers)
  t.ok(ours.good > before.ours + 50, 'it goes on by itself')
  // What was under way when the server went may fail, once for each caller, on either side.
  t.ok(ours.errors <= theirs.errors + callers.length, `${ours.errors} errors, beside ${theirs.errors}`)
  await fastify.close()
})
