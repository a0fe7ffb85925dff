/** Refusals tell caches to keep away, and lose nothing that the application said of its own. */
import { fastify as createFastify } from 'fastify'
import t from 'tap'
import { guardHooks } from '../../src/access/guard.hook.ts'
import { ensureKernel } from '../../src/index.ts'

for (const [given, expected] of [
  [undefined, 'authorization, cookie'],
  ['Origin', 'Origin, authorization, cookie'],
  [['Origin', 'Accept'], 'Origin, Accept, authorization, cookie']
] as const) {
  t.test(`Vary was ${String(given)}`, async (t) => {
    const fastify = createFastify()
    t.teardown(() => fastify.close())
    await ensureKernel(fastify)
    fastify.addHook('onRequest', async (_request, reply) => {
      if (given !== undefined) reply.header('vary', given)
      reply.header('cache-control', 'public, max-age=60')
    })
    fastify.get('/guarded', guardHooks([[{ attribute: 'ROLE_A' }]]), () => 'inside')
    fastify.get('/open', () => 'inside')
    const { statusCode, headers } = await fastify.inject('/guarded')
    t.equal(statusCode, 403)
    t.match(headers, { 'cache-control': 'no-store', vary: expected })
    t.match((await fastify.inject('/open')).headers, { 'cache-control': 'public, max-age=60' })
  })
}
