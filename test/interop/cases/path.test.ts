/** Area `path`: every spelling of a target, byte for byte on a socket. Whatever handler would run, its zone comes first. */
import type { FastifyInstance } from 'fastify'
import svcDecorators from 'svc-decorators'
import type { ModuleEntry, ServerConfig } from 'svc-host'
import type { Test } from 'tap'
import { bearer, PlainCredential } from '../../support/plain-credential.ts'
import type { RawAnswer } from '../../support/raw-http.ts'
import { rawExchange, rawRequest } from '../../support/raw-http.ts'
import { startApp } from '../../support/start-app.ts'
import { adminControllers, Inner, siteControllers } from './admin-controllers.ts'
import { securityCase } from './security-case.ts'

/** Fastify's types leave the semicolon out, which its router knows. */
type RouterOptions = NonNullable<ServerConfig['routerOptions']> & { useSemicolonDelimiter?: boolean }

/** An application with a zone `^/admin`, and a way to ask it with and without proof. */
async function adminApp(
  t: Test,
  routerOptions: RouterOptions = {},
  { controllers = adminControllers, modules = [] as readonly ModuleEntry[] } = {}
) {
  const { port, lines } = await startApp(t, {
    security: {
      areas: { admin: { pattern: '^/admin(/|$)', authenticators: ['bearer'] } },
      parts: { authenticators: { bearer: PlainCredential.bearer() } }
    },
    controllers,
    modules,
    server: { routerOptions }
  })
  return {
    lines,
    bare: (target: string, method = 'GET') => rawExchange(port, rawRequest(method, target)),
    proven: (target: string, method = 'GET') => rawExchange(port, rawRequest(method, target, bearer('alice')))
  }
}

/** 401 without proof; with proof, the answer of the template. */
async function behindZone(
  t: Test,
  target: string,
  route: string,
  routerOptions: RouterOptions = {},
  more: Parameters<typeof adminApp>[2] = {}
): Promise<RawAnswer> {
  const { bare, proven } = await adminApp(t, routerOptions, more)
  const refused = await bare(target)
  t.equal(refused.status, 401)
  t.equal(refused.headers['www-authenticate'], 'Bearer')
  t.match(JSON.parse(refused.body), { statusCode: 401, code: 'SVC_SEC_UNAUTHENTICATED' })
  const admitted = await proven(target)
  t.equal(admitted.status, 200, 'the target does reach a handler')
  t.match(JSON.parse(admitted.body), { route, who: 'alice' })
  return admitted
}

securityCase('PAT-01', async (t) => {
  await behindZone(t, '/%61dmin/users', '/admin/users')
  await behindZone(t, '/%61%64%6D%69%6e/%75sers', '/admin/users')
})

securityCase('PAT-02', async (t) => {
  await behindZone(t, 'http://evil/admin/users', '/admin/users')
  await behindZone(t, 'HTTPS://evil:1/%61dmin/users', '/admin/users')
})

securityCase('PAT-03', async (t) => {
  await behindZone(t, '//admin/users', '/admin/users', { ignoreDuplicateSlashes: true })
  await behindZone(t, '/admin///users', '/admin/users', { ignoreDuplicateSlashes: true })
})

securityCase('PAT-04', async (t) => {
  const { bare, proven } = await adminApp(t)
  t.equal((await bare('//admin/users')).status, 404, 'no route, and outside of every zone')
  t.equal((await proven('//admin/users')).status, 404)
  t.equal((await bare('/admin//users')).status, 401, 'no route, and inside the zone')
  t.equal((await proven('/admin//users')).status, 404)
})

securityCase('PAT-05', async (t) => {
  await behindZone(t, '/ADMIN/users', '/admin/users', { caseSensitive: false })
  await behindZone(t, '/aDmIn/USERS', '/admin/users', { caseSensitive: false })
})

securityCase(
  'PAT-06',
  async (t) => {
    const { bare } = await adminApp(t, {}, { controllers: [...adminControllers, ...siteControllers] })
    const tenant = await bare('/ADMIN/users')
    t.equal(tenant.status, 200, 'case counts here, so this is a tenant as any other')
    t.match(JSON.parse(tenant.body), { route: '/:tenant/users', params: { tenant: 'ADMIN' }, who: 'anonymous' })
    t.equal((await bare('/other/users')).status, 200, 'and no more public than that one')
    t.equal((await bare('/admin/users')).status, 401)
  },
  'the tenant route, public by its template as for every tenant'
)

