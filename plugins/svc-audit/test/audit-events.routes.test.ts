/** The listing: closed without a jury, pages by cursor, and nothing misread in silence. */
import { connect } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import { type AuditEvent, createAccessToken } from 'svc-kernel'
import { ManualClock } from 'svc-stores/conformance'
import t, { type Test } from 'tap'
import svcAudit, { type Journal, type SvcAuditOptions, type SvcAuditParts } from '../src/index.ts'
import type { AuditStore } from '../src/storage/audit-store.ts'
import { MemoryAuditStore } from '../src/storage/memory-audit-store.ts'

const PATH = '/svc/security/api/audit/events'
const EXPORT = '.ndjson'

type Given = SvcAuditOptions & { parts?: SvcAuditParts }

/** An application whose caller holds the roles of the header `x-roles`. */
async function app(t: Test, given: Given = {}, mode: 'production' | 'development' = 'production') {
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  fastify.decorate('appHost', { name: 'app', root: '/', mode, checkOnly: false, importModule: async () => ({}) })
  await fastify.register(svcAudit, { ...given, parts: { clock: new ManualClock(), ...given.parts } })
  fastify.addHook('onRequest', async (request) => {
    const roles = request.headers['x-roles']
    if (typeof roles !== 'string') return
    request.token = createAccessToken({ type: 'session', user: { identifier: 'root', roles: roles.split(',') } })
  })
  return fastify
}

function letIn(fastify: FastifyInstance): void {
  fastify.accessGate.use({
    allows: (token, requirement) =>
      requirement.every((clause) => clause.some(({ attribute }) => token.user.roles.includes(attribute)))
  })
}

function get(fastify: FastifyInstance, query = '', roles = 'ROLE_SVC_ADMIN') {
  return fastify.inject({ url: `${PATH}${query}`, headers: { 'x-roles': roles } })
}

function fill(fastify: FastifyInstance, count: number): void {
  for (let index = 0; index < count; index += 1) {
    const denied = index % 2 === 0
    fastify.audit.record({
      category: denied ? 'authz' : 'auth',
      action: denied ? 'access.denied' : 'login.success',
      outcome: denied ? 'denied' : 'success',
      requestId: `req-${index}`,
      actor: index % 3 === 0 ? 'alice' : 'bob',
      resource: `r${index}`
    })
  }
}

t.test('without a jury, without an identity, without the role: 403', async (t) => {
  const fastify = await app(t)
  t.equal((await get(fastify)).statusCode, 403, 'no engine')
  letIn(fastify)
  t.equal((await fastify.inject(PATH)).statusCode, 403, 'no identity')
  t.equal((await get(fastify, '', 'ROLE_USER')).statusCode, 403, 'another role')
  t.equal((await get(fastify, '?nonsense=1', 'ROLE_USER')).statusCode, 403, 'before any validation')
  t.equal((await fastify.inject({ method: 'HEAD', url: PATH })).statusCode, 403, 'HEAD too')
  t.equal((await get(fastify)).statusCode, 200)
})

t.test('over a raw socket, forms of the path reach the guard or nothing', async (t) => {
  const fastify = await app(t)
  letIn(fastify)
  await fastify.listen({ port: 0, host: '127.0.0.1' })
  const { port } = fastify.server.address() as { port: number }
  for (const target of [PATH, '/svc/security/%61pi/audit/events', `http://x${PATH}`, `${PATH}/`, `//${PATH}`]) {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.end(`GET ${target} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`)
    const answer = (await socket.setEncoding('utf8').toArray()).join('')
    t.match(answer, /^HTTP\/1\.1 (403|404)/, target)
  }
})

t.test('events newest first, whole, not to be cached', async (t) => {
  const fastify = await app(t)
  letIn(fastify)
  fill(fastify, 3)
  const response = await get(fastify)
  t.equal(response.headers['cache-control'], 'no-store')
  const { items, ...page } = response.json()
  t.strictSame(page, { limit: 100, hasNext: false, nextCursor: null })
  t.strictSame(items, JSON.parse(JSON.stringify(fastify.audit.recent(3))))
})

