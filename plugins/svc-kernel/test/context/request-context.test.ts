/** The ambient context over real requests: every line of work below a request sees its own caller. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import requestContext from '@fastify/request-context'
import { fastify as createFastify, type FastifyInstance } from 'fastify'
import t from 'tap'
import { createAccessToken } from '../../src/identity/identity.ts'
import { currentRequest, currentToken, currentUser, ensureKernel } from '../../src/index.ts'
import { runInContext } from '../../src/plugin.ts'
import { rawRequest } from '../raw-request.ts'

async function appNamingCallers(t: Tap, fastify: FastifyInstance = createFastify()): Promise<FastifyInstance> {
  await ensureKernel(fastify)
  fastify.addHook('onRequest', async (request) => {
    const name = request.headers['x-name']
    if (typeof name !== 'string') return
    await nextTurn()
    request.token = createAccessToken({ type: 'test', user: { identifier: name } })
    request.user = request.token.user
  })
  fastify.post('/name', async (request) => {
    const before = currentUser().identifier
    await nextTurn()
    await new Promise((resolve) => process.nextTick(resolve))
    return {
      before,
      after: currentUser().identifier,
      token: currentToken()?.type ?? null,
      own: currentRequest() === request
    }
  })
  t.teardown(() => fastify.close())
  await fastify.listen({ port: 0, host: '127.0.0.1' })
  return fastify
}

type Tap = { teardown(work: () => unknown): void }

t.test('outside of a request there is nobody', async (t) => {
  t.equal(currentRequest(), undefined)
  t.equal(currentUser().identifier, 'anonymous')
  t.equal(currentToken(), null)
})

t.test('a request without an identity runs as the anonymous user', async (t) => {
  const fastify = await appNamingCallers(t)
  const { body } = await fastify.inject({ method: 'POST', url: '/name' })
  t.same(JSON.parse(body), { before: 'anonymous', after: 'anonymous', token: null, own: true })
})

t.test('200 interleaved requests never see another identity', async (t) => {
  const fastify = await appNamingCallers(t)
  const { port } = fastify.server.address() as { port: number }
  const answers = await Promise.all(
    Array.from({ length: 200 }, async (_, index) => {
      const response = await fetch(`http://127.0.0.1:${port}/name`, {
        method: 'POST',
        headers: { 'x-name': `u${index}` }
      })
      return response.json()
    })
  )
  t.same(
    answers,
    answers.map((_, index) => ({ before: `u${index}`, after: `u${index}`, token: 'test', own: true }))
  )
})

t.test('the context survives a body that comes in two segments', async (t) => {
  const fastify = await appNamingCallers(t)
  const head =
    'POST /name HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX-Name: ada\r\nContent-Type: application/json\r\nContent-Length: 7\r\n\r\n'
  const answer = await rawRequest(fastify, head, '{"a"', () => nextTurn(), ':1}')
  t.match(answer, /"before":"ada","after":"ada"/)
})

t.test(
  'behind @fastify/request-context, which goes back to its own context after the body, both are there',
  async (t) => {
    const fastify = createFastify()
    await fastify.register(requestContext, { defaultStoreValues: () => ({ seen: 'theirs' }) as never })
    fastify.addHook('onSend', async (_request, reply) => {
      reply.header('x-seen', String(fastify.requestContext.get('seen' as never)))
    })
    await appNamingCallers(t, fastify)
    const head =
      'POST /name HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX-Name: ada\r\nContent-Type: application/json\r\nContent-Length: 7\r\n\r\n'
    const answer = await rawRequest(fastify, head, '{"a"', () => nextTurn(), ':1}')
    t.match(answer, /"before":"ada","after":"ada"/)
    t.match(answer, /x-seen: theirs/)
  }
)

t.test('the next request on a kept-alive socket starts without an identity', async (t) => {
  const fastify = await appNamingCallers(t)
  const named = 'POST /name HTTP/1.1\r\nHost: a\r\nX-Name: ada\r\nContent-Length: 0\r\n\r\n'
  const unnamed = 'POST /name HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'
  const answer = await rawRequest(fastify, named, unnamed)
  t.same(answer.match(/"before":"\w+"/g), ['"before":"ada"', '"before":"anonymous"'])
})

t.test('the hooks after the handler still know the caller', async (t) => {
  const fastify = createFastify()
  const seen: string[] = []
  await ensureKernel(fastify)
  fastify.addHook('onRequest', async (request) => {
    request.user = createAccessToken({ type: 'test', user: { identifier: 'ada' } }).user
  })
  fastify.addHook('onSend', async () => {
    seen.push(`send ${currentUser().identifier}`)
  })
  fastify.addHook('onError', async () => {
    seen.push(`error ${currentUser().identifier}`)
  })
  fastify.post('/', { schema: { body: { type: 'object' } } }, async () => 'ok')
  t.teardown(() => fastify.close())
  const { statusCode } = await fastify.inject({
    method: 'POST',
    url: '/',
    payload: '{broken',
    headers: { 'content-type': 'application/json' }
  })
  t.equal(statusCode, 400)
  t.same(seen, ['error ada', 'send ada'])
})

t.test('work is run in the context it is given, and leaves it', async (t) => {
  const fastify = createFastify()
  await ensureKernel(fastify)
  fastify.get('/', async (request) => {
    const again = await runInContext(request, async () => {
      await nextTurn()
      return currentRequest() === request
    })
    return { again }
  })
  t.teardown(() => fastify.close())
  t.same((await fastify.inject('/')).json(), { again: true })
  t.equal(currentRequest(), undefined)
})
