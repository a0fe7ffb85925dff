/** Plugins that read, count or follow requests. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { context } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { WebSocketServer } from 'ws'
import { portOf } from '../../support/ports.ts'
import { rawExchange, rawRequest, rawUpgrade } from '../../support/raw-http.ts'
import { until } from '../../support/until.ts'
import type { Neighbour } from './neighbour.ts'

const formbody: Neighbour = {
  name: '@fastify/formbody',
  register: (scope, plugin) => scope.register(plugin),
  routes: (scope, at) => void scope.post(`${at}/form`, async ({ body }) => body),
  async holds(t, { at, caller }) {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await caller.ask(`${at}/form`, { body: 'a=1&b=two+words', headers })
    t.strictSame(answer.json(), { a: '1', b: 'two words' })
  },
  note: 'The routes of svc-security take JSON only; a form is 415.'
}

interface Part {
  filename: string
  toBuffer(): Promise<Buffer>
}

const multipart: Neighbour = {
  name: '@fastify/multipart',
  register: (scope, plugin) => scope.register(plugin, { limits: { fileSize: 100 } }),
  routes(scope, at) {
    scope.post(`${at}/upload`, async (request) => {
      const part = await request.getDecorator<() => Promise<Part>>('file')()
      return { name: part.filename, size: (await part.toBuffer()).length }
    })
  },
  async holds(t, { at, caller }) {
    const form = (size: number) => {
      const body = new FormData()
      body.append('file', new Blob(['x'.repeat(size)]), 'x.txt')
      return { body }
    }
    t.strictSame((await caller.ask(`${at}/upload`, form(60))).json(), { name: 'x.txt', size: 60 })
    t.equal((await caller.ask(`${at}/upload`, form(200))).status, 413)
  },
  note: 'Guards decide before the first byte of an upload is read.'
}

/** Two requests of each address to a route of its own. */
const rateLimit: Neighbour = {
  name: '@fastify/rate-limit',
  register: (scope, plugin) => scope.register(plugin, { global: false }),
  routes(scope, at) {
    const config = { rateLimit: { max: 2, timeWindow: 600_000 } }
    scope.get(`${at}/rare`, { config }, async () => 'once in a while')
  },
  async holds(t, { at, caller, fastify }) {
    for (let count = 1; at === '/in' && count <= 3; count += 1) {
      const { status } = await rawExchange(portOf(fastify.server), rawRequest('GET', '/in/rare'))
      t.equal(status, 401, 'strangers are not counted')
    }
    for (const remaining of ['1', '0']) {
      const answer = await caller.ask(`${at}/rare`)
      t.strictSame([answer.status, answer.headers.get('x-ratelimit-remaining')], [200, remaining])
    }
    const refused = await caller.ask(`${at}/rare`)
    t.match(refused.json(), { statusCode: 429, error: 'Too Many Requests' })
    t.ok(refused.headers.get('retry-after'))
  },
  note: 'It counts requests that the firewall let through, in any order. Logins have their own throttle.'
}

/** Under pressure from the first look on: the server takes it, one route does not. */
const underPressure: Neighbour = {
  name: '@fastify/under-pressure',
  register: (scope, plugin) =>
    scope.register(plugin, {
      maxHeapUsedBytes: 1,
      sampleInterval: 1,
      exposeStatusRoute: '/open/status',
      pressureHandler
    }),
  routes(scope, at) {
    const config = {
      pressureHandler: (_request: FastifyRequest, reply: FastifyReply) => void reply.code(503).send('busy')
    }
    scope.get(`${at}/busy`, { config }, async () => 'never')
    scope.get(`${at}/memory`, async () => Object.keys(scope.getDecorator<() => object>('memoryUsage')()))
  },
  async holds(t, { at, caller }) {
    // It looks for the first time a moment after the start.
    const refused = await until(async () => {
      const answer = await caller.ask(`${at}/busy`)
      return answer.status === 503 ? answer : null
    }, 'the first look at the memory')
    t.equal(refused.text, 'busy')
    t.match((await caller.ask('/open/status')).json(), { status: 'ok' })
    t.ok((await caller.ask(`${at}/memory`)).json().includes('heapUsed'))
  },
  note: 'Registered before svc-security, it refuses load before a password is checked. svc-ops has health routes too.'
}

function pressureHandler(): void {
  // The request goes on.
}

interface Store {
  get(key: string): unknown
  set(key: string, value: unknown): void
}

const requestContext: Neighbour = {
  name: '@fastify/request-context',
  register: (scope, plugin) => scope.register(plugin, { defaultStoreValues: { seen: 'nobody' } }),
  routes(scope, at) {
    const store = () => scope.getDecorator<Store>('requestContext')
    const onRequest = async (request: FastifyRequest) => store().set('seen', request.user?.identifier ?? 'nobody')
    scope.post(`${at}/context`, { onRequest }, async () => ({ seen: store().get('seen') }))
  },
  async holds(t, { at, caller }) {
    const answer = await caller.ask(`${at}/context`, { body: { some: 'body' } })
    t.strictSame(answer.json(), { seen: at === '/in' ? 'alice' : 'nobody' })
  },
  note: '`currentUser()` and its store are two contexts of one request; neither hides the other.'
}

