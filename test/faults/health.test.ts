/**
 * Readiness follows the database by itself, whatever the order of registration and without any other traffic: no check
 * is written by the application. Liveness does not follow it.
 */
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import Fastify, { type FastifyInstance } from 'fastify'
import svcDocdb from 'svc-docdb'
import { startDocumentEngine } from 'svc-docdb-embedded'
import svcOps from 'svc-ops'
import { sessionStore } from 'svc-security/stores'
import svcSqlorm from 'svc-sqlorm'
import svcStores, { inMemory } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import t, { type Test } from 'tap'

const OK = [200, '{"status":"ok"}']
const FAILING = [503, '{"status":"failing"}']

type Register = (fastify: FastifyInstance) => PromiseLike<unknown>

interface Setting {
  readonly opsFirst: boolean
  readonly lines?: Record<string, unknown>[]
}

async function app(t: Test, driver: Register, { opsFirst, lines = [] }: Setting): Promise<FastifyInstance> {
  const stream = { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) }
  const fastify = Fastify({ logger: { level: 'info', stream }, disableRequestLogging: true })
  t.teardown(() => fastify.close())
  if (opsFirst) await fastify.register(svcOps)
  await driver(fastify)
  if (!opsFirst) await fastify.register(svcOps)
  await fastify.ready()
  return fastify
}

async function ask(fastify: FastifyInstance, path: string): Promise<unknown[]> {
  const { statusCode, body } = await fastify.inject(`/svc/ops/health${path}`)
  return [statusCode, body]
}

/** As a balancer does: nothing but the question, five times a second. @returns how long it took, in ms */
async function turns(fastify: FastifyInstance, status: number): Promise<number> {
  const start = performance.now()
  for (let turn = 0; turn < 300; turn += 1) {
    if ((await ask(fastify, '/ready'))[0] === status) return performance.now() - start
    await pause(200)
  }
  throw new Error(`never ${status}`)
}

/** They wait most of the time: at once, beside each other. */
t.jobs = 4
const ASIDE = { timeout: 120_000, buffered: true }

/** Far below every pause of a driver that nobody asks: the heartbeat of 10 s, the retry of up to 30 s. */
const SOON_MS = 6000

async function follows(t: Test, fastify: FastifyInstance, leave: () => unknown, comeBack: () => unknown) {
  t.strictSame(await ask(fastify, '/ready'), OK)
  await leave()
  const red = await turns(fastify, 503)
  t.strictSame(await ask(fastify, '/ready'), FAILING, 'one word, and no address')
  t.strictSame(await ask(fastify, ''), FAILING, 'the older name')
  t.strictSame(await ask(fastify, '/live'), OK, 'the process is well')
  // Long enough for what looks less and less often.
  await pause(3000)
  await comeBack()
  const green = await turns(fastify, 200)
  t.comment(`red after ${Math.round(red)} ms, green after ${Math.round(green)} ms`)
  t.ok(red < SOON_MS, 'red soon')
  t.ok(green < SOON_MS, 'green soon')
  t.strictSame(await ask(fastify, ''), OK)
}

for (const opsFirst of [true, false]) {
  const order = opsFirst ? 'svc-ops first' : 'svc-ops last'

  t.test(`R3: documents, ${order}`, ASIDE, async (t) => {
    let engine = await startDocumentEngine()
    t.teardown(() => engine.close())
    const { port } = engine
    const uri = `mongodb://127.0.0.1:${port}/shop?replicaSet=rs0`
    const lines: Record<string, unknown>[] = []
    const driver: Register = (fastify) => fastify.register(svcDocdb, { connectors: { svc: { uri } } })
    const fastify = await app(t, driver, { opsFirst, lines })
    const leave = () => engine.close()
    await follows(t, fastify, leave, async () => {
      engine = await startDocumentEngine({ port })
    })
    const failures = lines.filter(({ code }) => code === 'SVC_OPS_UNHEALTHY')
    t.equal(failures.length, 1, 'one line for the whole outage')
    t.match(failures, [{ check: 'database svc' }])
    await fastify.close()
  })

  t.test(`R3: a file that another process holds at boot, ${order}`, ASIDE, async (t) => {
    const path = `${t.testdir({})}/shop.db`
    const other = new DatabaseSync(path)
    t.teardown(() => other.isOpen && other.close())
    other.exec('pragma locking_mode = exclusive; begin exclusive')
    const connectors = { default: { url: `sqlite:${path}`, waitMs: 20 } }
    const driver: Register = (fastify) => fastify.register(svcSqlorm, { connectors })
    const fastify = await app(t, driver, { opsFirst })
    t.strictSame(await ask(fastify, '/ready'), FAILING)
    t.strictSame(await ask(fastify, '/live'), OK)
    // The pauses between the tries of the connector grow meanwhile.
    await pause(3000)
    other.exec('commit')
    other.close()
    t.ok((await turns(fastify, 200)) < SOON_MS, 'asked for, it is tried at once')
    await fastify.close()
  })
}

/** A store of the application's own, around one in memory. */
function breakableSessions() {
  const session = inMemory(sessionStore, { clock: new ManualClock() })
  const find = session.find.bind(session)
  const fault = { broken: false }
  session.find = async (id) => {
    if (fault.broken) throw new Error('10.0.0.7 refused')
    return find(id)
  }
  return { session, fault }
}

t.test('R3: a store of the application is checked too', async (t) => {
  const { session, fault } = breakableSessions()
  const driver: Register = async (fastify) => {
    await fastify.register(svcStores, { parts: { stores: { session } } })
    fastify.stores.select(sessionStore, 'auto')
  }
  const fastify = await app(t, driver, { opsFirst: true })
  t.strictSame(await ask(fastify, '/ready'), OK)
  fault.broken = true
  await turns(fastify, 503)
  fault.broken = false
  await turns(fastify, 200)
})