t.test('the cursor walks all pages', async (t) => {
  const fastify = await app(t)
  letIn(fastify)
  fill(fastify, 25)
  const seen: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const response = await get(fastify, `?limit=10${cursor && `&cursor=${encodeURIComponent(cursor)}`}`)
    const page = response.json() as { items: AuditEvent[]; nextCursor: string | null }
    seen.push(...page.items.map(({ resource }) => resource ?? ''))
    cursor = page.nextCursor
  }
  t.strictSame(
    seen,
    Array.from({ length: 25 }, (_, index) => `r${24 - index}`)
  )
})

const filters: [query: string, expected: string[]][] = [
  ['?category=auth', ['r5', 'r3', 'r1']],
  ['?action=access.denied', ['r4', 'r2', 'r0']],
  ['?outcome=success', ['r5', 'r3', 'r1']],
  ['?actor=alice', ['r3', 'r0']],
  ['?actor=alice&outcome=denied', ['r0']],
  ['?requestId=req-4', ['r4']],
  ['?requestId=req-9', []],
  ['?since=9999999999999', []],
  ['?until=1', []],
  ['?limit=2', ['r5', 'r4']],
  ['?limit=0', ['r5']],
  ['?limit=-7', ['r5']]
]

for (const [query, expected] of filters) {
  t.test(`filters ${query}`, async (t) => {
    const fastify = await app(t)
    letIn(fastify)
    fill(fastify, 6)
    const { items } = (await get(fastify, query)).json() as { items: AuditEvent[] }
    t.strictSame(
      items.map(({ resource }) => resource),
      expected
    )
  })
}

t.test('a limit above 500 is 500', async (t) => {
  const fastify = await app(t)
  letIn(fastify)
  fill(fastify, 510)
  const page = (await get(fastify, '?limit=9999')).json()
  t.strictSame([page.limit, page.items.length, page.hasNext], [500, 500, true])
})

const malformed = [
  '?categories=auth',
  '?category=nonsense',
  '?action=login.*',
  '?outcome=ok',
  '?outcome=denied&outcome=failure',
  '?actor=',
  '?requestId=',
  '?since=yesterday',
  '?since=-1',
  '?limit=ten',
  '?limit=1.5',
  '?limit=1&limit=2',
  '?cursor=1',
  '?cursor=1:a%27%20OR%201',
  '?order=ts:ASC',
  '?__proto__=1'
]

for (const query of malformed) {
  t.test(`400 for ${query}`, async (t) => {
    const fastify = await app(t)
    letIn(fastify)
    t.equal((await get(fastify, query)).statusCode, 400)
  })
}

t.test('a store that fails is 503, and says nothing of itself', async (t) => {
  const store: AuditStore = {
    append: async () => {},
    list: async () => {
      throw new Error('connect ECONNREFUSED 10.0.0.5:5432 password=x')
    },
    purge: async () => 0
  }
  const fastify = await app(t, { parts: { stores: { audit: store } } })
  letIn(fastify)
  const response = await get(fastify)
  t.equal(response.statusCode, 503)
  t.equal(response.json().code, 'SVC_AUDIT_UNAVAILABLE')
  t.notMatch(response.body, /10\.0\.0\.5|password/)
})

t.test('a disabled store is 503; the journal goes on in memory', async (t) => {
  const fastify = await app(t, { store: 'docdb' }, 'development')
  letIn(fastify)
  fill(fastify, 2)
  t.equal(fastify.audit.recent(5).length, 2)
  t.equal((await get(fastify)).statusCode, 503)
})

