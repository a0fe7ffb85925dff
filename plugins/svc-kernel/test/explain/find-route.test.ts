/** The route that answers a request, as a table. */
import t from 'tap'
import { routeFinder } from '../../src/explain/find-route.ts'
import type { ListedRoute } from '../../src/routes/route-inventory.ts'

const route = (methods: string[], path: string, ...transports: Array<'HTTP' | 'WEBSOCKET' | 'JOB'>): ListedRoute => ({
  methods,
  path,
  transports: transports.length === 0 ? ['HTTP'] : transports,
  anonymous: false,
  bypassFirewall: false,
  session: null,
  requirement: null,
  name: `${methods} ${path}`,
  source: null
})

const routes = [
  route(['GET'], '/a'),
  route(['POST', 'PUT'], '/a'),
  route(['GET'], '/a/:id'),
  route(['GET'], '/a/:id/parts/*'),
  route(['GET'], '/socket', 'WEBSOCKET'),
  route(['GET'], '/both', 'HTTP', 'WEBSOCKET'),
  route(['JOB'], '/sweep', 'JOB')
]

const rows: Array<[method: string, path: string, name: string | null, params?: object]> = [
  ['GET', '/a', 'GET /a'],
  ['GET', '/a?x=1', 'GET /a'],
  ['HEAD', '/a', 'GET /a'],
  ['PUT', '/a', 'POST,PUT /a'],
  ['DELETE', '/a', null],
  ['GET', '/a/', 'GET /a/:id', { id: '' }],
  ['GET', '/A', null],
  ['GET', '/a/7', 'GET /a/:id', { id: '7' }],
  ['GET', '/a/%37', 'GET /a/:id', { id: '7' }],
  ['GET', '/a/7/parts/x/y', 'GET /a/:id/parts/*', { id: '7', '*': 'x/y' }],
  ['WEBSOCKET', '/socket', 'GET /socket'],
  ['WEBSOCKET', '/both', 'GET /both'],
  ['WEBSOCKET', '/a', null],
  ['POST', '/sweep', null],
  ['GET', '/nothing', null]
]

for (const [method, path, name, params] of rows) {
  t.test(`${method} ${path}: ${name ?? 'none'}`, async (t) => {
    const found = routeFinder(routes)(method, path)
    t.equal(found?.route.name ?? null, name)
    if (params !== undefined) t.strictSame({ ...found?.params }, params)
  })
}

t.test('the options of the router of the application', async (t) => {
  t.ok(routeFinder(routes, { ignoreTrailingSlash: true, caseSensitive: false })('GET', '/A/'))
})
