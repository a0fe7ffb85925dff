/** The list of requests on a Fastify of its own: bounded, filtered, read page by page, sampled, and of one application. */
import Fastify from 'fastify'
import svcKernel, { createAccessToken, currentRequest, guardHooks, requestChannels } from 'svc-kernel'
import t, { type Test } from 'tap'
import svcOps, { type SvcOpsOptions } from '../../src/index.ts'
import { RequestLog } from '../../src/requests/request-log.ts'
import { RequestRecord } from '../../src/requests/request-record.ts'

async function app(t: Test, requests: SvcOpsOptions['requests'] = { enabled: true }) {
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  await fastify.register(svcOps, { requests })
  fastify.accessGate.use({ allows: ({ user }) => user.roles.includes('ROLE_SVC_ADMIN') })
  fastify.addHook('onRequest', async (request) => {
    if (request.headers['x-admin'] === undefined) return
    request.token = createAccessToken({ type: 'session', user: { identifier: 'root', roles: ['ROLE_SVC_ADMIN'] } })
  })
  fastify.get('/n/:n', async ({ params }) => params)
  fastify.post('/n/:n', async ({ params }) => params)
  const list = (query = '') => fastify.inject({ url: `/svc/ops/api/requests${query}`, headers: { 'x-admin': '1' } })
  const urls = async (query = '') => (await list(query)).json().items.map(({ url }: RequestRecord) => url)
  return { fastify, list, urls }
}

t.test('closed to all but administrators', async (t) => {
  const { fastify, list } = await app(t)
  for (const url of ['/svc/ops/api/requests', '/svc/ops/api/requests/x']) {
    t.equal((await fastify.inject(url)).statusCode, 403, url)
  }
  t.equal((await list()).headers['cache-control'], 'no-store')
})

t.test('newest first, by page, by what is new, by filter', async (t) => {
  const { fastify, list, urls } = await app(t)
  for (const n of [1, 2, 3, 4, 5]) await fastify.inject(`/n/${n}`)
  await fastify.inject({ method: 'POST', url: '/n/6', payload: 'x', headers: { 'content-type': 'nothing/known' } })
  await fastify.inject('/nowhere')
  t.strictSame(await urls('?limit=2'), ['/nowhere', '/n/6'])
  const { nextCursor, items } = (await list('?limit=2')).json()
  t.strictSame(await urls(`?limit=2&cursor=${nextCursor}`), ['/n/5', '/n/4'])
  t.equal((await list('?limit=7')).json().nextCursor, null, 'the last page says so')
  await fastify.inject('/n/8')
  t.strictSame(await urls(`?after=${items[0].seq}`), ['/n/8'])
  t.strictSame(await urls('?method=POST'), ['/n/6'])
  t.strictSame(await urls('?status=404'), ['/nowhere'])
  t.strictSame(await urls('?status=4xx'), ['/nowhere', '/n/6'])
  t.strictSame(await urls('?route=/N/&limit=1'), ['/n/8'])
  t.strictSame(await urls('?minMs=600000'), [])
  t.strictSame(await urls('?until=1'), [])
  for (const bad of ['?status=abc', '?status=6xx', '?method=get', '?minMs=-1', '?nonsense=1', '?cursor=x']) {
    t.equal((await list(bad)).statusCode, 400, bad)
  }
})

t.test('one of two that came with the same id is the newer', async (t) => {
  const fastify = Fastify({ requestIdHeader: 'x-request-id' })
  t.teardown(() => fastify.close())
  await fastify.register(svcOps, { requests: { enabled: true } })
  fastify.accessGate.use({ allows: () => true })
  fastify.addHook('onRequest', async (request) => {
    request.token = createAccessToken({ type: 'session', user: { identifier: 'root' } })
  })
  fastify.get('/n/:n', async ({ params }) => params)
  for (const n of [1, 2]) await fastify.inject({ url: `/n/${n}`, headers: { 'x-request-id': 'same' } })
  t.equal((await fastify.inject('/svc/ops/api/requests/same')).json().url, '/n/2')
})

t.test('what a request causes beyond a bound is counted', async (t) => {
  const { fastify, list } = await app(t)
  fastify.get('/busy', async () => {
    t.equal(currentRequest()?.url, '/busy')
    for (let count = 0; count < 130; count += 1) {
      requestChannels.statement.publish({ connector: 'c', kind: 'select', table: null, durationMs: 1, failed: false })
    }
    return 'ok'
  })
  await fastify.inject('/busy')
  const [{ id }] = (await list('?route=/busy')).json().items
  const { statements, omitted } = (
    await fastify.inject({ url: `/svc/ops/api/requests/${id}`, headers: { 'x-admin': '1' } })
  ).json()
  t.strictSame([statements.length, omitted], [100, 30])
})

t.test('a sample of none keeps none; another application of the process has its own', async (t) => {
  const none = await app(t, { enabled: true, sample: 0 })
  const other = await app(t)
  await none.fastify.inject('/n/1')
  await other.fastify.inject('/n/2')
  t.strictSame(await none.urls(), [])
  t.strictSame(await other.urls(), ['/n/2'])
})