securityCase('PAT-07', async (t) => {
  const { bare, proven } = await adminApp(t, { useSemicolonDelimiter: true })
  t.equal((await bare('/admin;x=1/users')).status, 401)
  t.match(JSON.parse((await proven('/admin;x=1/users')).body), { route: '/admin' }, 'the router cuts at the semicolon')
})

securityCase('PAT-09', async (t) => {
  await behindZone(t, '/admin/', '/admin', { ignoreTrailingSlash: true })
  await behindZone(t, '/admin/users/', '/admin/users', { ignoreTrailingSlash: true })
})

securityCase('PAT-10', async (t) => {
  const { body } = await behindZone(t, '/admin/users/', '/admin/users/:id')
  t.match(JSON.parse(body), { params: { id: '' } })
})

securityCase('PAT-11', async (t) => {
  const { bare, proven } = await adminApp(t)
  for (const target of ['/admin%2Fusers', '/admin%2fusers']) {
    t.equal((await bare(target)).status, 404)
    t.equal((await proven(target)).status, 404)
  }
})

securityCase('PAT-12', async (t) => {
  const { proven } = await adminApp(t)
  t.match(JSON.parse((await proven('/admin/users/a%2fb')).body), { route: '/admin/users/:id', params: { id: 'a/b' } })
  t.match(JSON.parse((await proven('/admin/users/a%252fb')).body), { params: { id: 'a%2fb' } })
})

securityCase('PAT-14', async (t) => {
  const { bare, proven } = await adminApp(t)
  for (const target of ['/public/../admin/users', '/public/%2e%2e/admin/users', '/%2e/admin/users']) {
    t.equal((await bare(target)).status, 404, target)
    t.equal((await proven(target)).status, 404, target)
  }
  t.equal((await bare('/admin/../admin/users')).status, 401, 'dots behind the prefix stay inside')
})

securityCase(
  'PAT-15',
  async (t) => {
    const { bare } = await adminApp(t, {}, { controllers: siteControllers })
    const answer = await bare('/files/../admin/users')
    t.equal(answer.status, 200)
    t.match(JSON.parse(answer.body), { route: '/files/*', params: { '*': '../admin/users' } })
  },
  'the handler gets "../admin/users" as it came, and nothing else runs'
)

securityCase('PAT-16', async (t) => {
  const hooks: string[] = []
  const spy: ModuleEntry = async (fastify: FastifyInstance) => {
    fastify.addHook('onRequest', async (request) => void hooks.push(request.url))
    fastify.get('/admin/:broken', async () => 'reached')
  }
  const { bare, proven } = await adminApp(t, {}, { modules: [spy] })
  for (const target of ['/admin/%E0%A4%A', '/admin/%', '/admin/%zz', '/%61dmin/%c0%ae']) {
    const answer = await bare(target)
    t.equal(answer.status, 400, target)
    t.match(JSON.parse(answer.body), { statusCode: 400, code: 'FST_ERR_BAD_URL' })
    t.equal((await proven(target)).status, 400)
  }
  t.strictSame(hooks, [])
})

securityCase('PAT-18', async (t) => {
  const { bare } = await adminApp(t, {}, { controllers: [...adminControllers, ...siteControllers] })
  const answer = await bare('/\\admin/users')
  t.match(JSON.parse(answer.body), { route: '/:tenant/users', params: { tenant: '\\admin' } })
  t.equal((await bare('\\admin\\users')).status, 400, 'no target of HTTP at all')
})

securityCase(
  'PAT-23',
  async (t) => {
    const { bare, proven } = await adminApp(t)
    t.equal((await bare('*', 'OPTIONS')).status, 401, 'it has no path, so the strictest zone there is holds')
    t.equal((await proven('*', 'OPTIONS')).status, 404)
    t.equal((await proven('/admin/users')).status, 200, 'the server lives on')
  },
  '401 without proof, 404 with'
)

securityCase('PAT-24', async (t) => {
  const mounted: ModuleEntry = [
    async (fastify: FastifyInstance) => {
      await fastify.register(svcDecorators, { controllers: [Inner], prefix: '/deep' })
      fastify.get('/plain', async (request) => ({ route: request.routeOptions.url, who: request.user?.identifier }))
    },
    { prefix: '/admin' }
  ]
  await behindZone(t, '/admin/deep/in', '/admin/deep/in', {}, { modules: [mounted] })
  await behindZone(t, '/admin/plain', '/admin/plain', {}, { modules: [mounted] })
  await behindZone(t, '/%61dmin/plain', '/admin/plain', {}, { modules: [mounted] })
})
