/**
 * What a machine may change by the roles of its user: nothing, unless its scopes name `svc:admin`. Every route of an
 * administrator that changes something is asked, as the running application lists them, with every plugin registered that
 * has such routes.
 */
import Fastify, { type FastifyInstance } from 'fastify'
import svcAudit from 'svc-audit'
import svcConsole from 'svc-console'
import { adminRoute } from 'svc-kernel/plugin'
import svcOpenapi from 'svc-openapi'
import svcOps from 'svc-ops'
import svcOrm from 'svc-orm'
import svcRealtime from 'svc-realtime'
import svcSecurity from 'svc-security'
import svcWebhooks from 'svc-webhooks'
import t, { type Test } from 'tap'
import { API, CHEAP, KEY_SET } from '../support/account-app.ts'

const KEY = Buffer.alloc(32, 1).toString('base64')
const PASSWORD = 'long enough'

/** By hand, so that a route that loses its guard is missed. */
const CHANGES = [
  `POST ${API}/users`,
  `PUT ${API}/users/:id/roles`,
  `POST ${API}/users/:id/lock`,
  `POST ${API}/users/:id/unlock`,
  `POST ${API}/users/:id/sessions/revoke`,
  `DELETE ${API}/users/:id/factors/totp`,
  `DELETE ${API}/users/:id/factors/passkeys/:credential`,
  `POST ${API}/sessions/:ref/revoke`,
  `POST ${API}/keys/:id/revoke`,
  `POST ${API}/explain`,
  `POST ${API}/webhooks`,
  `PATCH ${API}/webhooks/:id`,
  `DELETE ${API}/webhooks/:id`,
  `POST ${API}/webhooks/:id/rotate`,
  `POST ${API}/webhooks/:id/reveal`,
  `POST ${API}/webhooks/:id/test`,
  'PUT /svc/ops/api/log-level'
]

const WRITES = ['POST', 'PUT', 'PATCH', 'DELETE'] as const

async function open(t: Test) {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(svcOpenapi)
  await app.register(svcAudit)
  await app.register(svcSecurity, {
    areas: { in: { pattern: '^/in', authenticators: ['session', 'apikey', 'jwt'] } },
    roleHierarchy: { ROLE_CHIEF: ['ROLE_SVC_ADMIN'], ROLE_EDITOR: ['ROLE_READER'] },
    users: {},
    passwords: CHEAP,
    jwt: { ...KEY_SET },
    totp: { encryptionKey: KEY },
    passkeys: { rpId: 'localhost', origins: ['http://localhost'] }
  })
  await app.register(svcOps, {})
  await app.register(svcOrm, { memory: true })
  await app.register(svcWebhooks, { encryptionKey: KEY })
  await app.register(svcRealtime)
  await app.register(svcConsole)
  await app.ready()
  const roles = ['ROLE_SVC_ADMIN', 'ROLE_SVC_DATA_WRITE', 'ROLE_EDITOR']
  const root = await app.userAccounts.create({ identifier: 'root', password: PASSWORD, roles })
  const zoe = await app.userAccounts.create({ identifier: 'zoe', password: PASSWORD, roles: [] })
  return { app, root, zoe }
}

async function keyOf(app: FastifyInstance, ...scopes: string[]) {
  const { token } = await app.tokens.apiKeys.create('root', { name: 'ci', scopes })
  return { authorization: `Bearer ${token}` }
}

const ids = { id: 'x', credential: 'x', ref: 'a'.repeat(43), messageId: 'x', job: 'x' } as const

