/** X7: what a browser is told about the answers of plugins, by every one of their routes, and about no other. */
import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'
import svcAudit from 'svc-audit'
import svcConsole from 'svc-console'
import { controller, Get } from 'svc-decorators'
import type { ModuleEntry } from 'svc-host'
import type { Mode } from 'svc-kernel'
import svcOpenapi from 'svc-openapi'
import svcOps from 'svc-ops'
import svcWebhooks from 'svc-webhooks'
import t, { type Test } from 'tap'
import { startApp } from '../support/start-app.ts'

@controller('/api/orders')
class Orders {
  @Get()
  list(): unknown {
    return []
  }
}

const PLUGINS: readonly ModuleEntry[] = [
  svcOps,
  [svcWebhooks, { encryptionKey: Buffer.alloc(32, 7).toString('base64') }],
  [svcOpenapi, { open: true }],
  svcConsole
]

const OF_A_PLUGIN = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cache-control': /no-store|no-cache|max-age/,
  'content-security-policy': /frame-ancestors 'none'/
}

async function started(t: Test, mode: Mode = 'production', before: readonly ModuleEntry[] = []) {
  const parts = {
    mode,
    before: [...before, svcAudit],
    modules: PLUGINS,
    controllers: [Orders],
    server: { trustProxy: true }
  }
  return (await startApp(t, parts)).fastify
}

/** Every GET of a plugin, with something in place of each parameter. */
function routesOfPlugins({ declaredRoutes }: FastifyInstance): string[] {
  const own = declaredRoutes.filter(({ options }) => options.config?.svc?.name.startsWith('svc.') === true)
  const urls = own.filter(({ options }) => options.method === 'GET').map(({ url }) => url)
  return [...new Set(urls)].map((url) => url.replaceAll(/:\w+/g, 'x').replaceAll('*', 'x'))
}

t.test('X7: every answer of a plugin, refused or not; and none of the application', async (t) => {
  const fastify = await started(t)
  const urls = routesOfPlugins(fastify)
  t.ok(urls.length > 25, `${urls.length} routes`)
  for (const url of urls) {
    const { headers, statusCode } = await fastify.inject(url)
    t.match(headers, OF_A_PLUGIN, `${url} ${statusCode}`)
    t.equal(headers['strict-transport-security'], undefined, 'nothing is said of TLS without it')
  }
  const { headers } = await fastify.inject('/api/orders')
  for (const name of Object.keys(OF_A_PLUGIN)) t.equal(headers[name], undefined, name)
})

t.test('X7: over https in production a browser comes back over https', async (t) => {
  const secure = { url: '/svc/ops/health', headers: { 'x-forwarded-proto': 'https' } }
  const { headers } = await (await started(t)).inject(secure)
  t.equal(headers['strict-transport-security'], 'max-age=31536000')
  const inTest = await (await started(t, 'test')).inject(secure)
  t.equal(inTest.headers['strict-transport-security'], undefined, 'a certificate of development pins nothing')
})

t.test('X7: what @fastify/helmet has set stays', async (t) => {
  const policy = {
    contentSecurityPolicy: { directives: { 'frame-ancestors': ["'self'"] } },
    frameguard: { action: 'sameorigin' }
  }
  const fastify = await started(t, 'production', [[helmet, { ...policy, global: true }] as ModuleEntry])
  const { headers } = await fastify.inject('/svc/ops/health')
  t.match(headers, {
    'x-frame-options': 'SAMEORIGIN',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store'
  })
  t.match(headers['content-security-policy'], /frame-ancestors 'self'/)
})
