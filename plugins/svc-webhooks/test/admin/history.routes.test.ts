/** Deliveries over HTTP: filters, pages, and an answer of their own for what cannot be reached. */
import { inMemory } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import { historyStore } from '../../src/history/history-store.ts'
import { anEntry } from '../../src/history/history-store-conformance.ts'
import { openApp } from '../support/admin-app.ts'

const GIVEN = { url: 'https://a.example/hook', events: ['*'] }

t.test('filters and pages of a history that lasts', async (t) => {
  const history = inMemory(historyStore, { clock: new ManualClock() })
  const { call } = await openApp(t, { options: { history: {}, parts: { stores: { history } } } })
  const { id: endpointId } = (await call('POST', '', GIVEN)).body.endpoint
  const { ts } = anEntry()
  await history.append([
    ...Array.from({ length: 5 }, (_, index) => anEntry({ id: `dlv_${index}`, endpointId, ts: ts + index })),
    anEntry({ id: 'dlv_f', endpointId, ts: ts + 9, outcome: 'failed', status: 404, type: 'logout', messageId: 'msg_f' })
  ])
  const path = `/${endpointId}/deliveries`
  const rows: [query: string, found: number][] = [
    ['', 6],
    ['?outcome=failed', 1],
    ['?status=404', 1],
    ['?event=login.failure', 5],
    [`?since=${ts + 2}&until=${ts + 3}`, 2],
    ['?messageId=msg_f', 1],
    ['?messageId=msg_none', 0],
    ['?outcome=exhausted', 0]
  ]
  for (const [query, found] of rows) {
    const { status, body } = await call('GET', `${path}${query}`)
    t.strictSame([status, body.deliveries.length], [200, found], query)
  }
  const first = (await call('GET', `${path}?limit=4`)).body
  const second = (await call('GET', `${path}?limit=4&cursor=${encodeURIComponent(first.nextCursor)}`)).body
  t.strictSame([first.deliveries.length, second.deliveries.length, second.nextCursor], [4, 2, null])
  t.notOk('event' in first.deliveries[0] || 'endpointId' in first.deliveries[0])
  for (const query of ['?outcome=lost', '?status=x', '?since=-1', '?q=1', '?cursor=x']) {
    t.equal((await call('GET', `${path}${query}`)).status, 400, query)
  }
  t.equal((await call('GET', '/wh_x/deliveries')).status, 404, 'absent')
  history.list = async () => Promise.reject(new Error('away'))
  const away = await call('GET', path)
  t.match([away.status, away.body.code], [503, 'SVC_WEBHOOKS_UNAVAILABLE'], 'out of reach')
})

t.test('the same filters on what an instance remembers', async (t) => {
  const { call, fastify } = await openApp(t)
  const { id } = (await call('POST', '', { ...GIVEN, enabled: false })).body.endpoint
  for (const path of ['', '?outcome=failed', '?limit=1', '?cursor=1:msg_a']) {
    const { pending: _, ...body } = (await call('GET', `/${id}/deliveries${path}`)).body
    t.strictSame(body, { nextCursor: null, deliveries: [] })
  }
  t.equal((await call('GET', `/${id}/deliveries?cursor=x`)).status, 400)
  t.strictSame(await fastify.webhooks.deliveries(id), [])
})

t.test('a list has the outcomes of the last day where it is asked to', async (t) => {
  const { call } = await openApp(t)
  const { id } = (await call('POST', '', GIVEN)).body.endpoint
  t.notOk('recent' in (await call('GET', '')).body.endpoints[0])
  t.match((await call('GET', '?recent=true')).body.endpoints, [{ id, recent: null }])
  t.equal((await call('GET', '?recent=no')).status, 400)
})
