/** Slow statements of an application: those of its own connectors, logged, and beside the operations that waited for them. */
import { channel } from 'node:diagnostics_channel'
import { setImmediate } from 'node:timers/promises'
import Fastify from 'fastify'
import { memoryDatabase, type Table } from 'svc-stores/table'
import t, { type Test } from 'tap'
import svcOrm, { defineEntity, type SvcOrmOptions } from '../../src/index.ts'

const Note = defineEntity({ name: 'Note', schema: { title: { type: 'string' } } })

interface Line {
  readonly code?: string
  readonly [field: string]: unknown
}

/** What a driver publishes. */
function publish(facts: object): void {
  const statement = { connector: 'main', kind: 'select', table: 'note', text: 'select note', failed: false, ...facts }
  channel('svc.request.slow-statement').publish(statement)
}

/** Its statements are published as the driver of a test says. */
async function application(t: Test, flow: SvcOrmOptions['flow'], during: () => Promise<void> | void) {
  const lines: Line[] = []
  const stream = { write: (line: string) => void lines.push(JSON.parse(line) as Line) }
  const fastify = Fastify({ logger: { level: 'warn', stream } })
  t.teardown(() => fastify.close())
  await fastify.register(svcOrm, { flow: { ...flow }, parts: { entities: [Note] } })
  const database = memoryDatabase({ name: 'main' })
  const { table } = database
  database.table = ((plan) => {
    const plain = table.call(database, plan)
    const find = async (...given: Parameters<Table<object>['find']>) => {
      await during()
      return plain.find(...given)
    }
    return new Proxy(plain, {
      get: (target, name) => (name === 'find' ? find : Reflect.get(target, name).bind?.(target))
    })
  }) as typeof table
  fastify.orm.addConnector(database)
  fastify.get('/', async () => fastify.orm.repository('Note').find({}))
  await fastify.ready()
  return { fastify, slow: () => lines.filter(({ code }) => code === 'SVC_ORM_SLOW_STATEMENT') }
}

t.test('logged from the limit on, with the entity; those of others are not', async (t) => {
  const { slow } = await application(t, { slowStatementMs: 200 }, () => undefined)
  publish({ durationMs: 199 })
  publish({ durationMs: 200, rows: 5 })
  publish({ durationMs: 300, connector: 'of another application' })
  publish({ durationMs: 300, table: 'session', text: 'select session' })
  t.match(slow(), [
    { level: 40, plugin: 'svc-orm', connector: 'main', entity: 'Note', statement: 'select note', ms: 200, rows: 5 },
    { connector: 'main', table: 'session', statement: 'select session' }
  ])
  t.equal(slow().length, 2)
})

t.test('what the boot takes is no news', async (t) => {
  const lines: Line[] = []
  const stream = { write: (line: string) => void lines.push(JSON.parse(line) as Line) }
  const fastify = Fastify({ logger: { level: 'warn', stream } })
  t.teardown(() => fastify.close())
  await fastify.register(svcOrm, { parts: { entities: [Note] } })
  fastify.orm.addConnector(memoryDatabase({ name: 'main' }))
  fastify.addHook('onReady', async () => publish({ durationMs: 1000, text: 'create table' }))
  await fastify.ready()
  await setImmediate()
  publish({ durationMs: 1000 })
  t.strictSame(
    lines.map(({ statement }) => statement),
    ['select note']
  )
})

t.test('0 logs none; an application that is closed listens no more', async (t) => {
  const off = await application(t, { slowStatementMs: 0 }, () => undefined)
  publish({ durationMs: 1e6 })
  t.equal(off.slow().length, 0)
  const closed = await application(t, { slowStatementMs: 200 }, () => undefined)
  await closed.fastify.close()
  publish({ durationMs: 1e6 })
  t.equal(closed.slow().length, 0)
  t.equal(channel('svc.request.slow-statement').hasSubscribers, true, 'the first one still lists slow operations')
  await off.fastify.close()
  t.equal(channel('svc.request.slow-statement').hasSubscribers, false)
})

t.test('an operation shows the slowest of its own statements', async (t) => {
  const began = performance.now()
  const { fastify } = await application(t, { slowMs: 0, slowStatementMs: 0 }, async () => {
    publish({ durationMs: performance.now() - began + 1000, text: 'began before the operation' })
    publish({ durationMs: 1e-6, text: 'shorter' })
    publish({ durationMs: 1e-5, text: 'the slowest' })
    publish({ durationMs: 1e-4, text: 'of another table', table: 'session' })
    // Of another request, at the same time.
    await fastify.inject('/other')
  })
  t.equal((await fastify.inject('/')).statusCode, 200)
  await fastify.orm.repository('Note').find({})
  const { slow } = fastify.orm.flow().view()
  t.strictSame(
    slow.map(({ entity, operation, statement }) => [entity, operation, statement]),
    [
      ['Note', 'find', 'the slowest'],
      ['Note', 'find', 'the slowest']
    ]
  )
})

t.test('statements of other requests stay theirs', async (t) => {
  let release = () => {}
  const other = new Promise<void>((resolve) => {
    release = resolve
  })
  let calls = 0
  const { fastify } = await application(t, { slowMs: 0, slowStatementMs: 0 }, async () => {
    calls += 1
    if (calls === 1) return other
    publish({ durationMs: 1e-6, text: 'of the second' })
    release()
  })
  await Promise.all([fastify.inject('/'), fastify.inject('/')])
  const { slow } = fastify.orm.flow().view()
  t.strictSame(slow.map(({ statement }) => statement).sort(), ['of the second', undefined])
})
