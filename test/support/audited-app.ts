/**
 * An application with everything that is audited: each kind of credential, second
 * factors, providers, the realtime socket. What is secret in it is known, so that
 * a test can look for it.
 */
import cors from '@fastify/cors'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { TOTP } from 'otpauth'
import svcAudit from 'svc-audit'
import { guardHooks } from 'svc-kernel'
import svcLimits from 'svc-limits'
import svcOrm, { defineEntity } from 'svc-orm'
import svcRealtime from 'svc-realtime'
import { hashPassword } from 'svc-security'
import { passkeysStore, userStore } from 'svc-security/stores'
import { inMemory } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import type { Test } from 'tap'
import { API, Browser, CHEAP, PASSWORD } from './account-app.ts'
import type { OidcProvider } from './oidc-provider.ts'
import type { RawAnswer } from './raw-http.ts'
import { startApp } from './start-app.ts'

export const PAGE = 'https://shop.example'

const hashed = hashPassword(PASSWORD, { ...CHEAP, parallelism: 1 })

const Note = defineEntity({ name: 'Note', schema: { text: { type: 'string' } } })

export type AuditedApp = Awaited<ReturnType<typeof auditedApp>>

/** alice is a user, root an administrator. `/in` takes sessions, `/basic` passwords, `/api` and the socket tokens. */
export async function auditedApp(t: Test, provider: OidcProvider) {
  const clock = new ManualClock(Date.now())
  const users = inMemory(userStore, { clock })
  await users.create({ identifier: 'alice', password: await hashed, roles: ['ROLE_USER'] })
  await users.create({
    identifier: 'root',
    password: await hashed,
    roles: ['ROLE_SVC_ADMIN', 'ROLE_SVC_DATA', 'ROLE_SVC_DATA_WRITE']
  })
  const keyFolder = t.testdir()
  const started = await startApp(t, {
    mode: 'test',
    before: [svcAudit, [cors, { origin: PAGE }]],
    security: {
      areas: {
        in: { pattern: '^/in', authenticators: ['session'] },
        basic: { pattern: '^/basic', authenticators: ['userpassword'] },
        api: { pattern: '^/(?:api|svc/realtime)', authenticators: ['jwt', 'apikey'] }
      },
      passwords: CHEAP,
      rateLimit: { freeAttempts: 0 },
      jwt: { dir: keyFolder },
      impersonation: { role: 'ROLE_SVC_ADMIN' },
      totp: {},
      passkeys: { rpId: 'shop.example', origins: [PAGE] },
      oauth2: { publicUrl: PAGE, providers: { home: { issuer: provider.issuer, clientId: 'shop' } } },
      parts: { clock, stores: { user: users, passkeys: inMemory(passkeysStore, { clock }) } }
    },
    modules: [
      routes,
      svcLimits,
      svcRealtime,
      [svcOrm, { memory: true, admin: { rows: true, write: true }, parts: { entities: [Note] } }]
    ]
  })
  const browser = () => new Browser(started.port)
  return {
    ...started,
    clock,
    keyFolder,
    provider,
    browser,
    /** What no record may hold. */
    secrets: new Set([PASSWORD]),
    /** A browser whose user is logged in, and its CSRF token. */
    async signedIn(name = 'alice') {
      const person = browser()
      await person.login(name)
      this.secrets.add(person.session)
      return { person, proof: await person.csrf() }
    },
    async tokens(name = 'alice'): Promise<{ access_token: string; refresh_token: string }> {
      const issued = json(await browser().post(`${API}/token`, { username: name, password: PASSWORD }))
      for (const token of [issued.access_token, issued.refresh_token]) this.secrets.add(String(token))
      return issued as { access_token: string; refresh_token: string }
    },
    /** Ends where the authenticator app has the secret and the first code was accepted. */
    async enrolled(): Promise<void> {
      const { person, proof } = await this.signedIn()
      const { secret } = json(await person.post(`${API}/totp/enroll`, {}, proof))
      this.secrets.add(String(secret))
      const code = new TOTP({ secret: String(secret) }).generate({ timestamp: clock.now() })
      await person.post(`${API}/totp/confirm`, { code }, proof)
    }
  }
}

export function json({ body }: Pick<RawAnswer, 'body'>): Readonly<Record<string, unknown>> {
  return JSON.parse(body) as Readonly<Record<string, unknown>>
}

const routes = fp(async (fastify: FastifyInstance) => {
  for (const zone of ['in', 'basic', 'api']) {
    fastify.get(`/${zone}/who`, async ({ user }) => ({ who: user?.identifier }))
    fastify.post(`/${zone}/who`, async () => 'changed')
  }
  fastify.get('/in/rare', { config: { limits: { rate: '1/min', by: 'identity' } } }, async () => 'rare')
  fastify.get('/in/report', () => fastify.orm.acrossScopes('a report of all', async () => 'done'))
  fastify.post<{ Params: { id: string } }>('/in/keys/:id/replaced', ({ params }) =>
    fastify.tokens.apiKeys.expire(params.id, Date.UTC(2000, 0, 1))
  )
  fastify.get('/in/vault', guardHooks([[{ attribute: 'ROLE_SVC_ADMIN' }]]), async () => 'gold')
})
