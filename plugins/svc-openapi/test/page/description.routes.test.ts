/** Who may read the description, and what the page loads: over real HTTP. */
import Fastify, { type FastifyInstance } from 'fastify'
import { createAccessToken } from 'svc-kernel'
import t, { type Test } from 'tap'
import svcOpenapi, { type SvcOpenapiOptions } from '../../src/index.ts'

async function listening(t: Test, mode: string, options: SvcOpenapiOptions = {}): Promise<string> {
  const fastify: FastifyInstance = Fastify()
  fastify.decorate('appHost', { name: 'shop', root: '/', mode, importModule: async () => ({}) } as never)
  await fastify.register(svcOpenapi, options)
  fastify.accessGate.use({
    allows: (token, requirement) =>
      token.user.roles.some((role) => requirement.every((clause) => clause.some(({ attribute }) => attribute === role)))
  })
  fastify.addHook('onRequest', async (request) => {
    const role = request.headers['x-role']
    if (typeof role !== 'string') return
    request.token = createAccessToken({ type: 'session', user: { identifier: 'ann', roles: [role] } })
    request.user = request.token.user
  })
  fastify.get('/api/a', async () => 'a')
  t.teardown(() => fastify.close())
  return fastify.listen({ host: '127.0.0.1', port: 0 })
}

const EVERY_FILE = [
  '/',
  '/json',
  '/yaml',
  '/static/swagger-ui.css',
  '/static/swagger-ui-bundle.js',
  '/static/swagger-initializer.js'
]

t.test('in development the page is open', async (t) => {
  const base = `${await listening(t, 'development')}/svc/docs/api`
  for (const path of EVERY_FILE) {
    const answer = await fetch(base + path)
    t.equal(answer.status, 200, path)
    t.equal(answer.headers.get('cache-control'), 'no-cache')
    await answer.arrayBuffer()
  }
  t.match(await (await fetch(`${base}/json`)).json(), { openapi: '3.1.0', paths: { '/api/a': {} } })
  t.match(await (await fetch(`${base}/yaml`)).text(), /openapi: 3\.1\.0/)
})

t.test('the page takes everything from its own host', async (t) => {
  const base = `${await listening(t, 'development')}/svc/docs/api`
  const answer = await fetch(`${base}/`)
  t.match(answer.headers.get('content-security-policy'), /default-src 'self'/)
  t.notMatch(answer.headers.get('content-security-policy'), /https:|validator/)
  const page = await answer.text()
  const sources = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, source = '']) => source)
  t.ok(sources.length >= 4)
  for (const source of sources) {
    t.notMatch(source, /^(?:https?:)?\/\//, 'no other host')
    const file = await fetch(new URL(source, `${base}/`))
    t.equal(file.status, 200, source)
    await file.arrayBuffer()
  }
})

const refusals: [what: string, mode: string, options: SvcOpenapiOptions, role: string | null, status: number][] = [
  ['production, nobody', 'production', {}, null, 403],
  ['production, another role', 'production', {}, 'ROLE_USER', 403],
  ['production, the role', 'production', {}, 'ROLE_SVC_ADMIN', 200],
  ['production, a role of its own', 'production', { role: 'ROLE_DEVELOPER' }, 'ROLE_DEVELOPER', 200],
  ['production, declared open', 'production', { open: true }, null, 200],
  ['development, declared closed', 'development', { open: false }, null, 403]
]

for (const [what, mode, options, role, status] of refusals) {
  t.test(what, async (t) => {
    const base = `${await listening(t, mode, options)}/svc/docs/api`
    for (const path of EVERY_FILE) {
      const answer = await fetch(base + path, role === null ? {} : { headers: { 'x-role': role } })
      t.equal(answer.status, status, path)
      await answer.arrayBuffer()
    }
  })
}

t.test('the address without its slash leads to the page', async (t) => {
  const base = `${await listening(t, 'development')}/svc/docs/api`
  const answer = await fetch(base, { redirect: 'manual' })
  t.equal(answer.status, 302)
  t.equal(answer.headers.get('location'), '/svc/docs/api/')
  const closed = `${await listening(t, 'production')}/svc/docs/api`
  t.equal((await fetch(closed, { redirect: 'manual' })).status, 403)
})

t.test('a router that ignores the slash', async (t) => {
  const fastify = Fastify({ routerOptions: { ignoreTrailingSlash: true } })
  t.teardown(() => fastify.close())
  await fastify.register(svcOpenapi, { open: true })
  t.equal((await fastify.inject('/svc/docs/api/json')).statusCode, 200)
  t.equal((await fastify.inject('/svc/docs/api/')).statusCode, 200)
})

t.test('without the page there is the document alone', async (t) => {
  const base = `${await listening(t, 'development', { page: false, path: '/docs' })}/docs`
  t.equal((await fetch(`${base}/json`)).status, 200)
  t.equal((await fetch(`${base}/`)).status, 404)
})
