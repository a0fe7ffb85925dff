/** The plugin itself: alone on a bare Fastify, once, and without options. */
import { fastify as createFastify, type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import svcKernel, { AccessGate, ensureKernel } from '../src/index.ts'

function instance(t: Test): FastifyInstance {
  const fastify = createFastify()
  t.teardown(() => fastify.close())
  return fastify
}

t.test('alone: decorators, and requests without an identity', async (t) => {
  const fastify = instance(t)
  await fastify.register(svcKernel)
  fastify.get('/', async (request) => ({ user: request.user, token: request.token }))
  t.ok(fastify.accessGate instanceof AccessGate)
  t.equal(fastify.accessGate.ready, false)
  t.same((await fastify.inject('/')).json(), { user: null, token: null })
})

t.test('ensured by everyone, registered once', async (t) => {
  const fastify = instance(t)
  await ensureKernel(fastify)
  const gate = fastify.accessGate
  t.ok(gate instanceof AccessGate)
  await ensureKernel(fastify)
  await fastify.register(async (child) => {
    await ensureKernel(child)
    t.equal(child.accessGate, gate)
  })
  await fastify.ready()
  t.equal(fastify.accessGate, gate)
})

t.test('descriptions of the API: one list, from any scope', async (t) => {
  const fastify = instance(t)
  await ensureKernel(fastify)
  await fastify.register(async (child) => {
    child.apiDescriptions.push({ tags: [{ name: 'orders' }] })
  })
  t.strictSame(fastify.apiDescriptions, [{ tags: [{ name: 'orders' }] }])
})

t.test('N6: registered twice by hand, it says so', async (t) => {
  const fastify = instance(t)
  await fastify.register(svcKernel)
  await t.rejects(async () => fastify.register(svcKernel), {
    code: 'SVC_MODULE_DUPLICATE',
    message: /svc-kernel is registered twice/
  })
})

t.test('it takes no option', async (t) => {
  const fastify = instance(t)
  await t.rejects(async () => fastify.register(svcKernel, { mode: 'x' } as object), {
    code: 'SVC_KERNEL_OPTIONS',
    message: /svc-kernel\.mode/
  })
})

t.test('the hooks of routes declared before and beside it run inside the context', async (t) => {
  const { currentRequest } = await import('../src/index.ts')
  const fastify = instance(t)
  const inside = async (): Promise<boolean> => currentRequest() !== undefined
  fastify.get('/before', inside)
  fastify.register(async (child) => {
    child.get('/child', inside)
  })
  await fastify.register(svcKernel)
  fastify.get('/after', inside)
  for (const path of ['/before', '/child', '/after']) t.equal((await fastify.inject(path)).body, 'true', path)
})
