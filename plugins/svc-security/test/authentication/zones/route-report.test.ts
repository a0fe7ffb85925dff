/** The report `svc routes` prints. */
import fastifyWebsocket from '@fastify/websocket'
import t from 'tap'
import { echoRoute, requires, securedApp } from '../../support/guarded-app.ts'
import { HeaderAuthenticator } from '../../support/tokens.ts'

t.test('one row per route: method, path, transports, zone, authenticators, requirement', async (t) => {
  const app = await securedApp({
    areas: { api: { pattern: '^/api', authenticators: ['key', 'anonymous'] } },
    parts: { authenticators: { key: new HeaderAuthenticator('key') } }
  })
  t.teardown(() => app.close())
  await app.register(fastifyWebsocket)
  await app.register(
    async (scope) => {
      echoRoute(scope, '/a', { requirement: requires('ROLE_A'), name: 'A.a', source: 'a.ts:3' })
      echoRoute(scope, '/open', { anonymous: true })
      echoRoute(scope, '/hook', { bypassFirewall: true, method: 'POST' })
      scope.get('/socket', { websocket: true }, () => {})
    },
    { prefix: '/api' }
  )
  app.route({ method: ['GET', 'PUT'], url: '/:x', handler: async () => 'x' })
  await app.ready()
  const common = { requirement: null, anonymous: false, bypassFirewall: false, source: null, byPath: false }
  t.match(app.firewall.report(), [
    {
      ...common,
      method: 'GET',
      path: '/api/a',
      transports: ['HTTP'],
      zone: 'api',
      authenticators: ['key', 'anonymous'],
      requirement: requires('ROLE_A'),
      name: 'A.a',
      source: 'a.ts:3'
    },
    { ...common, method: 'GET', path: '/api/open', zone: 'api', authenticators: [], anonymous: true },
    { ...common, method: 'POST', path: '/api/hook', zone: 'api', authenticators: [], bypassFirewall: true },
    { ...common, method: 'GET', path: '/api/socket', transports: ['WEBSOCKET'], zone: 'api', name: null },
    { ...common, method: 'GET,PUT', path: '/:x', zone: null, byPath: true, authenticators: [] }
  ])
  t.strictSame(
    app.firewall.report().map(({ authenticators }) => [...authenticators]),
    [['key', 'anonymous'], [], [], ['key', 'anonymous'], []]
  )
})

t.test('a zone is asked for by template or by the config of a route', async (t) => {
  const app = await securedApp({ areas: { api: { pattern: '^/api', authenticators: ['anonymous'] } } })
  t.teardown(() => app.close())
  app.get('/api/x', async ({ routeOptions }) => app.firewall.zoneOf(routeOptions.config)?.name)
  t.equal((await app.inject('/api/x')).body, 'api')
  t.match(app.firewall.zoneOf('/api/y'), { name: 'api', mode: 'first', realtime: true, authenticators: ['anonymous'] })
  t.equal(app.firewall.zoneOf('/x'), null)
  t.same(
    app.firewall.zones.map(({ name }) => name),
    ['api']
  )
  t.ok(Object.isFrozen(app.firewall.zones) && Object.isFrozen(app.firewall.zones[0]))
})