for (const form of ['/aud_1', EXPORT]) {
  t.test(`${form} is closed as the listing is`, async (t) => {
    const fastify = await app(t)
    t.equal((await get(fastify, form)).statusCode, 403, 'no engine')
    letIn(fastify)
    t.equal((await fastify.inject(`${PATH}${form}`)).statusCode, 403, 'no identity')
    t.equal((await get(fastify, form, 'ROLE_USER')).statusCode, 403, 'another role')
    t.equal((await get(fastify, `${form}?nonsense=1`, 'ROLE_USER')).statusCode, 403, 'before any validation')
  })

  t.test(`${form} of a disabled store, and of one that fails: 503`, async (t) => {
    const disabled = await app(t, { store: 'docdb' }, 'development')
    letIn(disabled)
    t.equal((await get(disabled, form)).statusCode, 503)
    const store = storeOf(async () => {
      throw new Error('password=x')
    })
    const failing = await app(t, { parts: { stores: { audit: store } } })
    letIn(failing)
    const response = await get(failing, form)
    t.equal(response.json().code, 'SVC_AUDIT_UNAVAILABLE')
    t.notMatch(response.body, /password/)
  })
}

function storeOf(list: AuditStore['list']): AuditStore {
  return { append: async () => {}, list, purge: async () => 0 }
}

t.test('one event by its id', async (t) => {
  const fastify = await app(t)
  letIn(fastify)
  fill(fastify, 3)
  const [, wanted] = fastify.audit.recent(3)
  const response = await get(fastify, `/${wanted?.id}`)
  t.equal(response.headers['cache-control'], 'no-store')
  t.strictSame(response.json(), JSON.parse(JSON.stringify(wanted)))
  const unknown = await get(fastify, '/aud_none')
  t.strictSame([unknown.statusCode, unknown.json().code], [404, 'SVC_AUDIT_EVENT_UNKNOWN'])
  t.equal((await get(fastify, '/a%00b')).statusCode, 400)
})

t.test('a store that knows no filter by id gives no other event', async (t) => {
  const other = { id: 'aud_other', ts: 1 } as AuditEvent
  const store = storeOf(async () => ({ items: [other], limit: 1, hasNext: false, nextCursor: null }))
  const fastify = await app(t, { parts: { stores: { audit: store } } })
  letIn(fastify)
  t.equal((await get(fastify, '/aud_1')).statusCode, 404)
})

t.test('the export holds every event of a filter, one per line, over several pages', async (t) => {
  const fastify = await app(t)
  letIn(fastify)
  fill(fastify, 1203)
  const response = await get(fastify, EXPORT)
  t.equal(response.headers['content-type'], 'application/x-ndjson')
  t.match(response.headers['content-disposition'], /^attachment/)
  t.equal(response.headers['cache-control'], 'no-store')
  const lines = response.body.trimEnd().split('\n')
  t.strictSame(
    lines.map((line) => JSON.parse(line)),
    JSON.parse(JSON.stringify(fastify.audit.recent(1203)))
  )
  const filtered = await get(fastify, `${EXPORT}?actor=alice&outcome=denied`)
  t.equal(filtered.body.trimEnd().split('\n').length, 201)
  const empty = await get(fastify, `${EXPORT}?until=1`)
  t.strictSame([empty.statusCode, empty.body], [200, ''])
  for (const query of ['?limit=1', '?cursor=1:a', '?category=nonsense', '?nonsense=1']) {
    t.equal((await get(fastify, `${EXPORT}${query}`)).statusCode, 400, query)
  }
  t.equal((await fastify.inject({ method: 'HEAD', url: `${PATH}${EXPORT}` })).statusCode, 404, 'HEAD reads no export')
})

t.test('an export ends after 100000 events, of a store without end too', async (t) => {
  let asked = 0
  const store = storeOf(async (_filter, { limit }) => {
    asked += 1
    const items = Array.from({ length: limit }, () => ({ id: 'aud_1', ts: 1 }) as AuditEvent)
    return { items, limit, hasNext: true, nextCursor: '1:aud_1' }
  })
  const fastify = await app(t, { parts: { stores: { audit: store } } })
  letIn(fastify)
  const { body } = await get(fastify, EXPORT)
  t.strictSame([body.split('\n').length - 1, asked], [100_000, 200])
})

