/** Metrics: closed unless somebody is let in, of this application alone, and of a bounded number of series. */
import { channel } from 'node:diagnostics_channel'
import Fastify, { type FastifyInstance } from 'fastify'
import { Counter } from 'prom-client'
import { createAccessToken } from 'svc-kernel'
import t, { type Test } from 'tap'
import svcOps, { type SvcOpsOptions } from '../../src/index.ts'

const PATH = '/svc/ops/metrics'

async function app(t: Test, options: SvcOpsOptions = {}): Promise<FastifyInstance> {
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  await fastify.register(svcOps, options)
  fastify.addHook('onRequest', async (request) => {
    const { 'x-roles': roles } = request.headers
    if (typeof roles !== 'string') return
    request.token = createAccessToken({ type: 'apikey', user: { identifier: 'scraper', roles: roles.split(',') } })
  })
  return fastify
}

function letIn(fastify: FastifyInstance): void {
  fastify.accessGate.use({
    allows: (token, requirement) =>
      requirement.every((clause) => clause.some(({ attribute }) => token.user.roles.includes(attribute)))
  })
}

async function scrape(fastify: FastifyInstance, roles = 'ROLE_SVC_ADMIN') {
  return fastify.inject({ url: PATH, headers: { 'x-roles': roles } })
}

/** The samples of one metric, as they stand. */
async function samples(fastify: FastifyInstance, name: string): Promise<string[]> {
  const text = await fastify.ops.registry.metrics()
  return text.split('\n').filter((line) => line.startsWith(name))
}

t.test('closed without a jury, without an identity, without the role', async (t) => {
  const fastify = await app(t)
  t.equal((await scrape(fastify)).statusCode, 403, 'no engine')
  letIn(fastify)
  t.equal((await fastify.inject(PATH)).statusCode, 403, 'no identity')
  t.equal((await scrape(fastify, 'ROLE_USER')).statusCode, 403, 'another role')
  t.equal((await fastify.inject({ method: 'HEAD', url: PATH })).statusCode, 403, 'HEAD too')
  const answer = await scrape(fastify)
  t.equal(answer.statusCode, 200)
  t.match(answer.headers, { 'content-type': /^text\/plain; version=0\.0\.4/, 'cache-control': 'no-store' })
  t.match(answer.body, /^# HELP /)
})

t.test('the requirement is an option', async (t) => {
  const fastify = await app(t, { metrics: { requirement: 'ROLE_SCRAPER' } })
  letIn(fastify)
  t.equal((await scrape(fastify)).statusCode, 403)
  t.equal((await scrape(fastify, 'ROLE_SCRAPER')).statusCode, 200)
})

t.test('open to the same machine, where that is asked for', async (t) => {
  const fastify = await app(t, { metrics: { openToLoopback: true } })
  const from = async (remoteAddress: string, headers: Record<string, string> = {}) => {
    const sent = { host: 'localhost:5151', ...headers }
    return (await fastify.inject({ url: PATH, remoteAddress, headers: sent })).statusCode
  }
  t.equal(await from('127.0.0.1'), 200)
  t.equal(await from('10.0.0.9'), 403)
  t.equal(await from('127.0.0.1', { 'x-forwarded-for': '1.2.3.4' }), 403, 'a proxy')
  t.equal(await from('127.0.0.1', { host: 'evil.example' }), 403, 'a led browser')
})

t.test('over a real socket too', async (t) => {
  const fastify = await app(t, { metrics: { openToLoopback: true } })
  const closed = await app(t)
  const url = await fastify.listen({ port: 0, host: '127.0.0.1' })
  t.equal((await fetch(url + PATH)).status, 200)
  t.equal((await fetch(`${await closed.listen({ port: 0, host: '127.0.0.1' })}${PATH}`)).status, 403, 'off by default')
})

t.test('requests by template: paths that callers make up add no series', async (t) => {
  const fastify = await app(t)
  fastify.get('/orders/:id', async (request) => request.params)
  fastify.get('/broken', async () => {
    throw new Error('x')
  })
  for (let index = 0; index < 40; index += 1) {
    await fastify.inject(`/orders/${index}`)
    await fastify.inject(`/nowhere/${index}`)
  }
  await fastify.inject('/broken')
  t.strictSame((await samples(fastify, 'http_request_duration_seconds_count')).sort(), [
    'http_request_duration_seconds_count{method="GET",route="(unmatched)",status="404"} 40',
    'http_request_duration_seconds_count{method="GET",route="/broken",status="500"} 1',
    'http_request_duration_seconds_count{method="GET",route="/orders/:id",status="200"} 40'
  ])
})

t.test('deliveries of this application, and of no other in the process', async (t) => {
  const [mine, other] = [await app(t), await app(t)]
  const told = (name: string, message: object) => channel(`svc.webhooks.${name}`).publish(message)
  told('enqueued', { app: mine.server, endpointId: 'wh_a', type: 'login.failure' })
  told('delivered', { app: mine.server, endpointId: 'wh_a', type: 'login.failure', attempt: 1, durationMs: 40 })
  told('dropped', { app: other.server, endpointId: 'wh_b', type: 'login.failure' })
  told('dropped', { endpointId: 'wh_c' })
  told('dropped', null as never)
  const counted = await samples(mine, 'svc_webhooks_events_total')
  t.ok(counted.includes('svc_webhooks_events_total{event="enqueued"} 1'))
  t.ok(counted.includes('svc_webhooks_events_total{event="delivered"} 1'))
  t.ok(counted.includes('svc_webhooks_events_total{event="dropped"} 0'))
  t.ok((await samples(other, 'svc_webhooks_events_total')).includes('svc_webhooks_events_total{event="dropped"} 1'))
  t.ok(
    (await samples(mine, 'svc_webhooks_attempt_duration_seconds')).includes(
      'svc_webhooks_attempt_duration_seconds_bucket{le="0.05",event="delivered"} 1'
    )
  )
})

t.test('a closed application listens to nothing', async (t) => {
  const fastify = await app(t)
  t.equal(channel('svc.webhooks.dropped').hasSubscribers, true)
  await fastify.close()
  t.equal(channel('svc.webhooks.dropped').hasSubscribers, false)
})

t.test('the process', async (t) => {
  const fastify = await app(t)
  const text = await fastify.ops.registry.metrics()
  for (const name of ['process_cpu_seconds_total', 'process_resident_memory_bytes', 'nodejs_heap_used_bytes']) {
    t.ok(Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1]) > 0, name)
  }
  t.match(text, /^nodejs_eventloop_delay_p99_seconds \d/m)
})

