/** An application with everything that the console shows, two accounts, and a receiver of webhooks, for a browser. */
import { randomBytes } from 'node:crypto'
import helmet from '@fastify/helmet'
import { fastify as createFastify, type FastifyInstance } from 'fastify'
import svcAudit, { type AuditStore } from 'svc-audit'
import svcConsole from 'svc-console'
import svcJobs, { type Jobs } from 'svc-jobs'
import { type AppHost, type Clock, guardHooks, requestChannels } from 'svc-kernel'
import svcLimits from 'svc-limits'
import svcMail from 'svc-mail'
import svcOpenapi from 'svc-openapi'
import svcOps from 'svc-ops'
import svcOrm, { defineEntity, type EntitySource } from 'svc-orm'
import svcRealtime from 'svc-realtime'
import svcSecurity from 'svc-security'
import svcWebhooks from 'svc-webhooks'
import { KEY_SET } from '../../support/account-app.ts'
import { freePort } from '../../support/ports.ts'
import { HOSTILE } from './hostile-text.ts'

export const PASSWORD = 'correct horse battery'

const Customer = defineEntity({
  name: 'Customer',
  module: 'shop',
  timestamps: true,
  softDelete: true,
  version: true,
  schema: {
    name: { type: 'string', maxLength: 120 },
    passwordHash: { type: 'string', nullable: true },
    level: { type: 'enum', values: ['plain', 'gold'], default: 'plain' },
    notes: { type: 'text', nullable: true },
    settings: { type: 'json', nullable: true }
  },
  relations: {
    orders: { type: 'one-to-many', target: 'Order', mappedBy: 'customer' },
    sentBy: { type: 'many-to-one', target: 'Customer', nullable: true }
  }
})
const Order = defineEntity({
  name: 'Order',
  module: (HOSTILE[0] ?? '').slice(0, 100),
  schema: {
    total: { type: 'decimal', scale: 2, check: { min: '0' } },
    units: { type: 'bigint' },
    state: { type: 'enum', values: ['new', HOSTILE[1] ?? ''], default: HOSTILE[1] ?? '' },
    shippedOn: { type: 'day', nullable: true },
    tracking: { type: 'uuid', nullable: true }
  },
  relations: { customer: { type: 'many-to-one', target: 'Customer' } }
})
const ENTITIES: readonly EntitySource[] = [Customer, Order]

/** A kind of job that fails, with a name as long as it may be. */
export const JOB = `order.${'canary'.repeat(15)}`

export interface ConsoleApp {
  readonly app: FastifyInstance
  /** Of `localhost`, where passkeys work without TLS. */
  readonly origin: string
  /** Each route that answered, such as `GET /svc/ops/api/rates`. */
  readonly served: ReadonlySet<string>
}

/** As a host that loaded the application says it; the modules are those of the page, with text that has to stay text. */
const HOST: AppHost = {
  name: 'shop',
  root: import.meta.dirname,
  mode: 'production',
  checkOnly: false,
  modules: [{ name: HOSTILE[2] ?? '', options: { note: HOSTILE[0], encryptionKey: 'HIDDEN' } }],
  importModule: async () => ({})
}

interface ConsoleParts {
  /** A journal that is there already. Default: a fresh one in memory. */
  readonly audit?: AuditStore
  /** Of logins and sessions. Default: that of the system. */
  readonly clock?: Clock
  /** Defines the jobs. Default: one that fails, with text of a stranger in all that it may say. */
  readonly work?: (jobs: Jobs) => void
}

function failingWork(jobs: Jobs): void {
  jobs.define(JOB, { lane: HOSTILE[0] ?? '' }, () => {
    throw new Error(HOSTILE[2])
  })
  jobs.schedule(JOB, '0 * * * *', { zone: 'Europe/Berlin' })
}

/** `root` is an administrator, `paul` is none. */
export async function startConsole({ audit, clock, work = failingWork }: ConsoleParts = {}): Promise<ConsoleApp> {
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const key = () => randomBytes(32).toString('base64')
  const app = createFastify({ logger: { level: 'info', stream: { write: () => undefined } } })
  const served = new Set<string>()
  app.addHook('onResponse', async ({ method, routeOptions: { url } }) => {
    if (url !== undefined) served.add(`${method} ${url}`)
  })
  const host = { ...HOST }
  app.decorate('appHost', host)
  // As the presets register it.
  await app.register(helmet, { contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } }, hsts: false })
  await app.register(svcOpenapi, { open: false, include: ['/*'] })
  await app.register(svcAudit, audit === undefined ? {} : { parts: { stores: { audit } } })
  await app.register(svcSecurity, {
    areas: {
      realtime: { pattern: '^/svc/realtime', authenticators: ['session'] },
      shop: { pattern: '^/shop', authenticators: ['session', 'anonymous'] }
    },
    roleHierarchy: { ROLE_OWNER: ['ROLE_EDITOR', 'ROLE_BILLING'], ROLE_EDITOR: ['ROLE_USER'] },
    jwt: KEY_SET,
    apiKeys: {},
    users: {},
    impersonation: { role: 'ROLE_SVC_ADMIN', writeRole: 'ROLE_SVC_ADMIN' },
    passwords: { memoryKib: 7168, passes: 1 },
    totp: { encryptionKey: key() },
    passkeys: { rpId: 'localhost', origins: [origin] },
    ...(clock === undefined ? {} : { parts: { clock } })
  })
  await app.register(svcLimits)
  await app.register(svcRealtime)
  await app.register(svcWebhooks, {
    encryptionKey: key(),
    allowHttp: true,
    denyPrivateIps: false,
    maxRetries: 0,
    autoDisableThreshold: 3,
    history: {}
  })
  await app.register(svcOrm, {
    memory: true,
    admin: { rows: true },
    flow: { slowMs: 0 },
    parts: { entities: ENTITIES }
  })
  await app.register(svcJobs, { retries: 0 })
  // Mails stay here in development; the warnings that the console shows are those of production.
  Object.assign(host, { mode: 'development' })
  await app.register(svcMail, { from: 'Shop <shop@example.org>', outbox: true })
  Object.assign(host, { mode: 'production' })
  await app.register(svcOps, { requests: { enabled: true } })
  await app.register(svcConsole)
  app.get(
    '/shop/orders/:id',
    {
      ...guardHooks([[{ attribute: 'ROLE_EDITOR' }, { attribute: 'ROLE_SVC_ADMIN' }]]),
      config: { limits: { rate: '10000/min', by: 'identity', name: 'shop.orders' } }
    },
    (request) => {
      const event = { category: 'config', action: 'config.update', outcome: 'success' } as const
      app.audit.record({ ...event, actor: request.user?.identifier ?? null, requestId: request.id })
      app.realtime.publish('orders', {})
      const statement = { connector: HOSTILE[2] ?? '', kind: 'select', table: HOSTILE[0] ?? '' } as const
      requestChannels.statement.publish({ ...statement, durationMs: 1, failed: false })
      return { id: 1 }
    }
  )
  work(app.jobs)
  app.get('/broken', () => {
    throw new Error('broken')
  })
  await app.listen({ host: '127.0.0.1', port })
  await app.userAccounts.create({ identifier: 'root', password: PASSWORD, roles: ['ROLE_SVC_ADMIN'] })
  await app.userAccounts.create({ identifier: 'paul', password: PASSWORD, roles: ['ROLE_USER'] })
  return { app, origin, served }
}
