/** The views of the firewall and the roles: for administrators alone, complete, nothing beyond. */
import Fastify from 'fastify'
import { ensureKernel } from 'svc-kernel'
import t from 'tap'
import { firewallRoutes } from '../../src/admin/firewall.routes.ts'
import { Firewall } from '../../src/authentication/firewall.ts'
import { routerFolding } from '../../src/authentication/zones/canonical-path.ts'
import { knownRoles } from '../../src/authorization/known-roles.ts'
import { RoleHierarchy } from '../../src/authorization/role-hierarchy.ts'
import { ADMIN, admitByHeader } from '../support/admitting.ts'
import { echoRoute, requires } from '../support/guarded-app.ts'

const API = '/svc/security/api'

async function setUp() {
  const app = Fastify()
  await ensureKernel(app)
  admitByHeader(app)
  const rest = { mode: 'first', realtime: true, uncheckedSocketS: 60, basicWithoutSecondFactor: false } as const
  const area = { pattern: '^/api', authenticators: ['session'], ...rest }
  const firewall = new Firewall({ api: area }, routerFolding(app), () => app.declaredRoutes)
  const roleHierarchy = { ROLE_ADMIN: ['ROLE_EDITOR'], ROLE_EDITOR: ['ROLE_USER'], ROLE_OTHER: [] }
  firewallRoutes(app, {
    firewall,
    roleHierarchy,
    knownRoles: () => knownRoles(firewall.report(), new RoleHierarchy(roleHierarchy).roles)
  })
  echoRoute(app, '/api/orders/:id', { requirement: requires('ROLE_USER', 'orders:read') })
  return app
}

t.test('403 without the role, before anything else', async (t) => {
  const app = await setUp()
  for (const path of ['/firewall', '/roles']) {
    for (const headers of [{}, { 'x-role': 'ROLE_ADMIN' }]) {
      t.equal((await app.inject({ url: API + path, headers })).statusCode, 403, path)
      t.equal((await app.inject({ method: 'HEAD', url: API + path, headers })).statusCode, 403, path)
    }
  }
})

t.test('zones and routes', async (t) => {
  const answer = await (await setUp()).inject({ url: `${API}/firewall`, headers: ADMIN })
  t.equal(answer.headers['cache-control'], 'no-store')
  const { zones, routes } = answer.json()
  t.strictSame(zones, [{ name: 'api', pattern: '^\\/api', authenticators: ['session'], mode: 'first', realtime: true }])
  t.strictSame(
    routes.map(({ path, zone, requirement }: Record<string, unknown>) => [path, zone, requirement]),
    [
      [`${API}/firewall`, null, 'ROLE_SVC_ADMIN'],
      [`${API}/roles`, null, 'ROLE_SVC_ADMIN'],
      ['/api/orders/:id', 'api', 'ROLE_USER & orders:read']
    ]
  )
  t.notOk('source' in routes[0], 'no path of the machine')
})

t.test('roles with all they inherit', async (t) => {
  const answer = await (await setUp()).inject({ url: `${API}/roles`, headers: ADMIN })
  t.strictSame(answer.json(), {
    hierarchy: { ROLE_ADMIN: ['ROLE_EDITOR'], ROLE_EDITOR: ['ROLE_USER'], ROLE_OTHER: [] },
    roles: [
      { role: 'ROLE_ADMIN', inherits: ['ROLE_EDITOR', 'ROLE_USER'] },
      { role: 'ROLE_EDITOR', inherits: ['ROLE_USER'] },
      { role: 'ROLE_OTHER', inherits: [] },
      { role: 'ROLE_USER', inherits: [] }
    ],
    known: ['ROLE_ADMIN', 'ROLE_EDITOR', 'ROLE_OTHER', 'ROLE_SVC_ADMIN', 'ROLE_USER']
  })
})
