/** The hourly purge: its days, its failures, its end. */
import Fastify from 'fastify'
import { inMemory } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import t, { type Test } from 'tap'
import svcAudit, { auditStore } from '../../src/index.ts'

const HOUR = 3_600_000
const turn = () => new Promise((resolve) => setImmediate(resolve))

async function setUp(t: Test, retentionDays: number, purge = async (_days: number) => 0) {
  const clock = new ManualClock()
  const lines: { readonly level: number }[] = []
  const asked: number[] = []
  const store = Object.assign(inMemory(auditStore, { clock }), {
    purge: (given: number) => {
      asked.push(given)
      return purge(given)
    }
  })
  const stream = { write: (line: string) => void lines.push(JSON.parse(line)) }
  const fastify = Fastify({ logger: { level: 'info', stream } })
  t.teardown(() => fastify.close())
  await fastify.register(svcAudit, { retentionDays, parts: { clock, stores: { audit: store } } })
  await fastify.ready()
  lines.length = 0
  return { fastify, clock, lines, asked }
}

t.test('every hour, with the days of the options', async (t) => {
  const { fastify, clock, asked, lines } = await setUp(t, 365, async () => 3)
  clock.advance(HOUR - 1)
  t.strictSame(asked, [])
  clock.advance(1)
  await turn()
  clock.advance(HOUR)
  await turn()
  t.strictSame(asked, [365, 365])
  t.match(lines, [{ level: 30, removed: 3, days: 365 }, { level: 30 }])
  await fastify.close()
  clock.advance(HOUR)
  t.strictSame([asked.length, clock.pending], [2, 0])
})

t.test('0 days: never', async (t) => {
  const { clock, asked } = await setUp(t, 0)
  clock.advance(HOUR * 10)
  await turn()
  t.strictSame([asked, clock.pending], [[], 0])
})

t.test('a purge that fails is told, and the next one comes', async (t) => {
  const { clock, asked, lines } = await setUp(t, 1, async () => {
    throw new Error('down')
  })
  clock.advance(HOUR)
  await turn()
  clock.advance(HOUR)
  await turn()
  t.equal(asked.length, 2)
  t.match(lines, [{ level: 50, code: 'SVC_AUDIT_STORE' }, { level: 50 }])
})
