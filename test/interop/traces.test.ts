/**
 * The decision is in the trace: a refused request shows its zone, authenticator and votes with their reasons; a granted one
 * its plan, its statement, and the job and the webhook that followed, linked.
 */
import { join } from 'node:path'
import { FastifyOtelInstrumentation } from '@fastify/otel'
import type { FastifyInstance } from 'fastify'
import svcDecorators, { Ctx, controller, Get, IsGranted, Post, WebSocket } from 'svc-decorators'
import svcOrm, { defineEntity } from 'svc-orm'
import svcOtel from 'svc-otel'
import t, { type Test } from 'tap'
import { HookedApp, LOCAL } from '../support/hooked-app.ts'
import { recordSpans } from '../support/recorded-spans.ts'
import { SocketClient } from '../support/socket-client.ts'
import { until } from '../support/until.ts'

const Order = defineEntity({ name: 'Order', schema: { item: { type: 'string' } } })

@controller('/in/orders')
class Orders {
  readonly #fastify: FastifyInstance

  constructor(fastify: FastifyInstance) {
    this.#fastify = fastify
  }

  @Post()
  @IsGranted('ROLE_USER')
  async buy(): Promise<unknown> {
    const { item } = await this.#fastify.orm.repository(Order).create({ item: 'hunter2' })
    this.#fastify.audit.record({ category: 'config', action: 'config.update', outcome: 'success', actor: 'root' })
    return { item }
  }

  @Get(':id')
  @IsGranted('ROLE_EDITOR')
  read(): unknown {
    return {}
  }

  @WebSocket('live')
  live(@Ctx() _context: unknown): unknown {
    return { lived: true }
  }
}

async function tracedApp(t: Test) {
  const spans = recordSpans(t)
  const app = await HookedApp.start(t, {
    webhooks: LOCAL,
    database: join(t.testdir(), 'app.db'),
    areas: { in: { pattern: '^/in', authenticators: ['session'] } },
    first: [[svcOrm, { parts: { entities: [Order] } }]],
    modules: [svcOtel, [svcDecorators, { controllers: [Orders] }]]
  })
  return { app, spans }
}

t.test('a refused request shows who was let in, and each vote', async (t) => {
  const { app, spans } = await tracedApp(t)
  const paul = await app.login('paul')
  spans.clear()
  t.equal((await paul.browser.call('GET', '/in/orders/7')).status, 403)
  const request = await until(() => spans.named('GET /in/orders/:id') ?? null, 'the request')
  t.match(request.attributes, {
    'http.response.status_code': 403,
    'svc.zone': 'in',
    'svc.authenticator': 'session',
    'svc.admission.outcome': 'accepted'
  })
  const tree = spans.tree(request).filter((line) => !line.includes('svc_'))
  t.strictSame(tree, ['GET /in/orders/:id', '  admission in', '  decision ROLE_EDITOR', '    vote role ABSTAIN'])
  t.match(spans.named('decision ROLE_EDITOR')?.attributes, {
    'svc.decision.granted': false,
    'svc.decision.reason': 'abstain'
  })
  t.match(spans.named('vote role ABSTAIN')?.attributes, { 'svc.vote.voter': 'role', 'svc.vote.reason': /ROLE_EDITOR/ })
})

t.test('a granted request shows what it did, and what followed is linked', async (t) => {
  const { app, spans } = await tracedApp(t)
  const admin = await app.login()
  const paul = await app.login('paul')
  await admin.register(`${app.sink}/status/200`)
  const sent = { ...(await paul.browser.csrf()), 'content-type': 'application/json' }
  spans.clear()
  t.equal((await paul.browser.call('POST', '/in/orders', sent, '{}')).status, 200)
  const request = await until(() => spans.named('POST /in/orders') ?? null, 'the request')
  const delivery = await until(() => spans.named('POST config.update') ?? null, 'the delivery')
  const job = await until(() => spans.named('process webhooks') ?? null, 'the job')
  t.strictSame(
    spans.tree(request).filter((line) => !line.includes('svc_')),
    [
      'POST /in/orders',
      '  admission in',
      '  decision ROLE_USER',
      '    vote role GRANT',
      '  Orders.buy',
      '    create Order',
      '      insert order',
      '    send webhooks'
    ]
  )
  t.match(spans.named('Orders.buy')?.attributes, { 'code.function.name': 'Orders.buy' })
  t.match(spans.named('insert order')?.attributes, { 'db.system.name': 'sqlite', 'db.collection.name': 'order' })
  t.match(spans.named('send webhooks')?.events, [], 'no event of its own')
  const producer = spans.named('send webhooks')?.spanContext()
  t.match(job.links, [{ context: { traceId: producer?.traceId, spanId: producer?.spanId } }])
  t.not(job.spanContext().traceId, producer?.traceId, 'a job is a trace of its own')
  t.equal(delivery.parentSpanContext?.spanId, job.spanContext().spanId)
  t.match(delivery.attributes, { 'http.response.status_code': 200, 'svc.queue.attempt': 1 })
  const [received] = await until(async () => {
    const messages = await app.received()
    return messages.length > 0 ? messages : null
  }, 'the message')
  const { traceId, spanId } = delivery.spanContext()
  t.equal(received.headers.traceparent, `00-${traceId}-${spanId}-01`, 'the receiver can continue')
  const text = JSON.stringify(spans.all().map(({ name, attributes, events }) => [name, attributes, events]))
  t.notMatch(text, 'hunter2')
})

