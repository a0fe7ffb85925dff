/** The dispatcher as a whole: bursts, slots, messages by hand, faults of its own side, and its end. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { ManualClock } from 'svc-stores/conformance'
import { memoryDatabase } from 'svc-stores/table'
import t, { type Test } from 'tap'
import type { DispatchLimits } from '../../src/delivery/dispatcher.ts'
import { createEndpointSecrets } from '../../src/endpoints/endpoint-secrets.ts'
import { TableWebhooksStore } from '../../src/endpoints/endpoint-store.ts'
import {
  aDispatcher,
  anEndpoint,
  answered,
  type Fixture,
  LOGIN,
  refused,
  settle
} from '../support/delivery-fixtures.ts'

async function started(t: Test, limits: Partial<DispatchLimits> = {}, ids = ['wh_1']): Promise<Fixture> {
  const fixture = aDispatcher(limits)
  t.teardown(() => {
    const closing = fixture.dispatcher.close()
    fixture.transport.finish(refused)
    return closing
  })
  for (const id of ids) await anEndpoint(fixture, { id })
  await fixture.dispatcher.start()
  return fixture
}

t.test('5000 events to a dead endpoint: 4000 dropped, one line, never more than the slots', async (t) => {
  const { dispatcher, transport, audit, lines } = await started(t)
  transport.answer = null
  for (let index = 0; index < 5000; index += 1) audit.record(LOGIN)
  t.strictSame(dispatcher.queue(), { size: 1000, inFlight: 0, dropped: 4000 })
  t.equal(dispatcher.droppedOf('wh_1'), 4000)
  await settle()
  t.strictSame(dispatcher.queue(), { size: 998, inFlight: 2, dropped: 4000 })
  t.equal(lines.length, 1)
  transport.answer = () => answered(200)
  transport.finish(answered(200))
  await settle(50)
  t.strictSame(dispatcher.queue(), { size: 0, inFlight: 0, dropped: 4000 })
  t.equal(transport.sent.length, 1000)
  t.match(lines[1], { level: 'warn', fields: { dropped: 4000 } })
  t.equal(lines.length, 2)
})

t.test('a burst that comes in pieces drops as much: places are kept until the outcome', async (t) => {
  const { dispatcher, transport, audit, clock } = await started(t)
  transport.answer = () => refused
  for (let index = 0; index < 5000; index += 1) {
    audit.record(LOGIN)
    if (index % 100 === 0) await settle(1)
  }
  await settle(50)
  t.strictSame(dispatcher.queue(), { size: 1000, inFlight: 0, dropped: 4000 })
  t.equal(clock.pending, 1, 'a thousand retries, one timer')
})

t.test(
  'one message per endpoint and event, at most three quarters of the slots each, never more than all',
  async (t) => {
    const ids = ['wh_1', 'wh_2', 'wh_3']
    const { transport, audit } = await started(t, { maxConcurrent: 4 }, ids)
    transport.answer = null
    for (let index = 0; index < 10; index += 1) audit.record(LOGIN)
    await settle()
    t.equal(transport.open.length, 2, 'half, while none has answered')
    while (transport.open.length > 0) {
      const counts = ids.map((id) => transport.open.filter((url) => url.endsWith(id)).length)
      t.ok(Math.max(...counts) <= 3, counts.join())
      transport.finish(answered(200), { count: 1 })
      await settle(1)
    }
    t.equal(transport.most, 4)
    const messages = transport.sent.map(({ url, headers }) => `${url} ${headers['webhook-id']}`)
    t.equal(new Set(messages).size, 30)
    t.equal(new Set(transport.sent.map(({ headers }) => headers['webhook-id'])).size, 30)
  }
)

t.test('a dead endpoint leaves the others their slots and their places', async (t) => {
  const { dispatcher, transport, audit } = await started(t, { maxQueue: 20 }, ['wh_dead', 'wh_well'])
  transport.answer = null
  for (let round = 0; round < 10; round += 1) {
    for (let index = 0; index < 5; index += 1) audit.record(LOGIN)
    for (let turn = 0; turn < 5; turn += 1) {
      await settle(1)
      transport.finish(answered(200), { id: 'wh_well' })
    }
    await settle()
  }
  t.strictSame([dispatcher.droppedOf('wh_dead'), dispatcher.droppedOf('wh_well')], [35, 0])
  t.equal(dispatcher.queue().size, 13, 'what is left of the other')
  t.equal(dispatcher.deliveries('wh_well').length, 20)
  t.equal(transport.sent.length, 52, 'fifty to the one, two that hang to the other')
})

t.test('a test message: signed, alone, one attempt, in the history, not counted', async (t) => {
  const { dispatcher, transport, store, clock } = await started(t, {}, ['wh_1', 'wh_2'])
  const endpoint = (await store.update('wh_1', { enabled: false }))!
  dispatcher.changed(endpoint)
  transport.answer = () => answered(500)
  const { messageId } = await dispatcher.sendTest(endpoint)
  await settle()
  t.equal(clock.pending, 0)
  t.equal(transport.sent.length, 1, 'to a disabled endpoint too: it is tried before it is enabled')
  t.equal(transport.sent[0]?.headers['webhook-id'], messageId)
  t.match(JSON.parse(String(transport.sent[0]?.body)), {
    id: messageId,
    type: 'webhook.test',
    data: { category: 'webhook', action: 'webhook.test', resource: 'wh_1' }
  })
  t.match(dispatcher.deliveries('wh_1'), [
    { messageId, type: 'webhook.test', ok: false, status: 500, outcome: 'failed' }
  ])
  t.match(await store.find('wh_1'), { failureCount: 0, lastDeliveryAt: null })
})

t.test('a message sent again: its id and its bytes, a fresh timestamp, one attempt, not counted', async (t) => {
  const { dispatcher, transport, audit, store, clock } = await started(t)
  transport.answer = () => answered(404)
  audit.record(LOGIN)
  await settle()
  const [first] = transport.sent
  const messageId = String(first?.headers['webhook-id'])
  clock.advance(60_000)
  transport.answer = () => refused
  const endpoint = (await store.find('wh_1'))!
  t.equal(await dispatcher.resend(endpoint, 'msg_unknown'), false)
  t.equal(await dispatcher.resend({ ...endpoint, id: 'wh_2' }, messageId), false)
  t.equal(await dispatcher.resend(endpoint, messageId), true)
  await settle()
  t.equal(clock.pending, 0, 'no retry')
  const [, second] = transport.sent
  t.equal(second?.headers['webhook-id'], messageId)
  t.ok(second?.body.equals(first!.body))
  t.equal(Number(second?.headers['webhook-timestamp']) - Number(first?.headers['webhook-timestamp']), 60)
  t.match(dispatcher.deliveries('wh_1'), [
    { messageId, ok: false, status: null, outcome: 'failed', attempt: 1 },
    { messageId, status: 404 }
  ])
  t.match(await store.find('wh_1'), { failureCount: 1, lastDeliveryStatus: 404 })
})

t.test('a message by hand is refused where there is no room', async (t) => {
  const { dispatcher, transport, audit, store } = await started(t, { maxQueue: 1 })
  transport.answer = null
  audit.record(LOGIN)
  const endpoint = (await store.find('wh_1'))!
  await t.rejects(dispatcher.sendTest(endpoint), { code: 'SVC_WEBHOOKS_QUEUE_FULL', statusCode: 503 })
})

t.test('a store that fails before an attempt: retried, never sent to what may be stale, not counted', async (t) => {
  const clock = new ManualClock()
  class Failing extends TableWebhooksStore {
    down = false
    override async find(id: string) {
      if (this.down) throw new Error('the database is away')
      return super.find(id)
    }
  }
  const store = new Failing(memoryDatabase({ clock }), { clock })
  const fixture = aDispatcher({ maxRetries: 1 }, { store, clock })
  const { dispatcher, transport, audit, lines } = fixture
  t.teardown(() => dispatcher.close())
  await anEndpoint(fixture)
  await dispatcher.start()
  store.down = true
  audit.record(LOGIN)
  await settle()
  t.match(lines, [{ level: 'error', fields: { code: 'SVC_WEBHOOKS_STORE', endpoint: 'wh_1' } }])
  store.down = false
  clock.advance(5000)
  await settle()
  t.match(dispatcher.deliveries('wh_1'), [{ ok: true, attempt: 2 }])
  store.down = true
  audit.record(LOGIN)
  await settle()
  clock.advance(5000)
  await settle()
  t.match(dispatcher.deliveries('wh_1')[0], { ok: false, error: 'endpoint store unavailable', outcome: 'exhausted' })
  store.down = false
  t.match(await store.find('wh_1'), { failureCount: 0 })
  t.equal(transport.sent.length, 1)
})

t.test('a store that does not answer gives its slot back', async (t) => {
  const clock = new ManualClock()
  class Silent extends TableWebhooksStore {
    override find(): Promise<never> {
      return new Promise(() => {})
    }
  }
  const fixture = aDispatcher({ maxRetries: 0 }, { store: new Silent(memoryDatabase({ clock }), { clock }), clock })
  const { dispatcher, audit } = fixture
  t.teardown(() => dispatcher.close())
  await anEndpoint(fixture)
  await dispatcher.start()
  audit.record(LOGIN)
  await settle()
  t.equal(dispatcher.queue().inFlight, 1)
  clock.advance(10_000)
  await settle()
  t.strictSame(dispatcher.queue(), { size: 0, inFlight: 0, dropped: 0 })
  t.match(dispatcher.deliveries('wh_1'), [{ error: 'endpoint store unavailable', durationMs: 10_000 }])
})

t.test('a store that does not take the outcome: logged, the history has it, the next delivery goes on', async (t) => {
  const clock = new ManualClock()
  class Deaf extends TableWebhooksStore {
    override async recordFailure(): Promise<never> {
      throw new Error('read-only')
    }
  }
  const fixture = aDispatcher({}, { store: new Deaf(memoryDatabase({ clock }), { clock }), clock })
  const { dispatcher, transport, audit, lines } = fixture
  t.teardown(() => dispatcher.close())
  await anEndpoint(fixture)
  await dispatcher.start()
  transport.answer = () => answered(400)
  audit.record(LOGIN)
  audit.record(LOGIN)
  await settle()
  t.match(lines, [{ level: 'error', fields: { code: 'SVC_WEBHOOKS_STORE', err: { message: 'read-only' } } }])
  t.equal(dispatcher.deliveries('wh_1').length, 2)
  t.equal(dispatcher.queue().size, 0)
})

t.test('a secret that another key sealed: a final failure of ours, logged without it, not counted', async (t) => {
  const fixture = await started(t)
  const { dispatcher, transport, audit, store, lines } = fixture
  const foreign = createEndpointSecrets(Buffer.alloc(32, 1)).seal('whsec_c2VjcmV0')
  await store.update('wh_1', { secretEnc: foreign })
  audit.record(LOGIN)
  await settle()
  t.equal(transport.sent.length, 0)
  t.match(dispatcher.deliveries('wh_1'), [{ ok: false, error: 'secret unreadable', outcome: 'failed', attempt: 1 }])
  t.match(await store.find('wh_1'), { failureCount: 0 })
  t.match(lines, [{ level: 'error', fields: { code: 'SVC_WEBHOOKS_SECRET_UNREADABLE', endpoint: 'wh_1' } }])
  t.notMatch(JSON.stringify(lines), /whsec_|gcm1\./)
})

t.test('an event that cannot be written disturbs nothing else', async (t) => {
  const { dispatcher, transport, audit, lines } = await started(t)
  audit.record({ ...LOGIN, metadata: { big: 1n } })
  audit.record(LOGIN)
  await settle()
  t.equal(transport.sent.length, 1)
  t.match(lines, [{ fields: { code: 'SVC_WEBHOOKS_UNSENT' } }])
  t.strictSame(dispatcher.queue(), { size: 0, inFlight: 0, dropped: 0 })
})

t.test('deliveries do not run in the context of the request whose event they carry', async (t) => {
  const { transport, audit } = await started(t)
  const context = new AsyncLocalStorage<string>()
  const seen: (string | undefined)[] = []
  transport.answer = () => {
    seen.push(context.getStore())
    return answered(200)
  }
  context.run('a request', () => audit.record(LOGIN))
  await settle()
  t.strictSame(seen, [undefined])
})
