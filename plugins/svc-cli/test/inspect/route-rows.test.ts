/** Rows and columns of the route listing. */

import type { ZoneView } from 'svc-kernel/explain'
import type { ListedRoute } from 'svc-kernel/plugin'
import t from 'tap'
import { routeRows, rowCells } from '../../src/inspect/routes.ts'
import { textTable } from '../../src/output.ts'

const API: ZoneView = {
  name: 'api',
  pattern: /^\/api/,
  mode: 'first',
  authenticators: ['session', 'anonymous'],
  admitsAnonymous: true,
  realtime: true,
  takesCredentials: true
}

function route(given: Partial<ListedRoute>): ListedRoute {
  return {
    methods: ['GET'],
    path: '/api/x',
    transports: ['HTTP'],
    anonymous: false,
    bypassFirewall: false,
    session: null,
    requirement: null,
    name: null,
    source: null,
    ...given
  }
}

const parts = {
  zoneOf: (path: string) => (path.startsWith('/api') ? API : null),
  describeRequirement: () => 'ROLE_USER'
}

const cells: Array<[name: string, given: Partial<ListedRoute>, expected: string[]]> = [
  ['open', {}, ['GET', '/api/x', 'HTTP', '^/api', 'session, anonymous', '-', '-', '-']],
  ['outside every zone', { path: '/' }, ['GET', '/', 'HTTP', '-', '-', '-', '-', '-']],
  [
    'guarded, with a name and a place',
    { requirement: [[{ attribute: 'ROLE_USER' }]], name: 'A.b', source: 'a.ts:1' },
    ['GET', '/api/x', 'HTTP', '^/api', 'session, anonymous', 'ROLE_USER', 'A.b', 'a.ts:1']
  ],
  [
    'WebSocket only',
    { transports: ['WEBSOCKET'] },
    ['WEBSOCKET', '/api/x', 'WS', '^/api', 'session, anonymous', '-', '-', '-']
  ],
  [
    'both transports',
    { transports: ['HTTP', 'WEBSOCKET'] },
    ['GET', '/api/x', 'HTTP+WS', '^/api', 'session, anonymous', '-', '-', '-']
  ],
  [
    'several methods',
    { methods: ['PUT', 'PATCH'] },
    ['PUT,PATCH', '/api/x', 'HTTP', '^/api', 'session, anonymous', '-', '-', '-']
  ],
  ['@Anonymous', { anonymous: true }, ['GET', '/api/x', 'HTTP', '^/api', '-', '(anonymous)', '-', '-']],
  ['@BypassFirewall', { bypassFirewall: true }, ['GET', '/api/x', 'HTTP', '^/api', '-', '(bypass)', '-', '-']]
]

for (const [name, given, expected] of cells) {
  t.test(name, async (t) => {
    const [row] = routeRows([route(given)], parts)
    t.strictSame(row && rowCells(row), expected)
  })
}

t.test('rows are sorted by path, then method', async (t) => {
  const rows = routeRows(
    [route({ path: '/b' }), route({ path: '/a', methods: ['POST'] }), route({ path: '/a' })],
    parts
  )
  t.strictSame(
    rows.map(({ method, path }) => `${method} ${path}`),
    ['GET /a', 'POST /a', 'GET /b']
  )
})

t.test('columns are as wide as they need to be, with nothing after the last', async (t) => {
  const table = textTable(
    ['A', 'LONG'],
    [
      ['wide cell', 'x'],
      ['b', '']
    ]
  )
  t.equal(table, 'A          LONG\nwide cell  x\nb')
})
