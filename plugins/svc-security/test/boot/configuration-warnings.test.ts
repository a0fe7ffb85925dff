/** Warnings at boot: what is declared but will only ever refuse, or never be tried. */
import t from 'tap'
import type { SvcSecurityOptions } from '../../src/index.ts'
import { echoRoute, requires, securedApp } from '../support/guarded-app.ts'
import { logLines, WARN } from '../support/log-lines.ts'
import { HeaderAuthenticator } from '../support/tokens.ts'

type Route = [url: string, ...attributes: string[]]

async function warnings(options: SvcSecurityOptions, routes: Route[] = []) {
  const { lines, logger } = logLines()
  const authenticators = { cookie: new HeaderAuthenticator('cookie'), key: new HeaderAuthenticator('key') }
  const app = await securedApp({ ...options, parts: { authenticators } }, { logger })
  for (const [url, ...attributes] of routes) {
    echoRoute(app, url, attributes.length > 0 ? { requirement: requires(...attributes) } : {})
  }
  await app.ready()
  await app.close()
  return lines.filter(({ level }) => level === WARN).map(({ code, msg, at, fix }) => ({ code, msg, at, fix }))
}

const zone = (pattern: string, ...authenticators: string[]) => ({ pattern, authenticators })
const all = { all: zone('^/', 'cookie', 'anonymous') }

const rows: Array<[title: string, options: SvcSecurityOptions, routes: Route[], expected: object[]]> = [
  ['nothing to say', all, [['/x', 'ROLE_ADMIN', 'orders:read']], []].map((part, index) =>
    index === 1 ? { areas: all } : part
  ) as [string, SvcSecurityOptions, Route[], object[]],
  [
    'anonymous first',
    { areas: { api: zone('^/api', 'anonymous', 'cookie') } },
    [],
    [
      {
        code: 'SVC_ZONE_ORDER',
        msg: 'areas.api.authenticators[0] = anonymous accepts every request; cookie is never tried',
        at: 'svc-security.areas.api.authenticators[0]',
        fix: 'move it last'
      }
    ]
  ],
  [
    'anonymous in the middle',
    { areas: { api: zone('^/api', 'key', 'anonymous', 'cookie') } },
    [],
    [{ code: 'SVC_ZONE_ORDER', msg: /authenticators\[1\] = anonymous .* cookie is never tried/ }]
  ],
  [
    'anonymous in mode all',
    { areas: { api: { ...zone('^/api', 'cookie', 'anonymous'), mode: 'all' } } },
    [],
    [{ code: 'SVC_ZONE_ORDER', msg: /second subject/ }]
  ],
  [
    'a zone in the shadow of an earlier one',
    { areas: { api: zone('^/api', 'key'), admin: zone('^/api/admin', 'cookie') } },
    [],
    [
      {
        code: 'SVC_ZONE_UNREACHABLE',
        msg: 'areas.admin (^/api/admin) has no route: areas.api (^/api) comes first and matches them all',
        at: 'svc-security.areas.admin',
        fix: 'declare admin before api'
      }
    ]
  ],
  ['in the right order', { areas: { admin: zone('^/api/admin', 'cookie'), api: zone('^/api', 'key') } }, [], []],
  ['an earlier one that ends', { areas: { a: zone('^/api$', 'cookie'), b: zone('^/api/x', 'key') } }, [], []],
  [
    'a guarded route outside every zone, one line per route',
    { areas: { api: zone('^/api', 'cookie') } },
    [['/x', 'ROLE_USER'], ['/y/:id', 'ROLE_USER'], ['/api/z', 'ROLE_USER'], ['/free']],
    [
      { code: 'SVC_GUARD_NO_ZONE', msg: 'GET /x is guarded but no area matches; every call will be 403' },
      { code: 'SVC_GUARD_NO_ZONE', msg: 'GET /y/:id is guarded but no area matches; every call will be 403' }
    ]
  ],
  [
    'a guarded route whose parameter decides',
    { areas: { api: zone('^/api', 'cookie') } },
    [['/:tenant/x', 'ROLE_USER']],
    [
      {
        code: 'SVC_GUARD_NO_ZONE',
        msg: 'GET /:tenant/x is guarded but no area matches its template; calls outside every area will be 403'
      }
    ]
  ],
  [
    'a misspelt prefix',
    { areas: all },
    [
      ['/x', 'ROL_ADMIN'],
      ['/y', 'ROL_ADMIN']
    ],
    [{ code: 'SVC_NO_VOTER', msg: 'no voter supports "ROL_ADMIN" (did you mean ROLE_ADMIN?)', at: 'GET /x' }]
  ],
  [
    'a verb near another',
    { areas: all },
    [
      ['/x', 'orders:read'],
      ['/y', 'orders_read']
    ],
    [{ code: 'SVC_NO_VOTER', msg: 'no voter supports "orders_read" (did you mean orders:read?)' }]
  ],
  [
    'a verb like nothing else',
    { areas: all },
    [['/x', 'approve']],
    [{ code: 'SVC_NO_VOTER', msg: 'no voter supports "approve"' }]
  ]
]

for (const [title, options, routes, expected] of rows) {
  t.test(title, async (t) => {
    const given = await warnings(options, routes)
    t.match(given, expected)
    t.equal(given.length, expected.length)
  })
}

t.test('the warning of a controller route points at its source', async (t) => {
  const { lines, logger } = logLines()
  const app = await securedApp({}, { logger })
  echoRoute(app, '/x', { requirement: requires('ROLE_USER'), source: 'controllers/ping.ts:12' })
  await app.ready()
  t.teardown(() => app.close())
  t.match(
    lines.filter(({ level }) => level === WARN),
    [{ code: 'SVC_GUARD_NO_ZONE', at: 'controllers/ping.ts:12' }]
  )
})

t.test('a voter that needs a real subject gets the benefit of the doubt', async (t) => {
  const { lines, logger } = logLines()
  const picky = {
    supports: (attribute: string, subject: unknown) => attribute === 'edit' && (subject as { id: string }).id === '1',
    vote: () => 'GRANT' as const
  }
  const app = await securedApp(
    { areas: all, parts: { voters: [picky], authenticators: { cookie: new HeaderAuthenticator('cookie') } } },
    { logger }
  )
  echoRoute(app, '/x', { requirement: requires('edit') })
  await app.ready()
  t.teardown(() => app.close())
  t.same(
    lines.filter(({ level }) => level === WARN),
    []
  )
})

t.test('debug: one line per route with what stands before it', async (t) => {
  const { lines, logger } = logLines('debug')
  const app = await securedApp({ areas: { api: zone('^/api', 'anonymous') } }, { logger })
  echoRoute(app, '/api/x', { requirement: [[{ attribute: 'ROLE_A' }, { attribute: 'edit', subject: 'id' }]] })
  echoRoute(app, '/free')
  await app.ready()
  t.teardown(() => app.close())
  t.match(
    lines.filter(({ msg }) => msg === 'route'),
    [
      { method: 'GET', path: '/api/x', zone: 'api', authenticators: ['anonymous'], requirement: 'ROLE_A | edit(id)' },
      { method: 'GET', path: '/free', zone: null, authenticators: [], requirement: null }
    ]
  )
})

t.test('without a journal it says so once, to who debugs', async (t) => {
  const { lines, logger } = logLines('debug')
  const app = await securedApp({}, { logger })
  await app.ready()
  t.teardown(() => app.close())
  t.equal(lines.filter(({ msg }) => msg.startsWith('svc-audit is not registered')).length, 1)
})
