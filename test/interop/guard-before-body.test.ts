/** Every route of ours, asked by nobody with a body and a query that fit no schema: refused, and nothing is said of the schema. */
import { randomBytes } from 'node:crypto'
import { fastify as createFastify, type FastifyInstance, type InjectOptions } from 'fastify'
import svcAudit from 'svc-audit'
import svcOpenapi from 'svc-openapi'
import svcOps from 'svc-ops'
import svcOrm from 'svc-orm'
import svcSecurity from 'svc-security'
import { newStoredKey } from 'svc-security/host'
import svcWebhooks from 'svc-webhooks'
import t, { type Test } from 'tap'
import { AccountBook } from '../support/account-app.ts'

/** What anybody may ask: it proves identity itself, or says nothing that is not public. */
const OPEN_TO_ALL = new Set([
  'POST /svc/security/api/auth/login',
  'POST /svc/security/api/auth/logout',
  'POST /svc/security/api/token',
  'POST /svc/security/api/token/refresh',
  'POST /svc/security/api/token/revoke',
  'GET /svc/security/api/jwks',
  'POST /svc/security/api/webauthn/login/options',
  'POST /svc/security/api/webauthn/login/verify',
  'GET /svc/security/api/oauth2/:provider/authorize',
  'GET /svc/security/api/oauth2/:provider/callback',
  'POST /svc/security/api/oauth2/:provider/backchannel-logout',
  'GET /svc/ops/health',
  'GET /svc/ops/health/live',
  'GET /svc/ops/health/ready'
])

interface OurRoute {
  readonly method: string
  readonly url: string
}

async function everything(t: Test): Promise<{ app: FastifyInstance; routes: OurRoute[] }> {
  const app = createFastify()
  t.teardown(() => app.close())
  const routes: OurRoute[] = []
  app.addHook('onRoute', ({ method, url, config }) => {
    if (config?.svc === undefined) return
    for (const each of [method].flat()) if (each !== 'HEAD') routes.push({ method: each, url })
  })
  await app.register(svcAudit)
  await app.register(svcSecurity, {
    areas: { app: { pattern: '^/app', authenticators: ['session', 'jwt', 'apikey'] } },
    jwt: { keySetJson: JSON.stringify({ keys: [newStoredKey(0)] }) },
    totp: { encryptionKey: randomBytes(32).toString('base64') },
    passkeys: { rpId: 'shop.example', origins: ['https://shop.example'] },
    oauth2: {
      publicUrl: 'https://shop.example',
      providers: { home: { issuer: 'https://id.example', clientId: 'shop' } }
    },
    parts: {
      users: Object.assign(new AccountBook(), {
        findBySocialAccount: async () => null,
        linkSocialAccount: async () => true
      })
    }
  })
  await app.register(svcWebhooks, { encryptionKey: randomBytes(32).toString('base64') })
  await app.register(svcOrm, { memory: true, parts: { entities: [] } })
  await app.register(svcOps)
  await app.register(svcOpenapi)
  await app.ready()
  return { app, routes }
}

t.test('S8: the guard decides before query and body are looked at, on every route', async (t) => {
  const { app, routes } = await everything(t)
  const guarded = routes.filter(({ method, url }) => !OPEN_TO_ALL.has(`${method} ${url}`))
  t.ok(guarded.length > 40, `${guarded.length} routes`)
  for (const { method, url } of guarded) {
    const target = `${url.replaceAll(/:\w+/g, 'x')}?nonsense=1`
    const payload = method === 'GET' ? {} : { payload: '[{}]', headers: { 'content-type': 'application/json' } }
    const answer = await app.inject({ method, url: target, ...payload } as InjectOptions)
    t.ok([401, 403].includes(answer.statusCode), `${method} ${url}: ${answer.statusCode} ${answer.body}`)
  }
  for (const open of OPEN_TO_ALL) {
    t.ok(
      routes.some(({ method, url }) => `${method} ${url}` === open),
      open
    )
  }
})
