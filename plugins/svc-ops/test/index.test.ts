/** The plugin by itself on a bare Fastify, and its options. */
import Fastify from 'fastify'
import t from 'tap'
import svcOps from '../src/index.ts'

t.test('registers alone, with what it needs', async (t) => {
  const fastify = Fastify()
  await fastify.register(svcOps)
  await fastify.ready()
  t.ok(fastify.hasDecorator('ops') && fastify.hasDecorator('accessGate'))
  t.equal((await fastify.inject('/svc/ops/health')).statusCode, 200)
  t.equal((await fastify.inject('/svc/ops/metrics')).statusCode, 403)
  await fastify.close()
})

t.test('options are checked', async (t) => {
  for (const options of [{ metrics: { open: true } }, { health: { timeoutMs: 0 } }, { requirement: 'ROLE_X' }]) {
    const fastify = Fastify()
    t.teardown(() => fastify.close())
    await t.rejects(async () => fastify.register(svcOps, options as never), { code: 'SVC_KERNEL_OPTIONS' })
  }
})