t.test('each section can be switched off', async (t) => {
  const off = await app(t, { metrics: { state: false, process: false, http: false, webhooks: false, jobs: false } })
  await off.inject('/x')
  t.equal((await off.ops.registry.metrics()).trim(), '')
  t.equal(channel('svc.webhooks.dropped').hasSubscribers, false)
  const none = await app(t, { metrics: { enabled: false } })
  t.equal((await none.inject(PATH)).statusCode, 404)
  t.equal((await none.ops.registry.metrics()).trim(), '')
})

t.test("metrics of the application's own", async (t) => {
  const fastify = await app(t)
  new Counter({ name: 'orders_total', help: 'Orders.', registers: [fastify.ops.registry] }).inc(3)
  t.strictSame(await samples(fastify, 'orders_total'), ['orders_total 3'])
})

t.test('readiness, each check and each queue, as they are when they are read', async (t) => {
  const fastify = await app(t, { health: { cacheMs: 0 } })
  let fails = false
  fastify.ops.addCheck('database', () => {
    if (fails) throw new Error('away')
  })
  fastify.ops.addCheck('broker', () => undefined)
  let depth = 3
  fastify.queueDepths.add('letters', () => {
    if (depth < 0) throw new Error('not connected')
    return depth
  })
  const state = async () => [
    ...(await samples(fastify, 'svc_ready')),
    ...(await samples(fastify, 'svc_health')),
    ...(await samples(fastify, 'svc_queue'))
  ]
  t.strictSame(await state(), [
    'svc_ready 1',
    'svc_health_check{check="database"} 1',
    'svc_health_check{check="broker"} 1',
    'svc_queue_depth{queue="letters"} 3'
  ])
  fails = true
  depth = -1
  t.strictSame(await state(), [
    'svc_ready 0',
    'svc_health_check{check="database"} 0',
    'svc_health_check{check="broker"} 1'
  ])
  fails = false
  depth = 0
  fastify.healthChecks.leave()
  t.strictSame((await state()).slice(0, 2), ['svc_ready 0', 'svc_health_check{check="database"} 1'], 'about to stop')
  t.strictSame(await samples(fastify, 'svc_queue'), ['svc_queue_depth{queue="letters"} 0'])
})

t.test('state can be left out', async (t) => {
  const fastify = await app(t, { metrics: { state: false } })
  t.strictSame(await samples(fastify, 'svc_ready'), [])
})
