/** An application with organisations in a database on disk, whose operator uses the console. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import Fastify, { type FastifyInstance } from 'fastify'
import svcAudit from 'svc-audit'
import svcConsole from 'svc-console'
import svcJobs from 'svc-jobs'
import { type Clock, guardHooks } from 'svc-kernel'
import svcMail from 'svc-mail'
import svcOpenapi from 'svc-openapi'
import svcOrganizations from 'svc-organizations'
import svcOrm from 'svc-orm'
import svcSecurity from 'svc-security'
import svcSqlorm from 'svc-sqlorm'
import type { Test } from 'tap'
import { freePort } from '../../support/ports.ts'
import { PASSWORD } from './console-app.ts'
import { HOSTILE } from './hostile-text.ts'

const [script = '', image = ''] = HOSTILE
const LONG = 'canary'.repeat(15)

/** Text of strangers, in what a customer chooses. */
export const STRANGE = `${script}${image} ${LONG}`

export interface OrganizationsConsole {
  readonly app: FastifyInstance
  readonly origin: string
  /** Each route that answered. */
  readonly served: ReadonlySet<string>
  /** Ids of the organisations. */
  readonly acme: string
  readonly strange: string
  /** Of a key of `acme`, with the permission `billing`. */
  readonly key: string
}

/**
 * `root` is an administrator, who reads rows as well. Of `acme`, `ada` is the owner, and `bob` a clerk; `strange` has text of
 * strangers in each name.
 */
export async function startOrganizations(t: Test, clock: Clock): Promise<OrganizationsConsole> {
  const port = await freePort()
  const app = Fastify()
  t.teardown(() => app.close())
  const served = new Set<string>()
  app.addHook('onResponse', async ({ method, routeOptions: { url } }) => {
    if (url !== undefined) served.add(`${method} ${url}`)
  })
  await app.register(svcOpenapi, { open: false, include: ['/*'] })
  await app.register(svcOrm)
  await app.register(svcSqlorm, { connectors: { default: { url: `sqlite:${join(t.testdir(), 'app.db')}` } } })
  await app.register(svcAudit)
  await app.register(svcSecurity, {
    areas: { api: { pattern: '^/api', authenticators: ['session', 'apikey'] } },
    totp: { encryptionKey: randomBytes(32).toString('base64') },
    users: {},
    apiKeys: {},
    passwords: { memoryKib: 7168, passes: 1 },
    parts: { clock }
  })
  await app.register(svcJobs)
  await app.register(svcMail, { from: 'Shop <shop@example.org>', outbox: true })
  const provenAddress = ({ identifier }: { readonly identifier: string }) => identifier
  await app.register(svcOrganizations, {
    roles: { clerk: { permissions: ['billing'] }, reader: { permissions: [] } },
    create: {},
    invitations: { link: 'https://shop.example.org/join' },
    transfer: {},
    deletion: {},
    keys: {},
    domains: { providers: ['entra'] },
    parts: { provenAddress, resolveTxt: async () => [] }
  })
  await app.register(svcConsole)
  const billing = guardHooks([[{ attribute: 'ORG_BILLING' }]])
  app.get('/api/at/:organization/billing', billing, ({ organization }) => ({ organization }))
  app.get('/api/at/:organization/about', ({ organization }) => ({ organization }))
  await app.listen({ host: '127.0.0.1', port })

  const { userAccounts: users, organizations } = app
  await users.create({ identifier: 'root', password: PASSWORD, roles: ['ROLE_SVC_ADMIN', 'ROLE_SVC_DATA'] })
  const customers = ['ada@example.org', 'bob@example.org', STRANGE]
  for (const identifier of customers) await users.create({ identifier, password: PASSWORD, roles: [] })
  const [ada, bob, mia] = await Promise.all(customers.map((name) => users.find(name)))
  if (ada == null || bob == null || mia == null) throw new Error('no user')
  const { id: acme } = await organizations.create(ada, { name: 'Acme', slug: 'acme' })
  await organizations.addMember(acme, bob, 'clerk')
  const { id: strange } = await organizations.create(mia, { name: STRANGE, slug: 'strange' })
  const own = { owner: true, permissions: new Set(['billing']) }
  const made = await organizations.keys?.create(acme, { name: 'nightly', permissions: ['billing'] }, own)
  await organizations.keys?.create(strange, { name: STRANGE, permissions: ['billing'] }, own)
  await organizations.invite(acme, { address: 'eve@example.org', role: 'reader' }, 'ada@example.org')
  return { app, origin: `http://localhost:${port}`, served, acme, strange, key: made?.token ?? '' }
}