const autoload: Neighbour = {
  name: '@fastify/autoload',
  register(scope, plugin, { t }) {
    const route = (name: string) => `export default async (scope) => { scope.get('/', async () => '${name}') }`
    const dir = t.testdir({
      'package.json': '{ "type": "module" }',
      routes: { open: { loaded: { 'index.js': route('one') } }, in: { loaded: { 'index.js': route('two') } } }
    })
    return scope.register(plugin, { dir: `${dir}/routes` })
  },
  async holds(t, { caller, fastify, at }) {
    t.equal((await caller.ask('/open/loaded')).text, 'one')
    t.equal((await caller.ask('/in/loaded')).status, at === '/in' ? 200 : 401)
    t.ok(fastify.hasRoute({ method: 'GET', url: '/in/loaded' }))
  },
  note: 'Wrap files of `plugins/` in `fp`. Register several svc plugins in one file, in order.'
}

const metrics: Neighbour = {
  name: 'fastify-metrics',
  register: (scope, plugin) =>
    scope.register(plugin, {
      endpoint: '/open/metrics',
      defaultMetrics: { enabled: false },
      routeMetrics: { enabled: true },
      clearRegisterOnInit: true
    }),
  routes: (scope, at) => void scope.get(`${at}/counted`, async () => 'one'),
  async holds(t, { at, caller }) {
    await caller.ask(`${at}/counted`)
    t.match((await caller.ask('/open/metrics')).text, new RegExp(`route="${at}/counted"`))
  },
  note: 'svc-ops has metrics behind a role; use one of the two.'
}

const spans = new InMemorySpanExporter()

const otel: Neighbour = {
  name: '@fastify/otel',
  register(scope, { FastifyOtelInstrumentation }, { t }) {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
    t.teardown(() => context.disable())
    const instrumentation = new FastifyOtelInstrumentation()
    instrumentation.setTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }))
    return scope.register(instrumentation.plugin())
  },
  routes(scope, at) {
    scope.get(`${at}/traced`, async (request) => {
      const { span } = request.getDecorator<() => { span: { spanContext(): { traceId: string } } }>('opentelemetry')()
      return span.spanContext().traceId
    })
  },
  async holds(t, { at, caller }) {
    spans.reset()
    const traceId = (await caller.ask(`${at}/traced`)).text
    t.match(traceId, /^[0-9a-f]{32}$/)
    const named = spans.getFinishedSpans().filter((span) => span.spanContext().traceId === traceId)
    t.ok(named.some(({ attributes }) => attributes['http.route'] === `${at}/traced`))
  },
  note: ''
}

/** Another server behind ours: it says what reached it. */
const httpProxy: Neighbour = {
  name: '@fastify/http-proxy',
  async service(t) {
    const upstream = createServer(({ method, url }, response) => response.end(`${method} ${url}`))
    upstream.listen(0, '127.0.0.1')
    await once(upstream, 'listening')
    const sockets = new WebSocketServer({ server: upstream })
    sockets.on('connection', (socket) => {
      socket.on('message', (message) => socket.send(JSON.stringify({ behind: JSON.parse(String(message)) })))
    })
    t.teardown(() => {
      for (const client of sockets.clients) client.terminate()
      upstream.close()
    })
    return `http://127.0.0.1:${portOf(upstream)}`
  },
  async register(scope, plugin, { address }) {
    for (const prefix of ['/open/behind', '/in/behind']) {
      await scope.register(plugin, { upstream: address, prefix, rewritePrefix: '/shop', websocket: true })
    }
  },
  async holds(t, { at, caller, fastify }) {
    t.equal((await caller.ask('/open/behind/a?b=c')).text, 'GET /shop/a?b=c')
    t.equal((await caller.ask('/open/behind/a', { body: { x: 1 } })).text, 'POST /shop/a')
    t.strictSame(await caller.talk('/open/behind/a', 'hi'), { behind: 'hi' })
    if (at === '/in') {
      t.equal((await caller.ask('/in/behind/a')).text, 'GET /shop/a')
      t.strictSame(await caller.talk('/in/behind/a', 'hi'), { behind: 'hi' })
    }
    t.equal((await rawExchange(portOf(fastify.server), rawUpgrade('/in/behind/a'))).status, 401)
    const targets = [
      '/in/behind',
      '/in/behind/a',
      '/in/behind//a',
      '/in/behind/%2e%2e/a',
      '/%69n/behind/a',
      '/in/behind/..;/a'
    ]
    for (const target of targets) {
      const { status, text } = await rawExchange(portOf(fastify.server), rawRequest('GET', target))
      t.equal(status, 401, `${target}: ${text}`)
    }
  },
  note: 'A zone covers everything behind its path, WebSockets too. The session cookie is sent to the other server.'
}

const websocket: Neighbour = {
  name: '@fastify/websocket',
  register: (scope, plugin) => scope.register(plugin, { options: { maxPayload: 1024 } }),
  async holds(t, { fastify, order }) {
    if (order === 'before') t.equal(fastify.websocketServer.options.maxPayload, 1024, 'its settings are kept')
  },
  note: ''
}

export const requests: readonly Neighbour[] = [
  formbody,
  multipart,
  rateLimit,
  underPressure,
  requestContext,
  autoload,
  metrics,
  otel,
  httpProxy,
  websocket
]
