/** The listing and the counters: pages, orders, filters, and what is refused. */
import t, { type Test } from 'tap'
import { webhooksStore } from '../../src/endpoints/endpoint-store.ts'
import { openApp } from '../support/admin-app.ts'

async function filled(t: Test) {
  const app = await openApp(t)
  for (let index = 0; index < 6; index += 1) {
    const url = `https://h${index}.example/${index % 2 ? 'Odd' : 'even'}`
    await app.call('POST', '', {
      url,
      events: [index < 3 ? 'login.*' : '*'],
      description: `n${index}`,
      enabled: index > 0
    })
    app.clock.advance(1000)
  }
  const { store } = app.fastify.stores.select(webhooksStore, 'auto')
  const { endpoints } = (await app.call('GET')).body
  await store?.recordFailure(endpoints[0].id, 500, 'HTTP 500')
  return app
}

const pages: [query: string, names: string][] = [
  ['', 'n5 n4 n3 n2 n1 n0'],
  ['?limit=2', 'n5 n4'],
  ['?limit=2&offset=2', 'n3 n2'],
  ['?limit=0', 'n5'],
  ['?limit=-3', 'n5'],
  ['?limit=500', 'n5 n4 n3 n2 n1 n0'],
  ['?order=createdAt:ASC', 'n0 n1 n2 n3 n4 n5'],
  ['?order=url:DESC', 'n5 n4 n3 n2 n1 n0'],
  ['?order=enabled:ASC,url:ASC', 'n0 n1 n2 n3 n4 n5'],
  ['?order=failureCount:DESC,createdAt:ASC', 'n5 n0 n1 n2 n3 n4'],
  ['?sort=url', 'n0 n1 n2 n3 n4 n5'],
  ['?sort=url:DESC', 'n5 n4 n3 n2 n1 n0'],
  ['?enabled=false', 'n0'],
  ['?enabled=true&limit=2', 'n5 n4'],
  ['?event=*', 'n5 n4 n3'],
  ['?event=login.*', 'n2 n1 n0'],
  ['?event=login', ''],
  ['?failing=true', 'n5'],
  ['?degraded=true', ''],
  ['?degraded=false', 'n5 n4 n3 n2 n1 n0'],
  ['?failing=false&order=id:ASC&limit=1&event=nothing', ''],
  ['?q=ODD', 'n5 n3 n1'],
  ['?q=n4', 'n4'],
  ['?q=%25', ''],
  ['?q=.*', ''],
  ["?q='%20OR%201=1%20--", '']
]

t.test('pages', async (t) => {
  const { call } = await filled(t)
  for (const [query, names] of pages) {
    const { status, body } = await call('GET', query)
    t.equal(status, 200, query)
    t.equal(body.endpoints.map(({ description }: { description: string }) => description).join(' '), names, query)
  }
  t.match((await call('GET', '?limit=4')).body, {
    enabled: true,
    driver: 'memory',
    total: 6,
    limit: 4,
    offset: 0,
    hasNext: true
  })
  t.match((await call('GET', '?limit=500')).body, { limit: 200, hasNext: false })
  t.match((await call('GET')).body, { limit: 50 })
})

const refused: [query: string, text: RegExp][] = [
  ['?sort=lastDeliveryAt', /createdAt, updatedAt, url, enabled, failureCount, id/],
  ['?order=secretEnc:ASC', /cannot sort by \\"secretEnc\\"/],
  ['?order=url:asc', /ASC or DESC/],
  ['?order=url:ASC:DESC', /ASC or DESC/],
  ['?order=url,url', /without repeated fields/],
  ['?order=', /order/],
  ['?order=url&sort=url', /absent with order/],
  ['?order[url]=ASC', /is not a known parameter/],
  ['?order=__proto__:ASC', /cannot sort by/],
  ['?limit=many', /limit/],
  ['?limit=1.5', /limit/],
  ['?limit=1&limit=2', /limit/],
  ['?offset=-1', /offset/],
  ['?offset=99999999999999999999', /offset/],
  ['?enabled=yes', /enabled/],
  ['?failing=2', /failing/],
  ['?degraded=2', /degraded/],
  ['?q=', /"\/q"/],
  [`?q=${'x'.repeat(201)}`, /"\/q"/],
  ['?status=500', /is not a known parameter/],
  ['?search=x', /is not a known parameter/]
]

t.test('what is refused, and why', async (t) => {
  const { call } = await filled(t)
  for (const [query, text] of refused) {
    const { status, body } = await call('GET', query)
    t.equal(status, 400, query)
    t.match(JSON.stringify(body), text, query)
  }
})

t.test('counters follow the term', async (t) => {
  const { call } = await filled(t)
  const queue = { size: 0, inFlight: 0, dropped: 0 }
  t.strictSame((await call('GET', '/stats')).body, {
    enabled: true,
    total: 6,
    active: 5,
    disabled: 1,
    failing: 1,
    degraded: 0,
    queue
  })
  for (const name of ['q', 'search']) {
    t.match((await call('GET', `/stats?${name}=even`)).body, { total: 3, active: 2, disabled: 1, failing: 0 }, name)
  }
  for (const query of ['?q=a&search=b', '?enabled=true', '?q=']) {
    t.equal((await call('GET', `/stats${query}`)).status, 400, query)
  }
})
