/** What of a document one audience reads: operations by path, tag and guard, and nothing that only others refer to. */
import t from 'tap'
import type { Document } from '../../src/document/document.ts'
import { type Selection, selectDocument } from '../../src/document/selection.ts'

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const answers = (name: string) => ({ 200: { content: { 'application/json': { schema: ref(name) } } } })

const WHOLE: Document = {
  openapi: '3.1.0',
  info: { title: 'Shop' },
  paths: {
    '/api/orders': {
      get: { tags: ['orders'], responses: answers('Order'), security: [{ session: [] }] },
      post: { tags: ['orders'], responses: answers('Order'), security: [{ session: [] }], 'x-guard': 'ROLE_USER' }
    },
    '/api/orders/{id}': { get: { tags: ['orders'], responses: answers('Order') } },
    '/api/partners/{id}/reports': { get: { tags: ['reports'], responses: answers('Report') } },
    '/svc/users': {
      get: { tags: ['users'], responses: answers('User'), security: [{ apikey: [] }], 'x-guard': 'ROLE_SVC_ADMIN' },
      post: { tags: ['users'], responses: {}, 'x-guard': 'ROLE_SVC_ADMIN & svc:admin' }
    },
    '/svc/seldom': { get: { tags: ['users'], responses: {}, 'x-guard': 'ROLE_OPS & (ROLE_SVC_ADMIN | ROLE_CHIEF)' } }
  },
  components: {
    schemas: {
      Order: { properties: { price: ref('Money') } },
      Money: { type: 'object' },
      Report: { properties: { total: ref('Money') } },
      User: { properties: { name: ref('Name'), next: ref('User') } },
      Name: { type: 'string' },
      Event: { type: 'object' }
    },
    securitySchemes: { session: { type: 'apiKey' }, apikey: { type: 'http' }, mine: { type: 'http' } }
  },
  tags: [{ name: 'users' }, { name: 'orders' }, { name: 'webhooks' }],
  'x-websocket-routes': [
    { path: '/live/:id', name: 'live', guard: null, security: [] },
    { path: '/svc/feed', name: 'feed', guard: 'ROLE_SVC_ADMIN', security: [{ apikey: [] }] }
  ]
}

const ORDERS = ['get /api/orders', 'post /api/orders', 'get /api/orders/{id}']
const REPORTS = 'get /api/partners/{id}/reports'
const ADMIN = ['get /svc/users', 'post /svc/users']
/** Another role would do, so no administrator is required. */
const SELDOM = 'get /svc/seldom'

const table: [what: string, selection: Selection, operations: string[], sockets: string[]][] = [
  ['all', { administration: 'all' }, [...ORDERS, REPORTS, ...ADMIN, SELDOM], ['live', 'feed']],
  ['no administration', { administration: 'none' }, [...ORDERS, REPORTS, SELDOM], ['live']],
  ['administration alone', { administration: 'only' }, ADMIN, ['feed']],
  ['administration that nothing includes', { administration: 'included' }, [...ORDERS, REPORTS, SELDOM], ['live']],
  [
    'all of it included',
    { administration: 'included', include: ['/*'] },
    [...ORDERS, REPORTS, ...ADMIN, SELDOM],
    ['live', 'feed']
  ],
  ['included, for everyone', { administration: 'none', include: ['/svc/*'] }, [SELDOM], []],
  ['a path', { administration: 'all', include: ['/api/orders'] }, ORDERS.slice(0, 2), []],
  ['a path with a parameter', { administration: 'all', include: ['/api/orders/:id'] }, ORDERS.slice(2), []],
  [
    'the same in OpenAPI',
    { administration: 'all', include: ['/api/orders/{id}', '/live/{id}'] },
    ORDERS.slice(2),
    ['live']
  ],
  ['a star in the middle', { administration: 'all', include: ['/api/*/reports'] }, [REPORTS], []],
  ['a tag', { administration: 'all', include: ['reports', 'users'] }, [REPORTS, ...ADMIN, SELDOM], []],
  ['a tag is no part of a tag', { administration: 'all', include: ['report'] }, [], []],
  ['a dot is a dot', { administration: 'all', include: ['/api.orders'] }, [], []],
  ['exclude wins', { administration: 'all', include: ['/api/*'], exclude: ['orders'] }, [REPORTS], []],
  ['nothing included', { administration: 'all', include: [] }, [], []]
]

function operationsOf(document: Document): string[] {
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method} ${path}`)
  )
}

for (const [what, selection, operations, sockets] of table) {
  t.test(what, async (t) => {
    const document = selectDocument(WHOLE, selection)
    t.strictSame(operationsOf(document), operations)
    t.strictSame(
      (document['x-websocket-routes'] ?? []).map(({ name }) => name),
      sockets
    )
  })
}

t.test('components, schemes and tags go with the last operation that uses them', async (t) => {
  const open = selectDocument(WHOLE, { administration: 'none' })
  t.strictSame(Object.keys(open.components?.schemas ?? {}), ['Order', 'Money', 'Report', 'Event'])
  t.strictSame(Object.keys(open.components?.securitySchemes ?? {}), ['session', 'mine'])
  t.strictSame(
    open.tags?.map(({ name }) => name),
    ['users', 'orders', 'webhooks'],
    'a tag of another operation stays'
  )
  const orders = selectDocument(WHOLE, { administration: 'all', include: ['orders'] })
  t.strictSame(Object.keys(orders.components?.schemas ?? {}), ['Order', 'Money', 'Event'])
  t.strictSame(
    orders.tags?.map(({ name }) => name),
    ['orders', 'webhooks']
  )
  const administration = selectDocument(WHOLE, { administration: 'only' })
  t.strictSame(Object.keys(administration.components?.schemas ?? {}), ['User', 'Name', 'Event'])
  t.strictSame(Object.keys(administration.components?.securitySchemes ?? {}), ['apikey', 'mine'])
})

t.test('the whole document stays as it is', async (t) => {
  const before = structuredClone(WHOLE)
  selectDocument(WHOLE, { administration: 'none' })
  t.strictSame(WHOLE, before)
})
