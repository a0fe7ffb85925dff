/** Hooks of a plugin in a scope meet every request, and a scope without the application's routes is refused. */
import Fastify, { type FastifyInstance, type onRequestHookHandler } from 'fastify'
import fp from 'fastify-plugin'
import { serverHooks } from 'svc-kernel/plugin'
import t, { type Test } from 'tap'

const PLUGIN = { name: 'svc-probe', code: 'SVC_PROBE_NOT_ROOT' }

/** A plugin that refuses every request. */
const probe = fp(async (fastify: FastifyInstance) => {
  const refuse: onRequestHookHandler = (_request, reply) => void reply.code(401).send()
  serverHooks(fastify, PLUGIN).addHook('onRequest', refuse)
})

function server(t: Test): FastifyInstance {
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  return fastify
}

const statusOf = async (fastify: FastifyInstance, url: string): Promise<number> =>
  (await fastify.inject(url)).statusCode

t.test('E1: in the scope of an application, every request is met', async (t) => {
  const fastify = server(t)
  fastify.get('/earlier', async () => 'open')
  fastify.register(async (scope) => void scope.get('/sibling', async () => 'open'))
  fastify.register(async (app) => {
    app.get('/before', async () => 'open')
    app.register(async (scope) => void scope.get('/child-before', async () => 'open'))
    app.register(fp(async (plugins) => void plugins.register(probe)))
    app.register(async (scope) => void scope.get('/child-after', async () => 'open'))
  })
  await fastify.ready()
  for (const url of ['/earlier', '/sibling', '/before', '/child-before', '/child-after', '/unknown']) {
    t.equal(await statusOf(fastify, url), 401, url)
  }
})

t.test('E1: a route declared outside of the scope afterwards is refused, and named', async (t) => {
  const fastify = server(t)
  fastify.register(async (app) => {
    app.register(async function plugins(scope) {
      await scope.register(probe)
      scope.get('/mine', async () => 'open')
    })
    app.register(async (scope) => void scope.get('/theirs', async () => 'open'))
  })
  await t.rejects(Promise.resolve(fastify.ready()), {
    code: PLUGIN.code,
    problems: [{ message: /\/theirs/, at: 'the plugin plugins', fix: /fp\(/, more: 'npx svc docs fastify-cli' }]
  })
})

t.test('E1: a scope that holds no route of the application is refused', async (t) => {
  const fastify = server(t)
  fastify.get('/earlier', async () => 'open')
  fastify.register(async (scope) => {
    await scope.register(probe)
    scope.get('/svc/probe/api', async () => 'its own')
  })
  await t.rejects(Promise.resolve(fastify.ready()), { code: PLUGIN.code, message: /contains no route/ })
})

t.test('on the root instance nothing is asked', async (t) => {
  const fastify = server(t)
  await fastify.register(probe)
  await fastify.ready()
  t.equal(await statusOf(fastify, '/unknown'), 401)
})
