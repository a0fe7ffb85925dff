/** The schedule of retries on a clock that stands still: when, under which id, with which signature, and how it ends. */
import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import type { DeliveryRequest } from '../../src/delivery/transport/transport.ts'
import { verifyWebhook } from '../../src/signature/verify-webhook.ts'
import { aDispatcher, anEndpoint, answered, LOGIN, refused, settle } from '../support/delivery-fixtures.ts'

const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`

function timestampOf(request: DeliveryRequest): number {
  return Number(request.headers['webhook-timestamp'])
}

t.test('5, 10, 20, 40, 80 s: the same id and body, a fresh timestamp and signature, then the end', async (t) => {
  const fixture = aDispatcher()
  const { dispatcher, transport, audit, clock, store } = fixture
  await anEndpoint(fixture, { secret: SECRET })
  await dispatcher.start()
  transport.answer = () => answered(500, 'broken')
  audit.record(LOGIN)
  t.equal(transport.sent.length, 0, 'nothing happens in the stack of the producer')
  await settle()
  const began = clock.now()
  for (const [index, wait] of [5, 10, 20, 40, 80].entries()) {
    t.equal(clock.pending, 1, 'one timer')
    t.strictSame(dispatcher.queue(), { size: 1, inFlight: 0, dropped: 0 })
    t.strictSame(dispatcher.deliveries('wh_1'), [], 'attempts between are not recorded')
    clock.advance(wait * 1000 - 1)
    await settle()
    t.equal(transport.sent.length, index + 1, `not before ${wait} s`)
    clock.advance(1)
    await settle()
    t.equal(transport.sent.length, index + 2, `after ${wait} s`)
  }
  t.equal(clock.now() - began, 155_000)
  t.equal(clock.pending, 0)
  const { sent } = transport
  const [first] = sent
  t.equal(new Set(sent.map(({ headers }) => headers['webhook-id'])).size, 1)
  t.equal(new Set(sent.map(({ headers }) => headers['webhook-signature'])).size, 6)
  t.strictSame(
    sent.map(timestampOf),
    [0, 5, 15, 35, 75, 155].map((after) => timestampOf(first!) + after)
  )
  for (const { headers, body } of sent) {
    t.ok(body.equals(first!.body))
    t.doesNotThrow(() =>
      verifyWebhook({ secret: SECRET, headers, body, now: () => timestampOf({ headers } as DeliveryRequest) * 1000 })
    )
  }
  const messageId = first!.headers['webhook-id']
  t.match(dispatcher.deliveries('wh_1'), [
    {
      ts: clock.now(),
      messageId,
      type: 'login.failure',
      attempt: 6,
      ok: false,
      status: 500,
      error: 'HTTP 500',
      durationMs: 7,
      outcome: 'exhausted',
      requestBody: first!.body.toString(),
      responseBody: 'broken'
    }
  ])
  t.match(await store.find('wh_1'), {
    failureCount: 1,
    enabled: true,
    lastDeliveryStatus: 500,
    lastDeliveryError: 'HTTP 500',
    lastDeliveryAt: clock.now()
  })
  await dispatcher.close()
})

t.test('what a receiver gets', async (t) => {
  const fixture = aDispatcher()
  const { dispatcher, transport, audit } = fixture
  await anEndpoint(fixture, { secret: SECRET })
  await dispatcher.start()
  audit.record(LOGIN)
  await settle()
  const [request] = transport.sent
  t.equal(request?.url, 'https://receiver.example/wh_1')
  t.match(request?.headers, {
    'content-type': 'application/json',
    'user-agent': 'Svc-Webhooks/1.0',
    'webhook-id': /^msg_[\w-]{22}$/,
    'webhook-timestamp': /^\d{10}$/,
    'webhook-signature': /^v1,[\w+/]{43}=$/
  })
  t.equal(Object.keys(request?.headers ?? {}).length, 5)
  t.equal(JSON.parse(String(request?.body)).id, request?.headers['webhook-id'])
  await dispatcher.close()
})

t.test('a retry that is answered 2xx is a success, and the failures before it are forgotten', async (t) => {
  const fixture = aDispatcher()
  const { dispatcher, transport, audit, clock, store } = fixture
  await anEndpoint(fixture)
  await store.recordFailure('wh_1', 500, 'HTTP 500')
  await dispatcher.start()
  transport.answer = () => refused
  audit.record(LOGIN)
  await settle()
  transport.answer = () => answered(204)
  clock.advance(5000)
  await settle()
  t.match(dispatcher.deliveries('wh_1'), [{ ok: true, status: 204, error: null, attempt: 2, outcome: 'delivered' }])
  t.match(await store.find('wh_1'), { failureCount: 0, lastDeliveryStatus: 204, lastDeliveryError: null })
  await dispatcher.close()
})

t.test('a clock that is set back holds no retry up', async (t) => {
  const timers = new ManualClock()
  let back = 0
  const clock = {
    now: () => timers.now() - back,
    setTimeout: (work: () => void, ms: number) => timers.setTimeout(work, ms),
    clearTimeout: (handle: unknown) => timers.clearTimeout(handle)
  }
  const fixture = aDispatcher({}, { clock })
  const { dispatcher, transport, audit } = fixture
  await anEndpoint(fixture)
  await dispatcher.start()
  transport.answer = () => refused
  audit.record(LOGIN)
  await settle()
  back = 3_600_000
  for (const wait of [5, 10, 20, 40, 80]) {
    timers.advance(wait * 1000)
    await settle()
  }
  t.equal(transport.sent.length, 6)
  t.match(dispatcher.deliveries('wh_1'), [{ attempt: 6, outcome: 'exhausted' }])
  t.equal(timers.pending, 0)
  await dispatcher.close()
})

t.test('what is not tried again', async (t) => {
  const table = [
    [answered(301), { status: 301, error: 'HTTP 301', outcome: 'failed' }],
    [answered(410, 'gone'), { status: 410, error: 'HTTP 410', outcome: 'failed', responseBody: 'gone' }],
    [
      { kind: 'abandoned', error: 'not allowed', reason: 'address', durationMs: 1 },
      { status: null, error: 'not allowed', outcome: 'abandoned', responseBody: null }
    ]
  ] as const
  for (const [result, record] of table) {
    const fixture = aDispatcher()
    const { dispatcher, transport, audit, clock, store } = fixture
    await anEndpoint(fixture)
    await dispatcher.start()
    transport.answer = () => result
    audit.record(LOGIN)
    await settle()
    clock.advance(1_000_000)
    await settle()
    t.equal(transport.sent.length, 1)
    t.match(dispatcher.deliveries('wh_1'), [{ attempt: 1, ok: false, ...record }])
    t.match(await store.find('wh_1'), { failureCount: 1, lastDeliveryStatus: record.status })
    await dispatcher.close()
  }
})

t.test('with maxRetries 0 the first failure is the last', async (t) => {
  const fixture = aDispatcher({ maxRetries: 0 })
  const { dispatcher, transport, audit, clock } = fixture
  await anEndpoint(fixture)
  await dispatcher.start()
  transport.answer = () => refused
  audit.record(LOGIN)
  await settle()
  t.equal(clock.pending, 0)
  t.match(dispatcher.deliveries('wh_1'), [
    { attempt: 1, status: null, error: 'connection refused', outcome: 'exhausted' }
  ])
  await dispatcher.close()
})
