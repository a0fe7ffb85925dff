/** What strict answers cost: the statements that requests send, counted. A request waits for one batch of events, and one of deliveries. */
import Fastify from 'fastify'
import svcAudit from 'svc-audit'
import svcOrm from 'svc-orm'
import svcSqlorm from 'svc-sqlorm'
import svcWebhooks from 'svc-webhooks'
import t, { type Test } from 'tap'

const EVENTS = 3
const ENDPOINTS = 2
const REQUESTS = 20

interface Writes {
  events: number
  deliveries: number
}

async function anApplication(t: Test, durability: 'relaxed' | 'strict') {
  const writes: Writes = { events: 0, deliveries: 0 }
  const write = (line: string) => {
    const text = String(JSON.parse(line).msg)
    if (text.startsWith('insert into "svc_audit_event"')) writes.events += 1
    if (text.startsWith('insert into "svc_webhook_delivery"')) writes.deliveries += 1
  }
  const fastify = Fastify({ logger: { level: 'debug', stream: { write } } })
  t.teardown(() => fastify.close())
  await fastify.register(svcOrm)
  await fastify.register(svcSqlorm, { connectors: { default: { url: 'sqlite::memory:' } }, debug: true })
  await fastify.register(svcAudit, { durability })
  // Nothing is sent: the name of the receiver is never answered.
  const parts = { lookup: () => new Promise<never>(() => {}) }
  const encryptionKey = Buffer.alloc(32, 7).toString('base64')
  await fastify.register(svcWebhooks, {
    queue: 'store',
    denyPrivateIps: false,
    encryptionKey,
    deliveryTimeoutMs: 1,
    parts
  })
  fastify.get('/', async () => {
    for (let index = 0; index < EVENTS; index += 1) {
      fastify.audit.record({ category: 'auth', action: 'login.failure', outcome: 'failure', actor: 'alice' })
    }
    return 'recorded'
  })
  await fastify.ready()
  const endpoint = { url: 'https://93.184.215.14/hook', events: ['login.*'] }
  for (let index = 0; index < ENDPOINTS; index += 1) await fastify.webhooks.create(endpoint)
  await fastify.audit.flushed()
  const begin = { ...writes }
  const sent = (): Writes => {
    return { events: writes.events - begin.events, deliveries: writes.deliveries - begin.deliveries }
  }
  return { fastify, sent }
}

t.test('a strict request waits for one write of its events, and one of the deliveries that follow', async (t) => {
  const { fastify, sent } = await anApplication(t, 'strict')
  for (let request = 1; request <= REQUESTS; request += 1) {
    await fastify.inject('/')
    t.strictSame(sent(), { events: request, deliveries: request }, 'all is stored when the answer is there')
  }
  const relaxed = await anApplication(t, 'relaxed')
  for (let request = 0; request < REQUESTS; request += 1) {
    await relaxed.fastify.inject('/')
    await relaxed.fastify.audit.flushed()
  }
  t.strictSame(relaxed.sent(), sent(), 'where requests come apart, it adds none: they are written sooner')
})

t.test('strict requests at once share their writes', async (t) => {
  const { fastify, sent } = await anApplication(t, 'strict')
  await Promise.all(Array.from({ length: REQUESTS }, () => fastify.inject('/')))
  const { events, deliveries } = sent()
  t.ok(events + deliveries <= REQUESTS, `${events} of events and ${deliveries} of deliveries for ${REQUESTS} requests`)
  const queue = await fastify.webhooks.stats()
  t.equal(queue.queue.size + queue.queue.inFlight, REQUESTS * EVENTS * ENDPOINTS)
})
