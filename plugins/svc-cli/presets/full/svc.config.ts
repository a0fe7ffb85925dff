/**
 * What this application loads, in this order: a module comes after those it
 * needs. An unknown or malformed option stops the boot and names its line;
 * `svc config:check` reports the same without starting anything.
 */
import helmet from '@fastify/helmet'
import svcAccounts from 'svc-accounts'
import svcAudit from 'svc-audit'
import svcConsole from 'svc-console'
import svcDecorators from 'svc-decorators'
import { defineConfig } from 'svc-host'
import svcJobs from 'svc-jobs'
import svcLimits from 'svc-limits'
import svcMail from 'svc-mail'
import svcOpenapi from 'svc-openapi'
import svcOps from 'svc-ops'
import svcOrm from 'svc-orm'
import svcOtel from 'svc-otel'
import svcRealtime from 'svc-realtime'
import svcSecurity from 'svc-security'
import svcWebhooks from 'svc-webhooks'
import { database } from './database.ts'
import { env } from './env.ts'

export default defineConfig({
  mode: env.NODE_ENV,
  server: { host: env.HOST, port: env.PORT },
  modules: [
    // Headers that tell browsers what a page of yours may load; the pages of svc have their own. TLS is asked for in
    // production alone: a certificate of development pins nothing.
    [
      helmet,
      {
        contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } },
        hsts: env.NODE_ENV === 'production'
      }
    ],

    // Spans of every request, once an OpenTelemetry SDK is registered: npx svc docs traces.
    svcOtel,

    // Describes what is registered after it, at /svc/docs/api/: open in development, for administrators elsewhere.
    svcOpenapi,

    // Every file in this folder declares entities; the boot makes their tables or collections.
    [svcOrm, { dir: './entities' }],
    database(env.DATABASE_URL),

    // The journal: logins, refusals, tokens. The database keeps it, with users and sessions.
    svcAudit,
    [
      svcSecurity,
      {
        // A zone says how callers prove who they are; the first whose pattern matches decides. Notes ask for a proof,
        // the rest of /api admits anonymous callers too.
        areas: {
          notes: { pattern: '^/api/notes', authenticators: ['session', 'jwt', 'apikey'] },
          api: { pattern: '^/api', authenticators: ['session', 'jwt', 'apikey', 'anonymous'] },
          realtime: { pattern: '^/svc/realtime', authenticators: ['session', 'jwt', 'apikey'] }
        },
        // The keys that access tokens are signed with: made at the first start, never in git.
        jwt: { dir: 'keys' },
        // One-time codes as a second factor, for users who enrol.
        totp: env.SEALING_KEY === undefined ? {} : { encryptionKey: env.SEALING_KEY },
        // A user with the role on the left also has those on the right.
        roleHierarchy: {
          ROLE_ADMIN: ['ROLE_USER']
        }
      }
    ],

    // Counts the limits that controllers declare with @RateLimit; the database keeps them.
    svcLimits,

    // Work that outlives its request, kept in the database: methods with @Job and @Cron in controllers.
    svcJobs,

    // Mails, each sent by a job. Outside of production they stay in an outbox: npx svc docs sending-mail.
    [
      svcMail,
      {
        from: env.MAIL_FROM,
        ...(env.NODE_ENV === 'production' ? { transport: { url: env.MAIL_URL } } : {})
      }
    ],

    // Sign-up, resets, invitations and what else an account lives through: npx svc docs sign-up-to-deletion. A mail links to a
    // page below ACCOUNT_URL, with a token in its fragment, which the page posts to /api/accounts.
    [
      svcAccounts,
      {
        link: env.ACCOUNT_URL,
        // Forms over these routes, at /account/sign-in and below; leave them out for a front end of your own.
        pages: {},
        signUp: { roles: ['ROLE_USER'] },
        reset: {},
        changeAddress: {},
        invitations: {},
        deletion: {},
        export: {}
      }
    ],

    // Channels and requests over one WebSocket, at /svc/realtime.
    svcRealtime,

    // Events of the journal as signed messages, to the URLs that administrators register.
    [
      svcWebhooks,
      {
        ...(env.SVC_WEBHOOK_KEY === undefined ? {} : { encryptionKey: env.SVC_WEBHOOK_KEY }),
        // A receiver on this machine, in development only: elsewhere URLs are https and lead to public addresses.
        ...(env.NODE_ENV === 'development' ? { allowHttp: true, allowCidrs: ['127.0.0.0/8'] } : {})
      }
    ],

    // /svc/ops/health for everyone, /svc/ops/metrics for administrators.
    svcOps,

    // The journal and the webhooks in a browser, for administrators, at /svc/console.
    svcConsole,

    // Every exported class with @controller in this folder, over HTTP and WebSocket.
    [svcDecorators, { dir: './controllers' }]
  ]
})
