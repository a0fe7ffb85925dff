/** The death of an endpoint: at the threshold, told once, whoever else sees it. */
import { inMemory } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import { createEndpointSecrets } from '../../src/endpoints/endpoint-secrets.ts'
import { webhooksStore } from '../../src/endpoints/endpoint-store.ts'
import { aDispatcher, anEndpoint, answered, type FakeJournal, LOGIN, settle } from '../support/delivery-fixtures.ts'

const disabledOf = (audit: FakeJournal) => audit.records.filter(({ action }) => action === 'webhook.disabled')

t.test('the failure that reaches the threshold disables, and one event says so', async (t) => {
  const fixture = aDispatcher({ autoDisableThreshold: 3 })
  const { dispatcher, transport, audit, store, lines } = fixture
  t.teardown(() => dispatcher.close())
  await anEndpoint(fixture)
  await dispatcher.start()
  transport.answer = () => answered(404)
  for (let index = 0; index < 2; index += 1) audit.record(LOGIN)
  await settle()
  t.match(await store.find('wh_1'), { enabled: true, failureCount: 2 })
  audit.record(LOGIN)
  await settle()
  t.match(await store.find('wh_1'), { enabled: false, failureCount: 3 })
  t.strictSame(disabledOf(audit), [
    {
      category: 'webhook',
      action: 'webhook.disabled',
      outcome: 'failure',
      resource: 'wh_1',
      reason: 'HTTP 404',
      metadata: { failureCount: 3 }
    }
  ])
  t.match(lines, [{ level: 'warn', fields: { code: 'SVC_WEBHOOKS_DISABLED', endpoint: 'wh_1', failures: 3 } }])
  audit.record(LOGIN)
  await settle()
  t.equal(transport.sent.length, 3, 'it is no recipient any more')
})

t.test('a success between starts the count again; threshold 0 never disables', async (t) => {
  const fixture = aDispatcher({ autoDisableThreshold: 2 })
  const { dispatcher, transport, audit, store } = fixture
  t.teardown(() => dispatcher.close())
  await anEndpoint(fixture)
  await dispatcher.start()
  for (const status of [404, 200, 404]) {
    transport.answer = () => answered(status)
    audit.record(LOGIN)
    await settle()
  }
  t.match(await store.find('wh_1'), { enabled: true, failureCount: 1 })

  const never = aDispatcher({ autoDisableThreshold: 0 })
  t.teardown(() => never.dispatcher.close())
  await anEndpoint(never)
  await never.dispatcher.start()
  never.transport.answer = () => answered(404)
  for (let index = 0; index < 30; index += 1) never.audit.record(LOGIN)
  await settle(10)
  t.match(await never.store.find('wh_1'), { enabled: true, failureCount: 30 })
  t.strictSame(disabledOf(never.audit), [])
})

t.test('eight failures at the same time tell one death', async (t) => {
  const fixture = aDispatcher({ autoDisableThreshold: 4, maxConcurrent: 32 })
  const { dispatcher, transport, audit, store } = fixture
  t.teardown(() => dispatcher.close())
  await anEndpoint(fixture)
  await dispatcher.start()
  transport.answer = null
  for (let index = 0; index < 8; index += 1) audit.record(LOGIN)
  await settle()
  t.equal(transport.open.length, 8)
  transport.finish(answered(400))
  await settle()
  t.match(await store.find('wh_1'), { enabled: false, failureCount: 8 })
  t.equal(disabledOf(audit).length, 1)
  t.equal(dispatcher.deliveries('wh_1').length, 8)
})

t.test('two instances on one store tell one death', async (t) => {
  const store = inMemory(webhooksStore, { clock: new ManualClock() })
  const secrets = createEndpointSecrets(Buffer.alloc(32, 9))
  const instances = [1, 2].map(() => aDispatcher({ autoDisableThreshold: 6, maxConcurrent: 16 }, { store, secrets }))
  await anEndpoint({ store, secrets })
  for (const { dispatcher, transport, audit } of instances) {
    t.teardown(() => dispatcher.close())
    await dispatcher.start()
    transport.answer = null
    for (let index = 0; index < 4; index += 1) audit.record(LOGIN)
  }
  await settle()
  for (const { transport } of instances) transport.finish(answered(400))
  await settle()
  t.match(await store.find('wh_1'), { enabled: false, failureCount: 8 })
  t.equal(instances.flatMap(({ audit }) => disabledOf(audit)).length, 1)
})

t.test('a death does not cause a delivery, not even to an endpoint that wants everything', async (t) => {
  const fixture = aDispatcher({ autoDisableThreshold: 1 })
  const { dispatcher, transport, audit } = fixture
  t.teardown(() => dispatcher.close())
  await anEndpoint(fixture, { id: 'wh_dead', events: ['login.*'] })
  await anEndpoint(fixture, { id: 'wh_all', events: ['*', 'webhook.*', 'webhook.disabled'] })
  await dispatcher.start()
  transport.answer = ({ url }) => answered(url.endsWith('wh_dead') ? 404 : 200)
  audit.record(LOGIN)
  await settle()
  t.equal(disabledOf(audit).length, 1)
  t.equal(transport.sent.length, 2)
})

t.test(
  'W6: an answer of 410 disables at once, with a reason of its own; where 0 never disables it does not',
  async (t) => {
    const fixture = aDispatcher()
    const { dispatcher, transport, audit, store } = fixture
    t.teardown(() => dispatcher.close())
    await anEndpoint(fixture)
    await dispatcher.start()
    transport.answer = () => answered(410)
    for (let index = 0; index < 3; index += 1) audit.record(LOGIN)
    await settle(10)
    t.match(await store.find('wh_1'), { enabled: false, lastDeliveryError: 'HTTP 410' })
    const told = disabledOf(audit)
    t.equal(told.length, 1)
    t.match(told, [{ reason: 'gone: HTTP 410', metadata: { failureCount: Number } }])

    const never = aDispatcher({ autoDisableThreshold: 0 })
    t.teardown(() => never.dispatcher.close())
    await anEndpoint(never)
    await never.dispatcher.start()
    never.transport.answer = () => answered(410)
    never.audit.record(LOGIN)
    await settle()
    t.match(await never.store.find('wh_1'), { enabled: true, failureCount: 1 })
  }
)
