/** The application's error and 404 answers, on plain Fastify routes. */
import { fastify as createFastify, type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { installErrorHandler, installNotFoundHandler } from '../../src/http-errors/error-handlers.ts'

async function app(t: Test, production: boolean, lines: string[] = []): Promise<FastifyInstance> {
  const fastify = createFastify({
    logger: {
      level: 'debug',
      stream: {
        write: (line) => {
          lines.push(line)
        }
      }
    },
    disableRequestLogging: true
  })
  t.teardown(() => fastify.close())
  installErrorHandler(fastify, production)
  fastify.get('/fails', () => {
    throw new Error('the disk at 10.0.0.7 is full')
  })
  fastify.get('/later', async () => Promise.reject(new Error('later')))
  fastify.get('/refused', () => {
    throw Object.assign(new Error('too many'), {
      statusCode: 429,
      code: 'SVC_X_THROTTLED',
      headers: { 'retry-after': 7, 'set-cookie': 'a=b', 'content-length': '1', allow: { not: 'text' } }
    })
  })
  fastify.get('/coded', (_request, reply) => {
    reply.code(410)
    throw new Error('gone')
  })
  fastify.get('/created', (_request, reply) => {
    reply.code(201)
    throw new Error('half-way')
  })
  fastify.get('/text', async () => Promise.reject('boom'))
  fastify.get('/headers', () => {
    throw Object.assign(new Error('x'), { headers: null, statusCode: 400 })
  })
  fastify.post(
    '/body',
    { schema: { body: { type: 'object', required: ['url'], properties: { url: { type: 'string' } } } } },
    () => 'ok'
  )
  fastify.register(async (child) => {
    child.get('/child', () => {
      throw Object.assign(new Error('child'), { statusCode: 409 })
    })
  })
  installNotFoundHandler(fastify, production)
  return fastify
}

for (const production of [true, false]) {
  t.test(`5xx ${production ? 'hides' : 'shows'} its cause, and logs it`, async (t) => {
    const lines: string[] = []
    const fastify = await app(t, production, lines)
    const response = await fastify.inject('/fails')
    t.equal(response.statusCode, 500)
    t.equal(response.body.includes('10.0.0.7'), !production)
    const logged = lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 50)
    t.match(logged, [{ msg: 'the request failed', err: { message: 'the disk at 10.0.0.7 is full' } }])
    t.equal((await fastify.inject('/later')).statusCode, 500)
    t.equal((await fastify.inject('/text')).statusCode, 500)
  })
}

t.test('a refusal brings the headers that belong to it and no other, and is no error in the log', async (t) => {
  const lines: string[] = []
  const fastify = await app(t, true, lines)
  const response = await fastify.inject('/refused')
  t.strictSame(response.json(), {
    statusCode: 429,
    code: 'SVC_X_THROTTLED',
    error: 'Too Many Requests',
    message: 'too many'
  })
  t.equal(response.headers['retry-after'], '7')
  t.equal(response.headers['set-cookie'], undefined)
  t.equal(response.headers.allow, undefined)
  t.equal((await fastify.inject('/headers')).statusCode, 400)
  t.same(
    lines.filter((line) => JSON.parse(line).level > 20),
    []
  )
})

t.test('a status set before the error stands where it is one of an error', async (t) => {
  const fastify = await app(t, true)
  t.equal((await fastify.inject('/coded')).statusCode, 410)
  t.equal((await fastify.inject('/created')).statusCode, 500)
})

t.test('encapsulated routes answer in the same shape', async (t) => {
  const fastify = await app(t, true)
  t.match((await fastify.inject('/child')).json(), { statusCode: 409, code: 'SVC_HTTP_409', message: 'child' })
})

t.test('a body that does not fit its schema', async (t) => {
  const fastify = await app(t, true)
  const response = await fastify.inject({ method: 'POST', url: '/body', payload: {} })
  t.strictSame(response.json(), {
    statusCode: 400,
    code: 'SVC_HTTP_VALIDATION',
    error: 'Bad Request',
    message: 'the body is not valid',
    details: [{ path: '/url', message: 'is required' }]
  })
})

t.test('an unknown path, for any method', async (t) => {
  const fastify = await app(t, true)
  for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS'] as const) {
    const response = await fastify.inject({ method, url: '/nope' })
    t.strictSame(response.json(), {
      statusCode: 404,
      code: 'SVC_HTTP_NOT_FOUND',
      error: 'Not Found',
      message: 'not found'
    })
  }
})

t.test('a module that answers unknown paths itself keeps its answer', async (t) => {
  const fastify = createFastify()
  t.teardown(() => fastify.close())
  fastify.setNotFoundHandler((_request, reply) => {
    reply.code(200).send('index.html')
  })
  installNotFoundHandler(fastify, true)
  t.equal((await fastify.inject('/nope')).body, 'index.html')
})
