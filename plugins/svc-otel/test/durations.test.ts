/** Metrics of `metrics: true`, as a meter that is written here hears them. Names, units and attributes are those of the conventions. */
import { type Attributes, type MeterProvider, type MetricOptions, metrics } from '@opentelemetry/api'
import Fastify, { type FastifyInstance } from 'fastify'
import { type DeliveryRun, requestChannels, type Statement } from 'svc-kernel'
import t, { type Test } from 'tap'
import svcOtel, { type SvcOtelOptions } from '../src/index.ts'
import { Sdk } from './support/sdk.ts'

interface Instrument {
  readonly name: string
  readonly unit: string | undefined
  readonly bounds: readonly number[] | undefined
}

interface Recorded {
  readonly name: string
  readonly value: number
  readonly attributes: Attributes | undefined
}

/** Keeps what is recorded. It knows histograms alone. */
class KeepingMeter {
  readonly instruments: Instrument[] = []
  readonly recorded: Recorded[] = []

  createHistogram(name: string, { unit, advice }: MetricOptions = {}) {
    this.instruments.push({ name, unit, bounds: advice?.explicitBucketBoundaries })
    return {
      record: (value: number, attributes?: Attributes) => void this.recorded.push({ name, value, attributes })
    }
  }

  of(name: string): Recorded[] {
    return this.recorded.filter((one) => one.name === name)
  }
}

async function metered(t: Test, options: SvcOtelOptions = { metrics: true }) {
  new Sdk(t)
  const meter = new KeepingMeter()
  metrics.setGlobalMeterProvider({ getMeter: () => meter } as unknown as MeterProvider)
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  await fastify.register(svcOtel, options)
  routes(fastify)
  await fastify.ready()
  return { fastify, meter }
}

function routes(fastify: FastifyInstance): void {
  fastify.get('/notes/:id', async () => 'a note')
  fastify.get('/fails', async () => {
    throw Object.assign(new Error('password hunter2 is wrong'), { code: 'SVC_TEST_BROKEN' })
  })
  fastify.get('/gone', async (_request, reply) => reply.code(503).send('closed'))
}

const ONE_STATEMENT: Statement = {
  connector: 'default',
  system: 'sqlite',
  kind: 'select',
  table: 'note',
  text: 'select * from note where id = ?',
  durationMs: 250,
  failed: false
}

const ONE_RUN: DeliveryRun = {
  endpointId: 'wh_1',
  type: 'order.created',
  eventId: 'evt_1',
  messageId: 'msg_1',
  attempt: 1
}

t.test('the instruments are histograms in seconds', async (t) => {
  const { meter } = await metered(t)
  t.strictSame(meter.instruments, [
    {
      name: 'http.server.request.duration',
      unit: 's',
      bounds: [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]
    },
    { name: 'db.client.operation.duration', unit: 's', bounds: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10] },
    {
      name: 'svc.webhooks.delivery.duration',
      unit: 's',
      bounds: [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]
    }
  ])
})

t.test('a request is recorded by its route, never by its URL; a failure has its code', async (t) => {
  const { fastify, meter } = await metered(t)
  const began = performance.now()
  await fastify.inject('/notes/7?token=hunter2')
  const elapsedS = (performance.now() - began) / 1000
  for (const url of ['/nowhere', '/fails', '/gone']) await fastify.inject(url)
  const recorded = meter.of('http.server.request.duration')
  const common = { 'http.request.method': 'GET', 'url.scheme': 'http' }
  t.strictSame(
    recorded.map(({ attributes }) => attributes),
    [
      { ...common, 'http.response.status_code': 200, 'http.route': '/notes/:id' },
      { ...common, 'http.response.status_code': 404 },
      { ...common, 'http.response.status_code': 500, 'http.route': '/fails', 'error.type': 'SVC_TEST_BROKEN' },
      { ...common, 'http.response.status_code': 503, 'http.route': '/gone', 'error.type': '503' }
    ]
  )
  const [{ value } = { value: -1 }] = recorded
  t.ok(value > 0 && value <= elapsedS, 'within the time that the caller waited, in seconds')
  t.notMatch(JSON.stringify(meter.recorded), 'hunter2')
})

t.test('statements are recorded without their text', async (t) => {
  const { meter } = await metered(t)
  requestChannels.statement.publish(ONE_STATEMENT)
  const { system: _, ...unnamed } = ONE_STATEMENT
  requestChannels.statement.publish({ ...unnamed, kind: 'begin', table: null, durationMs: 2, failed: true })
  t.strictSame(meter.recorded, [
    {
      name: 'db.client.operation.duration',
      value: 0.25,
      attributes: { 'db.system.name': 'sqlite', 'db.operation.name': 'select', 'db.collection.name': 'note' }
    },
    {
      name: 'db.client.operation.duration',
      value: 0.002,
      attributes: { 'db.operation.name': 'begin', 'error.type': '_OTHER' }
    }
  ])
})

t.test('deliveries are recorded with the status of the answer, or with what happened instead', async (t) => {
  const { meter } = await metered(t)
  const deliver = (end: Pick<DeliveryRun, 'outcome' | 'status'>) => {
    const run = { ...ONE_RUN }
    return requestChannels.delivery.trace(run, async () => void Object.assign(run, end))
  }
  await deliver({ outcome: 'answered', status: 204 })
  await deliver({ outcome: 'failed' })
  const thrown = requestChannels.delivery.trace({ ...ONE_RUN }, async () => {
    throw new Error('hunter2')
  })
  await t.rejects(thrown)
  const recorded = meter.of('svc.webhooks.delivery.duration')
  t.strictSame(
    recorded.map(({ attributes }) => attributes),
    [
      { 'svc.webhook.type': 'order.created', 'http.response.status_code': 204 },
      { 'svc.webhook.type': 'order.created', 'error.type': 'failed' },
      { 'svc.webhook.type': 'order.created', 'error.type': '_OTHER' }
    ]
  )
  t.ok(recorded.every(({ value }) => value >= 0))
})

t.test('after the end nothing is recorded', async (t) => {
  const { fastify, meter } = await metered(t)
  requestChannels.statement.publish(ONE_STATEMENT)
  await fastify.close()
  requestChannels.statement.publish(ONE_STATEMENT)
  t.equal(meter.recorded.length, 1)
})

t.test('without the option there are no instruments', async (t) => {
  const { fastify, meter } = await metered(t, {})
  t.equal((await fastify.inject('/notes/7')).body, 'a note')
  requestChannels.statement.publish(ONE_STATEMENT)
  t.strictSame(meter.instruments, [])
})
