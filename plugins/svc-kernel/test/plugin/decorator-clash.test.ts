/** A decorator that is wanted twice: one problem, whoever comes first, with the way out that fits. */
import { fastify as createFastify, type FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import t, { type Test } from 'tap'
import svcKernel, { definePlugin } from '../../src/index.ts'

function instance(t: Test): FastifyInstance {
  const fastify = createFastify()
  t.teardown(() => fastify.close())
  return fastify
}

const jwt = fp(
  async (fastify: FastifyInstance) => {
    fastify.decorateRequest('user', null)
  },
  { name: '@fastify/jwt' }
)

const passport = fp(async (fastify: FastifyInstance) => {
  fastify.decorateRequest('passport', null)
  fastify.decorateRequest('user', null)
})

const rows: ReadonlyArray<[who: string, plugin: typeof jwt, says: RegExp]> = [
  [
    '@fastify/jwt',
    jwt,
    /svc-kernel and @fastify\/jwt both add [\s\S]*\n[\s\S]*fix: register @fastify\/jwt with \{ decoratorName:/
  ],
  ['@fastify/passport', passport, /svc-kernel and @fastify\/passport both add [\s\S]*\n[\s\S]*userProperty: 'account'/]
]

for (const [who, plugin, says] of rows) {
  t.test(`${who} first`, async (t) => {
    const fastify = instance(t)
    await fastify.register(plugin)
    const refused = { code: 'SVC_DECORATOR_TAKEN', message: says, cause: { code: 'FST_ERR_DEC_ALREADY_PRESENT' } }
    await t.rejects(async () => fastify.register(svcKernel), refused)
  })

  t.test(`${who} second`, async (t) => {
    const fastify = instance(t)
    await fastify.register(svcKernel)
    await t.rejects(async () => fastify.register(plugin), { code: 'SVC_DECORATOR_TAKEN', message: says })
  })

  t.test(`${who} second, in a scope`, async (t) => {
    const fastify = instance(t)
    await fastify.register(svcKernel)
    const scope = async (scope: FastifyInstance) => void (await scope.register(plugin))
    await t.rejects(async () => fastify.register(scope), { code: 'SVC_DECORATOR_TAKEN', message: says })
  })
}

t.test('the application itself', async (t) => {
  const early = instance(t)
  early.decorateRequest('token', null)
  await t.rejects(async () => early.register(svcKernel), {
    code: 'SVC_DECORATOR_TAKEN',
    message: /svc-kernel and the application or another plugin both add request\.token/
  })
  const late = instance(t)
  await late.register(svcKernel)
  for (const name of ['user', 'token', 'liveIdentity']) {
    t.throws(() => late.decorateRequest(name, null), {
      code: 'SVC_DECORATOR_TAKEN',
      message: /remove it and use that of/
    })
  }
  t.equal(late.decorateRequest('account', null), late, 'any other name is decorated, and calls can be chained')
  t.ok(late.hasRequestDecorator('account'))
})

/** What a plugin of ours fails with. */
async function failure(t: Test, fail: (scope: FastifyInstance) => void): Promise<unknown> {
  const fastify = instance(t)
  fastify.decorate('journal', 1)
  fastify.decorateReply('stamp', null)
  try {
    await fastify.register(definePlugin(async (scope) => fail(scope), { name: 'svc-x' }))
  } catch (error) {
    return error
  }
  return null
}

t.test('a decorator of the server or of replies; other failures stay as they are', async (t) => {
  t.match(await failure(t, (scope) => void scope.decorate('journal', 2)), {
    code: 'SVC_DECORATOR_TAKEN',
    problems: [{ message: /^svc-x and .* both add fastify\.journal/, at: 'the plugin svc-x' }]
  })
  t.match(await failure(t, (scope) => void scope.decorateReply('stamp', null)), {
    problems: [{ message: /both add reply\.stamp/ }]
  })
  const thrown = new Error('the cellar is flooded')
  const found = await failure(t, () => {
    throw thrown
  })
  t.equal(found, thrown)
  t.equal(await failure(t, () => undefined), null)
})
