/** The context is entered in the first hook of a server where whoever made it has noted one: on that server, and nowhere else. */
import { fastify as createFastify, type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { noteFirstHook } from '../../src/host.ts'
import { currentRequest, ensureKernel } from '../../src/index.ts'

/** A server with a noted first hook; `seen` tells for each later hook and handler whether it ran in its own request. */
function hosted(t: Test): { fastify: FastifyInstance; seen: Array<[string, boolean]> } {
  const fastify = createFastify()
  t.teardown(() => fastify.close())
  const seen: Array<[string, boolean]> = []
  const hook = noteFirstHook(fastify)
  fastify.addHook('onRequest', (request, reply, done) => hook.next(request, reply, done))
  fastify.addHook('onRequest', (request, _reply, done) => {
    seen.push(['early hook', currentRequest() === request])
    done()
  })
  fastify.get('/', async (request) => {
    await null
    seen.push(['handler', currentRequest() === request])
    return 'ok'
  })
  return { fastify, seen }
}

t.test('hooks that are older than the kernel run in the context too', async (t) => {
  const { fastify, seen } = hosted(t)
  await ensureKernel(fastify)
  t.equal((await fastify.inject('/')).body, 'ok')
  t.strictSame(seen, [
    ['early hook', true],
    ['handler', true]
  ])
  t.equal(currentRequest(), undefined)
})

t.test('without the kernel the hook goes on, in no context', async (t) => {
  const { fastify, seen } = hosted(t)
  t.equal((await fastify.inject('/')).body, 'ok')
  t.strictSame(seen, [
    ['early hook', false],
    ['handler', false]
  ])
})

t.test('a kernel in a scope enters the context of that scope alone', async (t) => {
  const { fastify, seen } = hosted(t)
  await fastify.register(async (scope) => {
    await ensureKernel(scope)
    scope.get('/scoped', async (request) => {
      seen.push(['scoped', currentRequest() === request])
      return 'ok'
    })
  })
  await fastify.inject('/')
  await fastify.inject('/scoped')
  t.strictSame(seen, [
    ['early hook', false],
    ['handler', false],
    ['early hook', false],
    ['scoped', true]
  ])
})

t.test('two servers keep their hooks apart', async (t) => {
  const [one, other] = [hosted(t), hosted(t)]
  await ensureKernel(one.fastify)
  await other.fastify.inject('/')
  await one.fastify.inject('/')
  t.strictSame(other.seen[0], ['early hook', false])
  t.strictSame(one.seen[0], ['early hook', true])
})
