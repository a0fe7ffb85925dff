/** The plugin by itself on a bare Fastify: without an SDK nothing is subscribed; a context that does not hold ends the boot. */
import { context, type TracerProvider, trace } from '@opentelemetry/api'
import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base'
import Fastify from 'fastify'
import { requestChannels } from 'svc-kernel'
import t from 'tap'
import svcOtel from '../src/index.ts'
import { Sdk } from './support/sdk.ts'

const subscribed = () =>
  Object.values(requestChannels)
    .filter(({ hasSubscribers }) => hasSubscribers)
    .map(({ name }) => name)

t.test('without an SDK it subscribes to nothing, and says so', async (t) => {
  const lines: string[] = []
  const fastify = Fastify({ logger: { level: 'info', stream: { write: (line) => void lines.push(line) } } })
  t.teardown(() => fastify.close())
  await fastify.register(svcOtel, { metrics: true })
  fastify.get('/', async () => 'answered')
  t.equal((await fastify.inject('/')).body, 'answered')
  t.strictSame(subscribed(), [])
  t.equal(lines.filter((line) => line.includes('no OpenTelemetry SDK is registered')).length, 1)
})

t.test('options are checked', async (t) => {
  for (const options of [{ incoming: 'follow' }, { metrics: 'yes' }, { exporter: 'otlp' }]) {
    const fastify = Fastify()
    t.teardown(() => fastify.close())
    await t.rejects(async () => fastify.register(svcOtel, options as never), { code: 'SVC_KERNEL_OPTIONS' })
  }
})

t.test('an SDK without a context manager ends the boot', async (t) => {
  trace.setGlobalTracerProvider(new BasicTracerProvider() as TracerProvider)
  t.teardown(() => trace.disable())
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  await fastify.register(svcOtel)
  fastify.get('/', async () => 'answered')
  const error: unknown = await fastify.ready().then(
    () => null,
    (thrown: unknown) => thrown
  )
  t.match(error, { problems: [{ code: 'SVC_OTEL_CONTEXT', fix: /ContextManager/ }] })
  t.strictSame(subscribed(), [])
})

t.test('applications of one process share the subscriptions; the last one ends them', async (t) => {
  const sdk = new Sdk(t)
  const make = async () => {
    const fastify = Fastify()
    t.teardown(() => fastify.close())
    await fastify.register(svcOtel)
    fastify.get('/shared', async () => ({ active: trace.getActiveSpan() !== undefined }))
    await fastify.ready()
    return fastify
  }
  const [first, second] = [await make(), await make()]
  t.strictSame((await first.inject('/shared')).json(), { active: true })
  t.ok(sdk.named('GET /shared'), 'one span')
  await first.close()
  t.ok(subscribed().length > 0)
  sdk.clear()
  await second.inject('/shared')
  t.ok(sdk.named('GET /shared'))
  await second.close()
  t.strictSame(subscribed(), [])
  t.equal(context.active(), context.active())
})

t.test('an application without the plugin is not traced by another one', async (t) => {
  const sdk = new Sdk(t)
  const traced = Fastify()
  const plain = Fastify()
  t.teardown(async () => {
    await traced.close()
    await plain.close()
  })
  await traced.register(svcOtel)
  const { default: svcKernel } = await import('svc-kernel')
  await plain.register(svcKernel)
  for (const fastify of [traced, plain]) fastify.get('/', async () => 'answered')
  await traced.ready()
  await plain.inject('/')
  t.strictSame(sdk.spans, [])
})