t.test('a message of a socket is a trace of its own, linked to the upgrade', async (t) => {
  const { app, spans } = await tracedApp(t)
  const paul = await app.login('paul')
  const { cookie } = paul.browser
  spans.clear()
  const socket = await SocketClient.opened(app.port, '/in/orders/live', {
    cookie,
    origin: `http://127.0.0.1:${app.port}`
  })
  socket.ws.send('{}')
  t.strictSame(await socket.next(), { lived: true })
  const frame = await until(() => spans.named('message /in/orders/live') ?? null, 'the frame')
  const upgrade = await until(() => spans.named('GET /in/orders/live') ?? null, 'the upgrade')
  t.equal(upgrade.attributes['http.response.status_code'], 101)
  const tree = spans.tree(frame).filter((line) => !line.includes('svc_'))
  t.strictSame(tree, ['message /in/orders/live', '  Orders.live'])
  t.match(frame.links, [{ context: { spanId: upgrade.spanContext().spanId } }])
  await socket.close()
})

t.test(
  'without an SDK a trace of the caller reaches the log, the journal, a stored job and the receiver',
  async (t) => {
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
    const traceparent = `00-${traceId}-00f067aa0ba902b7-01`
    const app = await HookedApp.start(t, {
      webhooks: { ...LOCAL, queue: 'store' },
      database: join(t.testdir(), 'app.db'),
      areas: { in: { pattern: '^/in', authenticators: ['session'] } },
      first: [[svcOrm, { parts: { entities: [Order] } }]],
      modules: [[svcDecorators, { controllers: [Orders] }]]
    })
    const admin = await app.login()
    const paul = await app.login('paul')
    await admin.register(`${app.sink}/status/200`)
    const sent = { ...(await paul.browser.csrf()), 'content-type': 'application/json', traceparent }
    t.equal((await paul.browser.call('POST', '/in/orders', sent, '{}')).status, 200)
    const refused = await paul.browser.call('GET', '/in/orders/7', { traceparent })
    t.match(JSON.parse(refused.body), { code: 'SVC_SEC_DENIED', traceId })
    const [received] = await until(async () => {
      const messages = await app.received()
      return messages.length > 0 ? messages : null
    }, 'the message')
    t.equal(received.headers.traceparent, traceparent)
    const [event] = app.fastify.audit.recent(100).filter(({ action }) => action === 'config.update')
    t.equal(event?.metadata.traceId, traceId)
    const lines = app.lines.filter((line) => (line as { traceId?: string }).traceId === traceId)
    t.ok(lines.some(({ msg }) => msg === 'request completed'))
  }
)

t.test('beside @fastify/otel there is one server span, and what svc knows is below it', async (t) => {
  const spans = recordSpans(t)
  const instrumentation = new FastifyOtelInstrumentation({ registerOnInitialization: true })
  instrumentation.setTracerProvider(spans.provider)
  t.teardown(() => instrumentation.disable())
  const app = await HookedApp.start(t, {
    areas: { in: { pattern: '^/in', authenticators: ['session', 'anonymous'] } },
    modules: [svcOtel, async (fastify: FastifyInstance) => void fastify.get('/in/plain', async () => 'plain')]
  })
  spans.clear()
  await app.fastify.inject('/in/plain')
  const request = spans.named('request')
  t.match(request?.attributes, { 'http.route': '/in/plain', 'svc.zone': 'in' })
  t.equal(spans.named('GET /in/plain'), undefined)
  const admission = spans.named('admission in')
  t.equal(admission?.spanContext().traceId, request?.spanContext().traceId)
})
