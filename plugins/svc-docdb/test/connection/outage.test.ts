/** A server that is not there, goes, comes back, or is no replica set: the application lives, and nothing it was told is lost. */
import { createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { startDocumentEngine } from 'svc-docdb-embedded'
import { defineEntity } from 'svc-orm'
import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import { application } from '../support/application.ts'

const Note = defineEntity({ name: 'Note', schema: { text: { type: 'string', unique: true } } })

const UNAVAILABLE = { code: 'SVC_ORM_UNAVAILABLE', statusCode: 503 }

/** A port that nobody listens on. */
function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer()
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}

/** Waits for what another thread of work brings about. */
async function until(holds: () => boolean): Promise<void> {
  for (let turn = 0; turn < 2000 && !holds(); turn += 1) await pause(5)
}

function connectors(port: number) {
  const uri = `mongodb://root:topsecret@127.0.0.1:${port}/notes?replicaSet=rs0&heartbeatFrequencyMS=500`
  return { svc: { uri: uri.replace('root:topsecret@', ''), selectionTimeoutMs: 300 } }
}

t.test('a server that is not there at boot', async (t) => {
  const port = await freePort()
  const clock = new ManualClock()
  const lines: string[] = []
  const fastify = await application(t, {
    options: { connectors: connectors(port) },
    entities: [Note],
    parts: { clock },
    lines
  })
  await fastify.ready()
  const notes = fastify.orm.repository(Note)

  await t.test('stops nobody, and is told', async (t) => {
    t.match(lines.join(''), /"level":50.*SVC_DOCDB_UNREACHABLE.*"target":"[^"]*127\.0\.0\.1/)
    t.match(await fastify.orm.connectors()[0]?.health(), { connected: false, pingMs: null, errorCount: 1 })
  })

  await t.test('operations wait for it, and answer 503', async (t) => {
    await t.rejects(notes.create({ text: 'a' }), UNAVAILABLE)
    await t.rejects(notes.find(), UNAVAILABLE)
    await t.rejects(
      fastify.orm.transaction(async () => {}),
      UNAVAILABLE
    )
  })

  await t.test('and is used when it comes', async (t) => {
    const engine = await startDocumentEngine({ port })
    t.teardown(() => engine.close())
    clock.advance(1000)
    await until(() => fastify.orm.connectors()[0]?.connected === true)
    await notes.create({ text: 'a' })
    await t.rejects(notes.create({ text: 'a' }), { code: 'SVC_ORM_UNIQUE' }, 'with its indexes')
    await fastify.close()
  })
})

t.test('credentials are in no line', async (t) => {
  const lines: string[] = []
  const uri = `mongodb://root:topsecret@127.0.0.1:${await freePort()}/notes`
  const options = { connectors: { svc: { uri, selectionTimeoutMs: 200 } }, debug: true }
  const fastify = await application(t, { options, entities: [Note], lines })
  await fastify.ready()
  t.match(lines.join(''), /SVC_DOCDB_UNREACHABLE/)
  t.notMatch(lines.join('') + JSON.stringify(await fastify.orm.connectors()[0]?.health()), /topsecret|root/)
})

t.test('a server that is restarted under load', async (t) => {
  const file = `${t.testdir({})}/notes.db`
  let engine = await startDocumentEngine({ file })
  const { port } = engine
  t.teardown(() => engine.close())
  const fastify = await application(t, { options: { connectors: connectors(port) }, entities: [Note] })
  await fastify.ready()
  const notes = fastify.orm.repository(Note)
  const acknowledged = new Set<string>()
  const outcomes = { written: 0, refused: 0, other: [] as string[] }
  let writing = true

  async function write(worker: number): Promise<void> {
    for (let index = 0; writing && index < 20_000; index += 1) {
      const text = `${worker}-${index}`
      try {
        await notes.create({ text })
        acknowledged.add(text)
        outcomes.written += 1
      } catch (error) {
        const { code } = error as { code?: string }
        if (code === UNAVAILABLE.code) outcomes.refused += 1
        else if (code !== 'SVC_ORM_UNIQUE') outcomes.other.push(String(error))
        await pause(5)
      }
    }
  }

  const workers = Promise.all(Array.from({ length: 8 }, (_, worker) => write(worker)))
  await until(() => outcomes.written > 100)
  await engine.close()
  await until(() => outcomes.refused > 20)
  engine = await startDocumentEngine({ file, port })
  const before = outcomes.written
  await until(() => outcomes.written > before + 100)
  writing = false
  await workers
  t.strictSame(outcomes.other, [], 'every failure is the one that says so')
  t.ok(outcomes.written > before, 'it recovered by itself')
  const kept = new Set((await notes.find()).map(({ text }) => text))
  t.strictSame(
    [...acknowledged].filter((text) => !kept.has(text)),
    [],
    'nothing that was acknowledged is lost'
  )
  t.ok(((await fastify.orm.connectors()[0]?.health())?.reconnectCount ?? 0) >= 1, 'and its health tells of it')
})

t.test('a standalone server', async (t) => {
  const engine = await startDocumentEngine({ mode: 'standalone' })
  t.teardown(() => engine.close())
  const options = { connectors: { svc: { uri: `mongodb://127.0.0.1:${engine.port}/notes` } } }
  const fastify = await application(t, { options, entities: [Note] })
  await fastify.ready()
  const notes = fastify.orm.repository(Note)
  await notes.create({ text: 'single writes need no replica set' })
  const error = { code: 'SVC_DOCDB_REPLICA_SET_REQUIRED', message: /replica set required/ }
  let ran = false
  await t.rejects(
    notes.withTransaction(async (inside) => {
      ran = true
      await inside.create({ text: 'never' })
    }),
    error
  )
  t.notOk(ran, 'the work is not begun')
  t.equal(await notes.count(), 1)
  await fastify.close()
})
