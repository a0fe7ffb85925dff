/** The server span of a request: its name, attributes and end, what it continues, and what it joins. */
import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import svcOtel, { type SvcOtelOptions } from '../src/index.ts'
import { Sdk } from './support/sdk.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const SPAN = '00f067aa0ba902b7'
const HEADER = `00-${TRACE}-${SPAN}-01`

async function traced(t: Test, options: SvcOtelOptions = {}): Promise<FastifyInstance> {
  const fastify = Fastify({ logger: false })
  t.teardown(() => fastify.close())
  await fastify.register(svcOtel, options)
  fastify.get('/notes/:id', async () => {
    await null
    return trace.getActiveSpan()?.spanContext()
  })
  fastify.get('/fails', async () => {
    throw Object.assign(new Error('password hunter2 is wrong'), { code: 'SVC_TEST_BROKEN' })
  })
  fastify.get('/missing', async () => {
    throw Object.assign(new Error('none'), { statusCode: 404, code: 'SVC_TEST_MISSING' })
  })
  return fastify
}

t.test('its name is method and route; an answer below 500 is no error', async (t) => {
  const sdk = new Sdk(t)
  const fastify = await traced(t)
  const active = (await fastify.inject('/notes/7?token=hunter2')).json()
  const span = sdk.named('GET /notes/:id')
  t.equal(active.spanId, span.spanContext().spanId, 'it is active in the handler')
  t.equal(span.kind, SpanKind.SERVER)
  t.strictSame(
    { ...span.attributes },
    {
      'http.request.method': 'GET',
      'http.route': '/notes/:id',
      'http.response.status_code': 200,
      'url.scheme': 'http',
      'network.protocol.version': '1.1'
    }
  )
  await fastify.inject('/missing')
  t.match(sdk.named('GET /missing'), {
    status: { code: SpanStatusCode.UNSET },
    attributes: { 'http.response.status_code': 404, 'error.type': undefined }
  })
  await fastify.inject('/nowhere')
  t.match(sdk.named('GET'), { attributes: { 'http.response.status_code': 404, 'http.route': undefined } })
})

t.test('a failure has the code of its error, and never its message', async (t) => {
  const sdk = new Sdk(t)
  const fastify = await traced(t)
  await fastify.inject('/fails')
  const span = sdk.named('GET /fails')
  t.match(span, { status: { code: SpanStatusCode.ERROR }, attributes: { 'error.type': 'SVC_TEST_BROKEN' } })
  t.notMatch(JSON.stringify([span.attributes, span.status, span.events]), 'hunter2')
})

t.test('an incoming traceparent is continued, linked or ignored', async (t) => {
  const sdk = new Sdk(t)
  const ask = async (options: SvcOtelOptions, traceparent: string) => {
    const fastify = await traced(t, options)
    const active = (await fastify.inject({ url: '/notes/7', headers: { traceparent } })).json()
    const span = sdk.named('GET /notes/:id')
    sdk.clear()
    await fastify.close()
    t.equal(span.spanContext().traceId, active.traceId)
    return {
      continues: active.traceId === TRACE && span.parentSpanContext?.spanId === SPAN,
      links: span.links.map((link) => `${link.context.traceId} ${link.context.spanId}`)
    }
  }
  t.strictSame(await ask({}, HEADER), { continues: true, links: [] })
  t.strictSame(await ask({ incoming: 'parent' }, HEADER), { continues: true, links: [] })
  t.strictSame(await ask({ incoming: 'link' }, HEADER), { continues: false, links: [`${TRACE} ${SPAN}`] })
  t.strictSame(await ask({ incoming: 'ignore' }, HEADER), { continues: false, links: [] })
  for (const malformed of ['nonsense', `00-${'0'.repeat(32)}-${SPAN}-01`, `ff-${TRACE}-${SPAN}-01`, `${HEADER}-more`]) {
    for (const incoming of ['parent', 'link'] as const) {
      t.strictSame(await ask({ incoming }, malformed), { continues: false, links: [] }, `${incoming} ${malformed}`)
    }
  }
})

t.test('a caller that did not sample is followed', async (t) => {
  const sdk = new Sdk(t)
  const fastify = await traced(t)
  const unsampled = `00-${TRACE}-${SPAN}-00`
  const active = (await fastify.inject({ url: '/notes/7', headers: { traceparent: unsampled } })).json()
  t.equal(active.traceId, TRACE)
  t.strictSame(sdk.spans, [])
})

t.test('a server span that another instrumentation began is joined', async (t) => {
  const sdk = new Sdk(t)
  const fastify = await traced(t)
  await fastify.ready()
  const outer = trace.getTracer('http').startSpan('GET', { kind: SpanKind.SERVER })
  const active = await context.with(
    trace.setSpan(context.active(), outer),
    async () => await fastify.inject('/notes/7')
  )
  t.equal(active.json().spanId, outer.spanContext().spanId)
  t.strictSame(sdk.spans, [], 'it is not ended here')
  outer.end()
  t.match(sdk.named('GET'), { attributes: { 'http.route': '/notes/:id' } })
})

t.test('a request that is injected below a span is its child', async (t) => {
  const sdk = new Sdk(t)
  const fastify = await traced(t)
  fastify.get('/outer', async () => (await fastify.inject('/notes/7')).json())
  await fastify.inject('/outer')
  t.strictSame(sdk.tree(sdk.named('GET /outer')), ['GET /outer', '  GET /notes/:id'])
})

t.test('spans of the application hang below, in hooks and in the handler', async (t) => {
  const sdk = new Sdk(t)
  const fastify = await traced(t)
  const tracer = trace.getTracer('application')
  fastify.addHook('onRequest', async () => tracer.startSpan('in a hook').end())
  fastify.addHook('preHandler', (_request, _reply, done) => {
    setImmediate(() => {
      tracer.startSpan('in a later hook').end()
      done()
    })
  })
  fastify.post('/body', async () => tracer.startActiveSpan('in the handler', (span) => span.end()))
  await fastify.inject({ method: 'POST', url: '/body', payload: { text: 'x'.repeat(200_000) } })
  t.strictSame(sdk.tree(sdk.named('POST /body')), [
    'POST /body',
    '  in a hook',
    '  in a later hook',
    '  in the handler'
  ])
})

t.test('a caller who is gone ends the span', async (t) => {
  const sdk = new Sdk(t)
  const fastify = await traced(t)
  const controller = new AbortController()
  let isGone = (): void => undefined
  const gone = new Promise<void>((resolve) => {
    isGone = resolve
  })
  fastify.addHook('onRequestAbort', async (_request) => isGone())
  fastify.post('/slow', async () => {
    controller.abort()
    await gone
    return 'late'
  })
  await fastify.listen({ port: 0, host: '127.0.0.1' })
  const { port } = fastify.server.address() as { port: number }
  await t.rejects(fetch(`http://127.0.0.1:${port}/slow`, { method: 'POST', signal: controller.signal }))
  await gone
  await fastify.close()
  t.match(sdk.named('POST /slow'), { attributes: { 'error.type': 'aborted' } })
})
