/** What the help desk loads, in this order. */
import svcAccounts from 'svc-accounts'
import svcAudit from 'svc-audit'
import svcDecorators from 'svc-decorators'
import svcEvents from 'svc-events'
import svcFiles from 'svc-files'
import { defineConfig } from 'svc-host'
import svcJobs from 'svc-jobs'
import svcLimits from 'svc-limits'
import svcMail from 'svc-mail'
import svcMcp from 'svc-mcp'
import svcOpenapi from 'svc-openapi'
import svcOrganizations from 'svc-organizations'
import svcOrm from 'svc-orm'
import svcRealtime from 'svc-realtime'
import svcSecurity from 'svc-security'
import { customerData } from './customer-data.ts'
import { database } from './database.ts'
import { env } from './env.ts'
import { events } from './events.ts'

const isProduction = env.NODE_ENV === 'production'
const proofs = ['session', 'jwt', 'apikey'] as const

export default defineConfig({
  mode: env.NODE_ENV,
  server: { host: env.HOST, port: env.PORT },
  modules: [
    svcOpenapi,
    [svcOrm, { dir: './entities' }],
    database(env.DATABASE_URL),
    svcAudit,
    [
      svcSecurity,
      {
        areas: {
          // Strangers sign up here.
          accounts: { pattern: '^/api/accounts', authenticators: [...proofs, 'anonymous'] },
          api: { pattern: '^/(?:api|svc/realtime)', authenticators: [...proofs] },
          mcp: { pattern: '^/mcp$', authenticators: ['jwt'], audience: `${env.ORIGIN}/mcp` }
        },
        jwt: { dir: env.KEYS }
      }
    ],
    svcLimits,
    svcJobs,
    [svcMail, { from: env.MAIL_FROM, ...(isProduction ? { transport: { url: env.MAIL_URL } } : {}) }],
    [svcAccounts, { link: `${env.ORIGIN}/account`, signUp: {} }],
    [
      svcOrganizations,
      {
        roles: {
          agent: { permissions: ['tickets'] },
          manager: { permissions: ['tickets', 'members', 'keys', 'events'] }
        },
        create: {},
        invitations: { link: `${env.ORIGIN}/join` },
        keys: {},
        deletion: {}
      }
    ],
    [svcFiles, { scope: 'organization', disk: { directory: env.FILES }, quota: { scopeBytes: 1_000_000_000 } }],
    [svcRealtime, { channels: [{ pattern: 'events:*', requires: ['ORG_MEMBER'] }] }],
    [
      svcEvents,
      {
        events,
        path: '/api/organizations/:organization',
        portal: { keys: ['tickets'] },
        ...(env.SVC_EVENT_KEY === undefined ? {} : { encryptionKey: env.SVC_EVENT_KEY }),
        // A receiver on this machine, outside of production only.
        ...(isProduction ? {} : { allowHttp: true, allowCidrs: ['127.0.0.0/8'] })
      }
    ],
    [svcMcp, { name: 'helpdesk' }],
    customerData,
    [svcDecorators, { dir: './controllers' }]
  ]
})