t.test('X2: a key without svc:admin changes nothing that an administrator may change', async (t) => {
  const { app } = await open(t)
  const { accessToken } = await app.tokens.issue({ identifier: 'root' }, { scopes: ['orders:read'] })
  const machines = {
    key: await keyOf(app, 'orders:read', 'svc:other', 'admin:svc'),
    jwt: { authorization: `Bearer ${accessToken}` }
  }
  const admin = app.firewall
    .report()
    .filter(({ requirement }) => requirement?.flat().some(({ attribute }) => attribute === 'ROLE_SVC_ADMIN'))
  const found = admin.filter(({ method }) => (WRITES as readonly string[]).includes(method))
  const named = found.map(({ method, path }) => `${method} ${path}`)
  for (const change of CHANGES) t.ok(named.includes(change), `${change} is there`)
  const before = await app.userAccounts.list({}, {})
  for (const { method, path } of found) {
    const url = path.replace(/:(\w+)/g, (_, name: keyof typeof ids) => ids[name] ?? 'x')
    for (const [kind, headers] of Object.entries(machines)) {
      const answer = await app.inject({ method: method as 'POST', url, headers, payload: {} })
      t.match(answer.json(), { statusCode: 403, code: 'SVC_SEC_DENIED' }, `${kind}: ${method} ${path}`)
    }
    const headers = await keyOf(app, 'svc:admin')
    const allowed = (await app.inject({ method: method as 'POST', url, headers, payload: {} })).json()
    t.not(allowed.code, 'SVC_SEC_DENIED', `with the scope: ${method} ${path}`)
  }
  const reads = admin.filter(({ method, path }) => method === 'GET' && !path.includes(':') && !path.includes('*'))
  t.ok(reads.length > 10)
  for (const { path } of reads.filter((each) => each.requirement?.length === 1)) {
    t.not((await app.inject({ url: path, headers: machines.key })).statusCode, 403, `GET ${path} as before`)
  }
  t.same(await app.userAccounts.list({}, {}), before)
})

t.test('X2: a key makes no administrator and passes on no role that its user lacks', async (t) => {
  const { app, root, zoe } = await open(t)
  const headers = await keyOf(app, 'svc:admin')
  const create = (roles: readonly string[]) =>
    app.inject({
      method: 'POST',
      url: `${API}/users`,
      headers,
      payload: { identifier: `made ${roles.join()}`, password: PASSWORD, roles }
    })
  const setRoles = (id: string, roles: readonly string[]) =>
    app.inject({ method: 'PUT', url: `${API}/users/${id}/roles`, headers, payload: { roles } })
  for (const roles of [['ROLE_SVC_ADMIN'], ['ROLE_READER', 'ROLE_CHIEF'], ['ROLE_OTHER'], ['ROLE_SVC_DATA']]) {
    t.match((await create(roles)).json(), { statusCode: 403, code: 'SVC_SEC_BEYOND' }, `makes ${roles}`)
    t.match((await setRoles(zoe, roles)).json(), { statusCode: 403, code: 'SVC_SEC_BEYOND' }, `gives ${roles}`)
  }
  t.match((await setRoles(root, ['ROLE_SVC_ADMIN', 'ROLE_SVC_DATA'])).json(), { code: 'SVC_SEC_BEYOND' })
  t.equal((await app.userAccounts.list({}, {})).items.length, 2)
  t.same((await app.userAccounts.find('zoe'))?.roles, [])
  t.equal((await create(['ROLE_EDITOR'])).statusCode, 201, 'a role of its own user')
  t.match((await setRoles(zoe, ['ROLE_READER'])).json(), { roles: ['ROLE_READER'] }, 'and one that this inherits')
  t.match((await setRoles(root, ['ROLE_SVC_ADMIN'])).json(), { roles: ['ROLE_SVC_ADMIN'] }, 'what is held may stay')

  const chief = await app.userAccounts.create({ identifier: 'chief', password: PASSWORD, roles: ['ROLE_CHIEF'] })
  await app.userAccounts.setLocked('chief', true)
  const unlock = await app.inject({ method: 'POST', url: `${API}/users/${chief}/unlock`, headers })
  t.match(unlock.json(), { statusCode: 403, code: 'SVC_SEC_BEYOND' }, 'nor does it bring one back')
})

t.test('X2: a plugin cannot declare a change of an administrator without the scope', async (t) => {
  for (const method of [...WRITES, ['GET', 'POST']]) {
    const app = Fastify()
    t.teardown(() => app.close())
    await app.register(svcSecurity)
    const declare = () =>
      app.route({ method: method as 'POST', url: '/svc/change', ...adminRoute('change'), handler: () => 'done' })
    t.throws(declare, { code: 'SVC_KERNEL_ADMIN_ROUTE', message: '/svc/change' }, String(method))
  }
})
