/** A server that operations reach no more, while the driver still believes in it. */
import { startDocumentEngine } from 'svc-docdb-embedded'
import { defineEntity } from 'svc-orm'
import t from 'tap'
import { application } from '../support/application.ts'
import { relayTo } from '../support/relay.ts'

const Note = defineEntity({ name: 'Note', schema: { text: { type: 'string' } } })

const UNAVAILABLE = { code: 'SVC_ORM_UNAVAILABLE', statusCode: 503 }

t.test('A2: the first operation that does not reach the server says that it is gone', async (t) => {
  const engine = await startDocumentEngine()
  t.teardown(() => engine.close())
  const relay = await relayTo(t, engine.port, ['insert', 'find', 'ping', 'createIndexes'])
  const lines: string[] = []
  const uri = `mongodb://127.0.0.1:${relay.port}/notes?directConnection=true&maxIdleTimeMS=1`
  const fastify = await application(t, {
    options: { connectors: { svc: { uri, selectionTimeoutMs: 300 } } },
    entities: [Note],
    lines
  })
  await fastify.ready()
  const [connector] = fastify.orm.connectors()
  const notes = fastify.orm.repository(Note)
  await notes.create({ text: 'a' })
  const told = (pattern: RegExp) => lines.filter((line) => pattern.test(line)).length

  relay.cut()
  await t.rejects(notes.find(), UNAVAILABLE)
  t.equal(told(/"level":50.*SVC_DOCDB_LOST/), 1, 'at once')
  t.equal(connector?.connected, false)
  await t.rejects(notes.create({ text: 'b' }), UNAVAILABLE)
  await t.rejects(notes.find(), UNAVAILABLE)
  t.equal(told(/SVC_DOCDB_LOST/), 1, 'once, however many meet it')
  t.match(await connector?.health(), { connected: false, connectedSince: null, pingMs: null })

  relay.mend()
  t.equal((await notes.find()).length, 1)
  t.equal(told(/"level":30.*the document database is back/), 1, 'and the first that is answered, that it is back')
  t.match(await connector?.health(), { connected: true, connectCount: 2, reconnectCount: 1 })

  relay.cut()
  t.match(await connector?.health(), { connected: false }, 'a look at its health finds it as well')
  t.equal(told(/SVC_DOCDB_LOST/), 2)
  relay.mend()
  t.match(await connector?.health(), { connected: true })
  t.equal(told(/the document database is back/), 2)
  await fastify.close()
})
