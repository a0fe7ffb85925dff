/** What waits for an endpoint, over HTTP: counted, with the time of the next attempt, in memory and in a queue of a store. */

import { ManualClock } from 'svc-stores/conformance'
import { memoryDatabase } from 'svc-stores/table'
import t from 'tap'
import { deliveriesStore } from '../../src/delivery/deliveries-queue.ts'
import { openApp } from '../support/admin-app.ts'
import { aDispatcher, anEndpoint, answered, LOGIN, refused, settle } from '../support/delivery-fixtures.ts'

t.test('Q8: deliveries in memory: under way, before their first attempt, and before a retry', async (t) => {
  const fixture = aDispatcher({ maxConcurrent: 2 })
  const { dispatcher, transport, audit, clock } = fixture
  t.teardown(() => dispatcher.close())
  await anEndpoint(fixture, { id: 'wh_1' })
  await dispatcher.start()
  t.strictSame(await dispatcher.pending('wh_1'), { waiting: 0, sending: 0, nextAt: null, next: [] })

  transport.answer = () => refused
  audit.record(LOGIN)
  await settle()
  const failed = await dispatcher.pending('wh_1')
  t.match(failed, { waiting: 1, sending: 0, next: [{ type: 'login.failure', attempts: 1, messageId: /^msg_/ }] })
  t.ok((failed?.nextAt ?? 0) > clock.now())
  t.equal(failed?.nextAt, failed?.next[0]?.dueAt)

  transport.answer = null
  for (let n = 0; n < 30; n += 1) audit.record(LOGIN)
  await settle()
  const busy = await dispatcher.pending('wh_1')
  t.equal((busy?.sending ?? 0) + (busy?.waiting ?? 0), 31)
  t.ok((busy?.sending ?? 0) > 0)
  t.equal(busy?.next.length, 20)
  t.equal(busy?.nextAt, clock.now(), 'what is queued is due now')
  t.match(busy?.next[0], { messageId: null, attempts: 0, eventId: /^aud_/ })
  transport.answer = () => answered(200)
  transport.finish(answered(200))
  await settle(20)
  t.match(await dispatcher.pending('wh_1'), { waiting: 1, sending: 0 }, 'the retry alone is left')
})

t.test('Q8: deliveries in a queue of a store, which may be away', async (t) => {
  const clock = new ManualClock()
  const stored = deliveriesStore.open(memoryDatabase({ clock }), { clock })
  let isAway = false
  const queue = new Proxy(stored, {
    get: (target, name: keyof typeof stored) => {
      if (isAway && name === 'pending') return async () => Promise.reject(new Error('away'))
      const value = target[name]
      return typeof value === 'function' ? value.bind(target) : value
    }
  })
  const fixture = aDispatcher({}, { clock, durable: { queue, retryScheduleS: [60, 60] } })
  const { dispatcher, transport, audit } = fixture
  await anEndpoint(fixture, { id: 'wh_1' })
  await dispatcher.start()
  transport.answer = () => refused
  audit.record(LOGIN)
  await settle(20)
  clock.advance(1000)
  await settle(20)
  const found = await dispatcher.pending('wh_1')
  t.match(found, { waiting: 1, sending: 0, next: [{ type: 'login.failure', attempts: 1, messageId: /^msg_/ }] })
  t.ok((found?.nextAt ?? 0) > clock.now() && (found?.nextAt ?? 0) <= clock.now() + 90_000)
  isAway = true
  t.equal(await dispatcher.pending('wh_1'), null, 'not "none"')
  await dispatcher.close()
})

t.test('Q8: the first page of the deliveries says what waits', async (t) => {
  const { call } = await openApp(t)
  const made = await call('POST', '', { url: 'https://a.example/', events: ['*'] })
  const { id } = made.body.endpoint
  const nothing = { waiting: 0, sending: 0, nextAt: null, next: [] }
  t.strictSame((await call('GET', `/${id}/deliveries`)).body.pending, nothing)
  t.equal((await call('GET', `/${id}/deliveries?cursor=1:x`)).body.pending, undefined)
  t.equal((await call('GET', '/wh_x/deliveries')).status, 404)
})
