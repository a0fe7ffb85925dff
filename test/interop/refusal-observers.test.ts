/** Who may see a refusal before it is sent: error handlers, hooks and serialisers of the application get an error, and a body of its own. */
import { fastify as createFastify, type FastifyInstance, type FastifyRequest } from 'fastify'
import { guardHooks } from 'svc-kernel'
import svcSecurity from 'svc-security'
import t, { type Test } from 'tap'

const DENIED = {
  statusCode: 403,
  code: 'SVC_SEC_DENIED',
  error: 'Forbidden',
  message: 'access denied'
}

async function guarded(t: Test, prepare: (fastify: FastifyInstance) => void): Promise<FastifyInstance> {
  const fastify = createFastify()
  t.teardown(() => fastify.close())
  await fastify.register(svcSecurity, {
    areas: { all: { pattern: '^/in', authenticators: ['anonymous'] } }
  })
  prepare(fastify)
  const svc = {
    name: 'x',
    requirement: null,
    anonymous: false,
    bypassFirewall: false,
    transports: [],
    source: null
  }
  fastify.get('/denied', { ...guardHooks([[{ attribute: 'ROLE_ADMIN' }]]), config: { svc } }, () => 'never')
  await fastify.ready()
  return fastify
}

t.test('an error handler of the application gets an error of its own for each request', async (t) => {
  const seen: Array<Error & { code?: string; statusCode?: number }> = []
  const fastify = await guarded(t, (fastify) => {
    fastify.setErrorHandler((error: Error, _request, reply) => {
      seen.push(Object.assign(error, { mine: seen.length }))
      reply.code(418).send({ mine: true })
    })
  })
  for (let time = 0; time < 2; time += 1) {
    const answer = await fastify.inject('/denied')
    t.strictSame([answer.statusCode, answer.json()], [418, { mine: true }])
    t.strictSame([answer.headers['cache-control'], answer.headers.vary], ['no-store', 'authorization, cookie'])
  }
  t.match(seen, [
    {
      code: 'SVC_SEC_DENIED',
      statusCode: 403,
      message: 'access denied',
      name: 'FastifyError'
    },
    { code: 'SVC_SEC_DENIED', statusCode: 403 }
  ])
  t.ok(seen.every((error) => error instanceof Error))
  t.not(seen[0], seen[1], 'what one request leaves on it is not seen by another')
})

t.test('onError, preSerialization, onSend and serialisers of the application see a refusal', async (t) => {
  const seen: unknown[] = []
  const fastify = await guarded(t, (fastify) => {
    fastify.addHook('onError', (_request, reply, error, done) => {
      seen.push(['onError', error.code, reply.statusCode])
      done()
    })
    fastify.addHook('preSerialization', (_request, _reply, payload, done) => {
      seen.push(['preSerialization', payload])
      done(null, { ...(payload as object), traced: 1 })
    })
    fastify.addHook('onSend', (_request, _reply, payload, done) => {
      seen.push(['onSend', payload])
      done(null, `${payload}\n`)
    })
  })
  const answer = await fastify.inject('/denied')
  const text = JSON.stringify({ ...DENIED, traced: 1 })
  t.equal(answer.body, `${text}\n`)
  t.strictSame(seen, [
    ['onError', 'SVC_SEC_DENIED', 200],
    ['preSerialization', DENIED],
    ['onSend', text]
  ])
  const serialised = await guarded(t, (fastify) =>
    fastify.setReplySerializer((body, status) => `${status} ${JSON.stringify(body)}`)
  )
  t.equal((await serialised.inject('/denied')).body, `403 ${JSON.stringify(DENIED)}`)
})

t.test('a body is of one request: what a hook changes in it, no other caller is sent', async (t) => {
  const fastify = await guarded(t, (fastify) => {
    fastify.addHook('preSerialization', (request: FastifyRequest, _reply, payload, done) => {
      try {
        Object.assign(payload as object, {
          message: `denied to ${request.id}`
        })
      } catch {
        // A body that cannot be changed is as good.
      }
      done()
    })
  })
  const first = (await fastify.inject('/denied')).json()
  const second = (await fastify.inject('/denied')).json()
  t.not(first.message, second.message)
})