t.test('a store that fails on the way breaks the connection', async (t) => {
  const store = storeOf(async (_filter, { limit, cursor }) => {
    if (cursor !== undefined) throw new Error('gone')
    const items = [{ id: 'aud_1', ts: 1 } as AuditEvent]
    return { items, limit, hasNext: true, nextCursor: '1:aud_1' }
  })
  const fastify = await app(t, { parts: { stores: { audit: store } } })
  letIn(fastify)
  const origin = await fastify.listen({ port: 0, host: '127.0.0.1' })
  const response = await fetch(`${origin}${PATH}${EXPORT}`, { headers: { 'x-roles': 'ROLE_SVC_ADMIN' } })
  await t.rejects(response.text())
})

t.test('a durable store is written behind the journal, and emptied into at the end', async (t) => {
  const store = new MemoryAuditStore({ clock: new ManualClock() })
  const { append, list, purge } = store
  const durable: AuditStore = { append: append.bind(store), list: list.bind(store), purge: purge.bind(store) }
  const fastify = await app(t, { parts: { stores: { audit: durable } } })
  fill(fastify, 5)
  t.equal(store.events.size, 0)
  await fastify.close()
  t.equal(store.events.size, 5)
  t.equal((fastify.audit as Journal).dropped, 0)
  t.strictSame([...store.events.newest()], [...fastify.audit.recent(5)])
})

t.test('the catalogue, for administrators', async (t) => {
  const fastify = await app(t)
  letIn(fastify)
  const url = '/svc/security/api/audit/catalogue'
  t.equal((await fastify.inject({ url, headers: { 'x-roles': 'ROLE_USER' } })).statusCode, 403)
  const answer = await fastify.inject({ url, headers: { 'x-roles': 'ROLE_SVC_ADMIN' } })
  const { actions } = answer.json()
  t.equal(actions.length, fastify.audit.catalogue?.size)
  t.match(actions[0], { action: 'login.success', category: 'auth', outcomes: ['success'], when: String })
})

t.test('Q4, Q5: the listing looks for a text, and goes on until a known event is met', async (t) => {
  const fastify = await app(t)
  letIn(fastify)
  fill(fastify, 300)
  const { items } = (await get(fastify, '?limit=500')).json()
  const ids: string[] = items.map(({ id }: AuditEvent) => id)
  const found = (await get(fastify, '?q=R12&limit=200')).json().items as AuditEvent[]
  t.strictSame(
    found.map(({ resource }) => resource),
    ['r129', 'r128', 'r127', 'r126', 'r125', 'r124', 'r123', 'r122', 'r121', 'r120', 'r12'],
    'among all 300, though the first page shows 100'
  )
  const seen: string[] = []
  for (let cursor = ''; ; ) {
    const page = (await get(fastify, `?after=${ids[250]}&limit=100${cursor}`)).json()
    seen.push(...page.items.map(({ id }: AuditEvent) => id))
    if (page.nextCursor === null) break
    cursor = `&cursor=${page.nextCursor}`
  }
  t.strictSame(seen, ids.slice(0, 250))
  t.match((await get(fastify, '?after=aud_gone')).json(), { statusCode: 404, code: 'SVC_AUDIT_EVENT_UNKNOWN' })
  for (const bad of ['?q=', `?q=${'x'.repeat(201)}`, '?after=', '?after=a%20b']) {
    t.equal((await get(fastify, bad)).statusCode, 400, bad)
  }
  const lines = (await get(fastify, `${EXPORT}?q=r12`)).body.trim().split('\n')
  t.equal(lines.length, 11, 'an export has what the list shows')
})
