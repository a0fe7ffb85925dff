/**
 * What this application loads, in this order: a module comes after those it
 * needs. An unknown or malformed option stops the boot and names its line;
 * `svc config:check` reports the same without starting anything.
 */
import helmet from '@fastify/helmet'
import svcAudit from 'svc-audit'
import svcDecorators from 'svc-decorators'
import { defineConfig } from 'svc-host'
import svcOpenapi from 'svc-openapi'
import svcOrm from 'svc-orm'
import svcSecurity from 'svc-security'
import svcSqlorm from 'svc-sqlorm'
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

    // Describes what is registered after it, at /svc/docs/api/: open in development, for administrators elsewhere.
    svcOpenapi,

    // Every file in this folder declares entities; the boot makes their tables.
    [svcOrm, { dir: './entities' }],
    [svcSqlorm, { connectors: { default: { url: env.DATABASE_URL } } }],

    // The journal: logins, refusals, tokens. The database keeps it, with users and sessions.
    svcAudit,
    [
      svcSecurity,
      {
        // A zone says how callers prove who they are; the first whose pattern matches decides. Notes ask for a proof,
        // the rest of /api admits anonymous callers too.
        areas: {
          notes: { pattern: '^/api/notes', authenticators: ['session', 'jwt', 'apikey'] },
          api: { pattern: '^/api', authenticators: ['session', 'jwt', 'apikey', 'anonymous'] }
        },
        // The keys that access tokens are signed with: made at the first start, never in git.
        jwt: { dir: 'keys' },
        // A user with the role on the left also has those on the right.
        roleHierarchy: {
          ROLE_ADMIN: ['ROLE_USER']
        }
      }
    ],

    // Every exported class with @controller in this folder, over HTTP and WebSocket.
    [svcDecorators, { dir: './controllers' }]
  ]
})