t.test('what was declared before is recorded as well, with what it caused', async (t) => {
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  fastify.addHook('onRequest', async (request) => {
    request.token = createAccessToken({ type: 'session', user: { identifier: 'root', roles: ['ROLE_SVC_ADMIN'] } })
  })
  await fastify.register(svcKernel)
  fastify.accessGate.use({ allows: () => true })
  fastify.get('/root', async () => 'root')
  await fastify.register(
    async (scope) => {
      scope.setNotFoundHandler((_request, reply) => reply.code(404).send('nothing'))
      scope.get('/child', guardHooks([[{ attribute: 'ROLE_EDITOR' }]]), async () => {
        requestChannels.statement.publish({ connector: 'c', kind: 'select', table: null, durationMs: 1, failed: false })
        return 'child'
      })
      await scope.register(async (inner) => inner.get('/inner', async () => 'inner'), { prefix: '/deep' })
    },
    { prefix: '/early' }
  )
  await fastify.register(svcOps, { requests: { enabled: true } })
  for (const url of ['/root', '/early/child', '/early/deep/inner', '/early/none']) await fastify.inject(url)
  const { items } = (await fastify.inject('/svc/ops/api/requests')).json()
  t.strictSame(
    items.map(({ url, status }: RequestRecord) => [url, status]),
    [
      ['/early/none', 404],
      ['/early/deep/inner', 200],
      ['/early/child', 200],
      ['/root', 200]
    ]
  )
  const { statements } = (await fastify.inject(`/svc/ops/api/requests/${items[2].id}`)).json()
  t.equal(statements.length, 1)
})

t.test('off: said so, and nobody listens', async (t) => {
  const { list } = await app(t, { enabled: false })
  t.match((await list()).json(), { statusCode: 404, code: 'SVC_OPS_REQUESTS_OFF' })
  t.notOk(requestChannels.decision.hasSubscribers)
})

t.test('a closed application listens to nothing', async (t) => {
  const { fastify } = await app(t)
  t.ok(requestChannels.decision.hasSubscribers)
  await fastify.close()
  t.notOk(requestChannels.decision.hasSubscribers)
})

t.test('bounded by number and by memory', async (t) => {
  const record = (url: string) => Object.assign(new RequestRecord('r', 0), { url })
  const gone: string[] = []
  const log = new RequestLog({ capacity: 3, maxBytes: 5000 }, ({ url }) => void gone.push(url))
  for (const url of ['a', 'b', 'c', 'd']) log.add(record(url))
  t.strictSame(gone, ['a'])
  log.add(record('e'.repeat(2000)))
  t.strictSame(gone, ['a', 'b', 'c', 'd'], 'a large one takes the place of several')
  t.ok(log.bytes <= 5000 && log.size === 1)
})

t.test('Q3: requests are searched and filtered on the server, behind any number of others', async (t) => {
  const { fastify, list, urls } = await app(t)
  fastify.get('/svc/shop/api/stock', async () => 'in')
  await fastify.inject('/n/wanted')
  for (let count = 0; count < 120; count += 1) await fastify.inject('/svc/shop/api/stock')
  await fastify.inject('/nowhere')
  t.strictSame(await urls('?own=false'), ['/nowhere', '/n/wanted'])
  t.strictSame(await urls('?own=true&limit=1'), ['/svc/shop/api/stock'])
  t.strictSame(await urls('?q=WANTED'), ['/n/wanted'])
  t.strictSame(await urls('?q=wanted&own=true'), [])
  t.strictSame(await urls('?q=stock&limit=1&status=2xx&method=GET'), ['/svc/shop/api/stock'])
  const [{ id }] = (await list('?q=wanted')).json().items
  t.strictSame(await urls(`?q=${id}&own=false`), ['/n/wanted'], 'by its id')
  const first = (await list('?limit=1&own=false')).json()
  t.strictSame(await urls(`?limit=1&own=false&cursor=${first.nextCursor}`), ['/n/wanted'], 'a page is of the filter')
  for (const bad of ['?q=', `?q=${'x'.repeat(201)}`, '?own=maybe']) t.equal((await list(bad)).statusCode, 400, bad)
})

t.test('Q3: calls to svc itself push no request of the application out', async (t) => {
  const { fastify, urls } = await app(t, { enabled: true, capacity: 20 })
  fastify.get('/svc/shop/api/stock', async () => 'in')
  for (let count = 1; count <= 20; count += 1) await fastify.inject(`/n/${count}`)
  for (let count = 0; count < 100; count += 1) await fastify.inject('/svc/shop/api/stock')
  t.equal((await urls('?own=false')).length, 20)
  t.equal((await urls('?own=true')).length, 5, 'a quarter as many beside them')
  t.equal((await urls()).length, 25)
  await fastify.inject('/n/21')
  t.strictSame((await urls('?own=false')).slice(-1), ['/n/2'], 'the oldest goes for one of its kind')
})
