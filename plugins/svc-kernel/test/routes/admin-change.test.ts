/** Routes of administrators: which guard a change has for a person and for a machine, and versions that a change names. */
import Fastify, { type FastifyInstance } from 'fastify'
import t from 'tap'
import { createAccessToken, ensureKernel } from '../../src/index.ts'
import { ADMIN_SCOPE, adminChange, adminRoute, changedMeanwhile, ifMatch, tagVersion } from '../../src/plugin.ts'

const ADMIN = ['ROLE_SVC_ADMIN']

/** Callers from a header; a role is granted to who holds it, a scope to whose token has it. */
async function application(routes: (fastify: FastifyInstance) => void) {
  const fastify = Fastify()
  await ensureKernel(fastify)
  fastify.accessGate.use({
    allows: ({ user, scopes = [] }, requirement) =>
      requirement.every((clause) => clause.some(({ attribute }) => [...user.roles, ...scopes].includes(attribute)))
  })
  fastify.addHook('onRequest', async (request) => {
    const caller = request.headers['x-caller']
    if (typeof caller === 'string') request.token = createAccessToken(JSON.parse(caller))
  })
  routes(fastify)
  const ask = async (type: string, roles: readonly string[], scopes: readonly string[] = []) => {
    const caller = JSON.stringify({ type, user: { identifier: 'ada', roles }, scopes })
    return (await fastify.inject({ method: 'POST', url: '/change', headers: { 'x-caller': caller } })).statusCode
  }
  return { fastify, ask }
}

t.test('X2: a person needs the role, a machine the scope besides', async (t) => {
  const order: string[] = []
  const behind =
    (name: string) => (_request: unknown, _reply: unknown, payload: unknown, done: (...all: never[]) => void) => {
      order.push(name)
      done(...([null, payload] as never[]))
    }
  const { fastify, ask } = await application((app) => {
    app.post('/change', { ...adminChange('change', behind('csrf'), null, behind('proof')) }, () => 'changed')
  })
  t.teardown(() => fastify.close())
  t.equal((await fastify.inject({ method: 'POST', url: '/change' })).statusCode, 403, 'nobody')
  for (const type of ['session', 'userpassword']) {
    t.equal(await ask(type, ADMIN), 200, type)
    t.equal(await ask(type, ['ROLE_USER'], [ADMIN_SCOPE]), 403, `${type} without the role`)
  }
  t.same(order, ['csrf', 'proof', 'csrf', 'proof'], 'what is behind the guard runs for who is let in, in its order')
  for (const type of ['apikey', 'jwt', 'oauth2', 'mtls', 'agent', 'of-its-own']) {
    t.equal(await ask(type, ADMIN), 403, type)
    t.equal(await ask(type, ADMIN, ['svc:read', 'svc', 'svc:administrator']), 403, `${type} with others`)
    t.equal(await ask(type, ['ROLE_USER'], [ADMIN_SCOPE]), 403, `${type} with the scope alone`)
    t.equal(await ask(type, ADMIN, [ADMIN_SCOPE]), 200, `${type} with both`)
  }
  t.same(fastify.declaredRoutes.find(({ url }) => url === '/change')?.options.config?.svc?.requirement, [
    [{ attribute: 'ROLE_SVC_ADMIN' }],
    [{ attribute: 'svc:admin' }]
  ])
})

t.test('X2: what only reads is declared as such, and a change is not', async (t) => {
  const { fastify } = await application(() => {})
  t.teardown(() => fastify.close())
  for (const method of ['GET', 'HEAD', 'OPTIONS', 'TRACE']) {
    fastify.route({
      method: method as 'GET',
      url: `/${method}`,
      ...adminRoute('look'),
      handler: () => 'seen',
      exposeHeadRoute: false
    })
  }
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'post', ['GET', 'DELETE']]) {
    for (const options of [adminRoute('change'), adminRoute('change', 'ROLE_SVC_DATA')]) {
      const declare = () => fastify.route({ method: method as 'POST', url: '/x', ...options, handler: () => 'done' })
      t.throws(declare, { code: 'SVC_KERNEL_ADMIN_ROUTE' }, String(method))
    }
  }
})

t.test('Q7: a version is a time in quotes, and nothing else', async (t) => {
  const rows: ReadonlyArray<readonly [header: string | undefined, expected: number | undefined]> = [
    [undefined, undefined],
    ['*', undefined],
    ['"0"', 0],
    ['"1700000000000"', 1_700_000_000_000],
    ['1700000000000', -1],
    ['W/"1700000000000"', -1],
    ['"1", "2"', -1],
    ['"-1"', -1],
    ['"1e3"', -1],
    ['""', -1],
    ['', -1]
  ]
  for (const [header, expected] of rows) {
    t.equal(ifMatch({ headers: { 'if-match': header } } as never), expected, String(header))
  }
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  await ensureKernel(fastify)
  fastify.get('/known', async (_request, reply) => tagVersion(reply, 5) ?? 'known')
  fastify.get('/unknown', async (_request, reply) => tagVersion(reply, null) ?? 'unknown')
  t.equal((await fastify.inject('/known')).headers.etag, '"5"')
  t.equal((await fastify.inject('/unknown')).headers.etag, undefined)
})

t.test('Q7: the answer to a change that came too late has what is kept now', async (t) => {
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  await ensureKernel(fastify)
  fastify.get('/late', adminRouteOf('late'), async () => {
    throw changedMeanwhile('the note', { text: 'theirs', updatedAt: 5 })
  })
  fastify.get('/other', adminRouteOf('other'), async () => {
    throw Object.assign(new Error('no'), { statusCode: 409, code: 'X', current: { secret: 's' } })
  })
  t.same((await fastify.inject('/late')).json(), {
    statusCode: 409,
    code: 'SVC_HTTP_CHANGED',
    error: 'Conflict',
    message: 'the note has changed since you read it',
    current: { text: 'theirs', updatedAt: 5 }
  })
  t.notMatch((await fastify.inject('/other')).body, /secret/, 'an error of another kind shows nothing more')
})

/** The one error body is that of routes with `config.svc`. */
function adminRouteOf(name: string) {
  return { config: adminRoute(name).config }
}
