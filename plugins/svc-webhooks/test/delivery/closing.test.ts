/** The end of a dispatcher: what is under way may finish, in time; everything else is over at once. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import t from 'tap'
import { DELIVERY_CHANNELS } from '../../src/delivery/delivery-channels.ts'
import { aDispatcher, anEndpoint, answered, LOGIN, refused, settle } from '../support/delivery-fixtures.ts'

t.test('W3: nothing is admitted or retried any more; what is under way is recorded, the rest is counted', async (t) => {
  const fixture = aDispatcher({ maxConcurrent: 6 })
  const { dispatcher, transport, audit, clock, lines, store } = fixture
  await anEndpoint(fixture, { id: 'wh_1', events: ['login.*'] })
  await anEndpoint(fixture, { id: 'wh_2', events: ['logout'] })
  await dispatcher.start()
  audit.record({ ...LOGIN, action: 'logout' })
  await settle()
  transport.answer = () => refused
  for (let index = 0; index < 3; index += 1) audit.record(LOGIN)
  await settle()
  t.equal(dispatcher.queue().size, 3)
  transport.answer = null
  for (let index = 0; index < 6; index += 1) audit.record({ ...LOGIN, action: 'logout' })
  await settle()
  t.equal(transport.open.length, 4)
  const closing = dispatcher.close()
  t.strictSame(dispatcher.queue(), { size: 0, inFlight: 4, dropped: 0 })
  audit.record({ ...LOGIN, action: 'logout' })
  audit.record({ ...LOGIN, action: 'session.opened' })
  t.equal(clock.pending, 1, 'only the deadline of the close')
  await t.rejects(dispatcher.sendTest((await store.find('wh_1'))!), { code: 'SVC_WEBHOOKS_QUEUE_FULL' })
  await settle()
  t.equal(transport.closed, 0, 'it waits')
  transport.finish(answered(200), { count: 3 })
  await settle()
  transport.finish(refused)
  await closing
  t.equal(audit.listeners, 0)
  // Three that waited for a retry, two for a slot, one that came later, one under way that would be tried again.
  t.match(lines, [{ level: 'warn', fields: { code: 'SVC_WEBHOOKS_LOST', lost: 7 } }])
  t.equal(lines.length, 1)
  t.equal(transport.closed, 1)
  t.equal(dispatcher.deliveries('wh_2').length, 4, 'what would be retried is not recorded as failed')
  t.match(await store.find('wh_2'), { failureCount: 0 })
  t.equal(clock.pending, 0)
  t.equal(transport.sent.length, 8)
  await dispatcher.close()
  t.equal(transport.closed, 1, 'closing twice is closing once')
})

t.test('an attempt that outlasts the deadline is destroyed, and changes nothing any more', async (t) => {
  const fixture = aDispatcher({ deliveryTimeoutMs: 2000, maxRetries: 0 })
  const { dispatcher, transport, audit, clock, store, lines } = fixture
  await anEndpoint(fixture)
  await dispatcher.start()
  transport.answer = null
  audit.record(LOGIN)
  await settle()
  const closing = dispatcher.close()
  clock.advance(1999)
  await settle()
  t.equal(transport.closed, 0)
  clock.advance(1)
  await closing
  t.equal(transport.closed, 1)
  await settle()
  t.match(await store.find('wh_1'), { failureCount: 0, lastDeliveryAt: null })
  t.strictSame(dispatcher.deliveries('wh_1'), [])
  t.equal(dispatcher.queue().inFlight, 0)
  t.match(lines, [{ fields: { code: 'SVC_WEBHOOKS_LOST', lost: 1 } }], 'W3: it is lost, and counted')
})

t.test('W3: what is recorded between the end of admission and the end of the server is counted', async (t) => {
  const fixture = aDispatcher()
  const { dispatcher, audit, lines, transport } = fixture
  await anEndpoint(fixture)
  await dispatcher.start()
  dispatcher.drain()
  await settle()
  for (let index = 0; index < 3; index += 1) audit.record(LOGIN)
  await dispatcher.close()
  audit.record(LOGIN)
  t.match(lines, [{ fields: { code: 'SVC_WEBHOOKS_LOST', lost: 3 } }])
  t.equal(transport.sent.length, 0)
})

t.test('however long an attempt may take, a stop does not wait longer than eight seconds', async (t) => {
  const fixture = aDispatcher({ deliveryTimeoutMs: 60_000 })
  const { dispatcher, transport, audit, clock } = fixture
  await anEndpoint(fixture)
  await dispatcher.start()
  transport.answer = null
  audit.record(LOGIN)
  await settle()
  const closing = dispatcher.close()
  clock.advance(7999)
  await settle()
  t.equal(transport.closed, 0)
  clock.advance(1)
  await closing
  t.equal(transport.closed, 1)
})

t.test('a dispatcher that is closed while it starts never listens; one that never started closes', async (t) => {
  const { dispatcher, audit, transport } = aDispatcher()
  const starting = dispatcher.start()
  await dispatcher.close()
  await starting
  t.equal(audit.listeners, 0)
  t.equal(transport.closed, 1)
})

t.test('a transport that cannot be closed does not keep the server', async (t) => {
  const transport = { send: async () => refused, close: () => Promise.reject(new Error('stuck')) }
  const { dispatcher, lines } = aDispatcher({}, { transport })
  await dispatcher.start()
  await dispatcher.close()
  t.match(lines, [{ fields: { err: { message: 'stuck' } } }])
})

t.test('every delivery is told on the channels, from its admission to its end', async (t) => {
  const told: string[] = []
  const app = {}
  const listen = (message: unknown, name: string | symbol) => {
    const news = message as { app: object; endpointId: string; attempt?: number; status?: number | null }
    if (news.app === app)
      told.push([String(name).slice(13), news.endpointId, news.attempt, news.status].join(' ').trim())
  }
  for (const name of Object.values(DELIVERY_CHANNELS)) {
    subscribe(name, listen)
    t.teardown(() => unsubscribe(name, listen))
  }
  const fixture = aDispatcher({ maxQueue: 1, maxRetries: 1, autoDisableThreshold: 1 }, { app })
  const { dispatcher, transport, audit, clock } = fixture
  await anEndpoint(fixture)
  await dispatcher.start()
  audit.record(LOGIN)
  audit.record(LOGIN)
  await settle()
  transport.answer = () => refused
  audit.record(LOGIN)
  await settle()
  clock.advance(5000)
  await settle()
  t.strictSame(told, [
    'enqueued wh_1',
    'dropped wh_1',
    'delivered wh_1 1 200',
    'enqueued wh_1',
    'retried wh_1 1',
    'disabled wh_1',
    'failed wh_1 2'
  ])
  await dispatcher.close()
})
