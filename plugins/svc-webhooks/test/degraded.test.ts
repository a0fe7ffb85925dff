/** Degraded endpoints: in a list, as a filter and in the statistics by what this instance saw, alone by the history. */
import { inMemory } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import { RecentOutcomeCounts } from '../src/delivery/recent-outcomes.ts'
import { webhooksStore } from '../src/endpoints/endpoint-store.ts'
import { aWebhook } from '../src/endpoints/endpoint-store-conformance.ts'
import { historyStore } from '../src/history/history-store.ts'
import { anEntry } from '../src/history/history-store-conformance.ts'
import { LastingHistory } from '../src/history/lasting-history.ts'
import type { OpenWebhooks } from '../src/open-webhooks.ts'
import { Webhooks } from '../src/webhooks.ts'
import { listeningLog } from './support/delivery-fixtures.ts'

async function registry() {
  const clock = new ManualClock()
  const { log } = listeningLog()
  const store = inMemory(webhooksStore, { clock })
  for (const id of ['wh_half', 'wh_good', 'wh_failing', 'wh_paused']) {
    await store.create(aWebhook({ id, url: `https://${id}.example/`, enabled: id !== 'wh_paused' }))
  }
  await store.recordFailure('wh_failing', 500, 'HTTP 500')
  const outcomes = new RecentOutcomeCounts()
  for (let number = 0; number < 10; number += 1) {
    for (const id of ['wh_half', 'wh_failing', 'wh_paused']) outcomes.add(id, clock.now(), number % 2 === 0, 1)
    outcomes.add('wh_good', clock.now(), true, 1)
  }
  const history = inMemory(historyStore, { clock })
  const dispatcher = { outcomes, droppedOf: () => 0, state: async () => ({ size: 0, inFlight: 0, dropped: 0 }) }
  const open = { driver: 'memory', store, clock, dispatcher, catalogue: undefined, lasting: null }
  const lasting = new LastingHistory({ store: history, clock, log, maxAgeS: 1e6, maxPerEndpoint: 1000 })
  const of = (given: object) => new Webhooks({ ...open, ...given } as unknown as OpenWebhooks)
  return { clock, history, lasting, of }
}

const idsOf = async (webhooks: Webhooks, degraded: boolean) =>
  (await webhooks.list({ degraded })).endpoints.map(({ id }) => id).sort()

t.test('enabled, without a failure in a row, and with a degraded day', async (t) => {
  const { clock, of } = await registry()
  const webhooks = of({})
  t.strictSame(await idsOf(webhooks, true), ['wh_half'])
  t.strictSame(await idsOf(webhooks, false), ['wh_failing', 'wh_good', 'wh_paused'])
  t.match(await webhooks.stats(), { total: 4, active: 3, disabled: 1, failing: 1, degraded: 1 })
  t.match(await webhooks.stats({ q: 'good' }), { total: 1, degraded: 0 })
  const { endpoints } = await webhooks.list()
  for (const { id, degraded } of endpoints) t.equal(degraded, id === 'wh_half', id)
  t.strictSame(await idsOf(of({ dispatcher: null }), true), [], 'nothing is delivered here')
  clock.advance(25 * 3_600_000)
  t.strictSame(await idsOf(webhooks, true), [], 'a day later')
})

t.test('a single endpoint is judged by the history, while that answers', async (t) => {
  const { clock, history, lasting, of } = await registry()
  t.teardown(() => lasting.close())
  const webhooks = of({ lasting })
  const entry = (id: string, outcome: 'delivered' | 'exhausted', index: number) =>
    anEntry({ id: `dlv_${id}_${index}`, endpointId: id, ts: clock.now(), outcome })
  await history.append([0, 1, 2, 3, 4].map((index) => entry('wh_half', 'delivered', index)))
  await history.append([0, 1, 2, 3, 4].map((index) => entry('wh_good', 'exhausted', index)))
  t.equal((await webhooks.find('wh_half')).degraded, false)
  t.equal((await webhooks.find('wh_good')).degraded, true)
  history.counts = async () => Promise.reject(new Error('away'))
  t.equal((await webhooks.find('wh_half')).degraded, true)
  history.counts = undefined as never
  t.equal((await webhooks.find('wh_good')).degraded, false, 'a store that does not count')
})
