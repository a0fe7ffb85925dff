/** The history that lasts: written behind deliveries, bounded whatever the store does, read as it was sent. */
import type { FastifyBaseLogger } from 'fastify'
import { inMemory, type Maintenance, type MaintenanceTask } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import { type HistoryStore, historyStore } from '../../src/history/history-store.ts'
import { anEntry } from '../../src/history/history-store-conformance.ts'
import { LastingHistory, MAX_WAITING } from '../../src/history/lasting-history.ts'
import { aDispatcher, anEndpoint, answered, LOGIN, listeningLog, settle } from '../support/delivery-fixtures.ts'

const { event, id: _, endpointId: __, ...ended } = anEntry()

function aHistory(bounds: { maxAgeS?: number; maxPerEndpoint?: number } = {}, away?: () => boolean) {
  const clock = new ManualClock()
  const { log, lines } = listeningLog()
  const kept = inMemory(historyStore, { clock })
  const failing = async () => Promise.reject(new Error('away'))
  const store = new Proxy(kept, {
    get: (target, name) => {
      if (away?.() === true) return failing
      const found: unknown = Reflect.get(target, name)
      return typeof found === 'function' ? found.bind(target) : found
    }
  }) as HistoryStore
  const parts = { store, clock, log: log as FastifyBaseLogger, maxAgeS: 3600, maxPerEndpoint: 100, ...bounds }
  const history = new LastingHistory(parts)
  const add = (ts = clock.now(), endpointId = 'wh_1') => history.add(endpointId, event, { ...ended, ok: true, ts })
  const count = async () => (await kept.list('wh_1', {}, { limit: 1000 })).items.length
  return { history, clock, lines, kept, add, count }
}

t.test('what a dispatcher ended is there, for a dispatcher that comes later, and can be sent again', async (t) => {
  const { history } = aHistory()
  const first = aDispatcher({}, { lasting: history })
  await anEndpoint(first)
  await first.dispatcher.start()
  first.transport.answer = () => answered(404, 'no such hook')
  first.audit.record(LOGIN)
  await settle(5)
  const [sent] = first.transport.sent
  await first.dispatcher.close()

  const second = aDispatcher({}, { lasting: history, store: first.store })
  const { deliveries } = await history.page('wh_1', { outcome: 'failed' }, { limit: 5 })
  t.match(deliveries, [{ ok: false, status: 404, error: 'HTTP 404', responseBody: 'no such hook', attempt: 1 }])
  t.equal(deliveries[0]?.requestBody, String(sent?.body), 'the very bytes')
  const endpoint = await first.store.find('wh_1')
  if (endpoint === null) throw new Error('the endpoint is gone')
  await second.dispatcher.start()
  t.teardown(() => second.dispatcher.close())
  t.equal(await second.dispatcher.resend(endpoint, deliveries[0]?.messageId ?? ''), true)
  t.equal(await second.dispatcher.resend(endpoint, 'msg_unknown'), false)
  await settle()
  t.strictSame(second.transport.sent[0]?.body, sent?.body)
})

t.test('held to a number per endpoint, and to an age', async (t) => {
  const { history, clock, add, count } = aHistory({ maxPerEndpoint: 20 })
  for (let index = 0; index < 60; index += 1) add(clock.now() + index)
  await settle(10)
  t.ok((await count()) < 22, `${await count()} are kept`)
  const tasks = new Map<string, MaintenanceTask>()
  const maintenance = { declare: (task: MaintenanceTask) => void tasks.set(task.name, task) } as Maintenance
  history.sweptBy(maintenance, { name: 'kept', store: 'history' })
  const swept = (name: string) => tasks.get(name)?.work(new AbortController().signal)
  t.strictSame(
    [...tasks].map(([name, { store }]) => [name, store]),
    [
      ['kept', 'history'],
      ['kept-of-process', undefined]
    ]
  )
  add(clock.now() + 60)
  clock.advance(50)
  await settle(10)
  t.ok((await count()) > 20, 'some more than its number')
  const above = (await count()) - 20
  t.equal(await swept('kept-of-process'), above)
  t.equal(await count(), 20)
  t.equal(await swept('kept-of-process'), 0, 'no endpoint has grown since')
  clock.advance(3_599_950)
  t.equal(await swept('kept'), 0, 'the oldest is of its age')
  clock.advance(100)
  t.equal(await swept('kept'), 20)
  t.equal(await count(), 0)
  await history.close()
})

t.test('a store that is away costs entries, never a delivery; the log says how many', async (t) => {
  let away = true
  const { history, clock, lines, add, count } = aHistory({ maxPerEndpoint: 100_000 }, () => away)
  for (let index = 0; index < MAX_WAITING + 7; index += 1) add()
  await settle()
  await t.rejects(history.page('wh_1', {}, { limit: 5 }), { code: 'SVC_WEBHOOKS_UNAVAILABLE', statusCode: 503 })
  await t.rejects(history.eventOf('wh_1', 'msg_1'), { code: 'SVC_WEBHOOKS_UNAVAILABLE' })
  t.match(lines, [{ fields: { code: 'SVC_WEBHOOKS_HISTORY_DROPPED' } }, { fields: { code: 'SVC_WEBHOOKS_STORE' } }])
  away = false
  clock.advance(1_000)
  await settle(40)
  t.equal(await count(), MAX_WAITING)
  t.match(lines.at(-1), { fields: { code: 'SVC_WEBHOOKS_HISTORY_DROPPED', dropped: 7 } })
  await t.rejects(history.page('wh_1', {}, { limit: 0 }), { code: 'SVC_STORE_PAGE', statusCode: 400 })
})

t.test('closing writes what waits; what cannot be written is counted', async (t) => {
  const whole = aHistory()
  whole.add()
  await whole.history.close()
  t.equal(await whole.count(), 1)
  whole.add()
  await settle()
  t.equal(await whole.count(), 1, 'nothing is taken after that')
  const broken = aHistory({}, () => true)
  broken.add()
  await broken.history.close()
  t.match(broken.lines.at(-1), { fields: { code: 'SVC_WEBHOOKS_HISTORY_DROPPED', dropped: 1 } })
})

t.test('a deleted endpoint takes its history with it, what waits included', async (t) => {
  const { history, add, count } = aHistory()
  add()
  await settle()
  add()
  history.forget('wh_1')
  await settle(5)
  t.equal(await count(), 0)
})
