/** What administrators see and do over HTTP is in the OpenAPI document, each with its guard, its proof and its answers. */
import Fastify from 'fastify'
import svcAudit from 'svc-audit'
import svcJobs from 'svc-jobs'
import svcMail from 'svc-mail'
import svcOpenapi from 'svc-openapi'
import svcOps from 'svc-ops'
import svcOrganizations from 'svc-organizations'
import svcOrm from 'svc-orm'
import svcSecurity from 'svc-security'
import t from 'tap'

const KEY = Buffer.alloc(32, 1).toString('base64')

t.test('every admin route is described, guarded and answers with a schema', async (t) => {
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  await fastify.register(svcOpenapi, { open: false, include: ['/*'] })
  await fastify.register(svcAudit)
  await fastify.register(svcSecurity, {
    areas: { in: { pattern: '^/in', authenticators: ['session', 'apikey'] } },
    users: {},
    totp: { encryptionKey: KEY },
    passkeys: { rpId: 'localhost', origins: ['http://localhost'] }
  })
  await fastify.register(svcOps, {})
  await fastify.register(svcOrm, { memory: true })
  await fastify.register(svcJobs)
  await fastify.register(svcMail, { from: 'Shop <shop@example.org>', outbox: true })
  await fastify.register(svcOrganizations, {
    invitations: { link: 'https://shop.example.org/join' },
    transfer: {},
    deletion: {},
    keys: {},
    domains: {},
    parts: { provenAddress: () => null }
  })
  await fastify.ready()
  const { paths } = fastify.swagger() as unknown as { paths: Record<string, Record<string, Operation>> }
  const described = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ what: `${method.toUpperCase()} ${path}`, operation }))
  )
  const found = new Map(described.map(({ what, operation }) => [what, operation]))
  const guarded = fastify.firewall
    .report()
    .filter(({ path }) => /^\/svc\/(?:security|ops|orm|organizations)\/api\//.test(path))
    .filter(({ requirement }) => JSON.stringify(requirement)?.includes('ROLE_SVC_ADMIN'))
    .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`)
  for (const route of ADDED) t.ok(guarded.includes(route), `${route} is guarded`)
  for (const route of guarded) {
    const operation = found.get(route)
    t.ok(operation, `${route} is described`)
    t.ok((operation?.security?.length ?? 0) > 0, `${route} asks for proof`)
    t.ok(operation?.responses['403'], `${route} says that it may refuse`)
  }
})

interface Operation {
  readonly security?: readonly unknown[]
  readonly responses: Readonly<Record<string, unknown>>
}

const SECURITY = '/svc/security/api'
const OPS = '/svc/ops/api'
const ORM = '/svc/orm/api'
const ORGANIZATION = '/svc/organizations/api/organizations/{id}'

const ADDED = [
  `POST ${SECURITY}/explain`,
  `GET ${SECURITY}/matrix`,
  `GET ${SECURITY}/lints`,
  `GET ${SECURITY}/users`,
  `POST ${SECURITY}/users`,
  `GET ${SECURITY}/users/{id}`,
  `PUT ${SECURITY}/users/{id}/roles`,
  `PUT ${SECURITY}/users/{id}/identifier`,
  `DELETE ${SECURITY}/users/{id}`,
  `GET ${SECURITY}/users/{id}/access`,
  `POST ${SECURITY}/users/{id}/enable`,
  `POST ${SECURITY}/users/{id}/disable`,
  `POST ${SECURITY}/users/{id}/lock`,
  `POST ${SECURITY}/users/{id}/unlock`,
  `POST ${SECURITY}/users/{id}/sessions/revoke`,
  `GET ${SECURITY}/users/{id}/factors`,
  `DELETE ${SECURITY}/users/{id}/factors/totp`,
  `DELETE ${SECURITY}/users/{id}/factors/passkeys/{credential}`,
  `GET ${OPS}/requests`,
  `GET ${OPS}/requests/{id}`,
  `GET ${OPS}/rates`,
  `GET ${OPS}/system`,
  `GET ${OPS}/history`,
  `PUT ${OPS}/log-level`,
  `GET ${ORM}/schema`,
  `GET ${ORM}/entities/{name}/rows`,
  'GET /svc/organizations/api/organizations',
  `GET ${ORGANIZATION}`,
  `POST ${ORGANIZATION}/suspend`,
  `POST ${ORGANIZATION}/resume`,
  `GET ${ORGANIZATION}/members`,
  `DELETE ${ORGANIZATION}/members/{member}`,
  `GET ${ORGANIZATION}/invitations`,
  `DELETE ${ORGANIZATION}/invitations/{invitation}`,
  `GET ${ORGANIZATION}/keys`,
  `DELETE ${ORGANIZATION}/keys/{key}`,
  `GET ${ORGANIZATION}/domains`,
  `POST ${ORGANIZATION}/transfer`,
  `DELETE ${ORGANIZATION}/transfer`,
  `POST ${ORGANIZATION}/deletion`,
  `POST ${ORGANIZATION}/deletion/cancel`,
  `GET ${ORGANIZATION}/deletion/export`
]
