/** What controllers throw, answered without the module loader: the one error body, unless the application answers itself. */
import { fastify as createFastify, type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import svcDecorators, { controller, Get, IsGranted, Post } from '../src/index.ts'

@controller('/orders')
class Orders {
  @Get('/broken') broken(): never {
    throw new Error('connect ECONNREFUSED 10.0.0.7:5432')
  }

  @Get('/gone') gone(): never {
    throw Object.assign(new Error('the order is gone'), { statusCode: 410, headers: { 'retry-after': '7' } })
  }

  @Post('/', {
    schema: { body: { type: 'object', required: ['sku'], properties: { sku: { type: 'string' } } } }
  })
  create(): string {
    return 'created'
  }

  @Get('/guarded') @IsGranted('ROLE_A') guarded(): void {}
}

function app(t: Test): FastifyInstance {
  const fastify = createFastify() as unknown as FastifyInstance
  t.teardown(() => fastify.close())
  return fastify
}

const ours: Array<[method: 'GET' | 'POST', url: string, body: object]> = [
  [
    'GET',
    '/orders/broken',
    { statusCode: 500, code: 'SVC_HTTP_INTERNAL', error: 'Internal Server Error', message: 'internal error' }
  ],
  ['GET', '/orders/gone', { statusCode: 410, code: 'SVC_HTTP_410', error: 'Gone', message: 'the order is gone' }],
  [
    'POST',
    '/orders',
    {
      statusCode: 400,
      code: 'SVC_HTTP_VALIDATION',
      error: 'Bad Request',
      message: 'the body is not valid',
      details: [{ path: '/sku', message: 'is required' }]
    }
  ],
  ['GET', '/orders/guarded', { statusCode: 403, code: 'SVC_SEC_DENIED', error: 'Forbidden', message: 'access denied' }]
]

t.test('S11: without the loader controllers have the one error body', async (t) => {
  const fastify = app(t)
  await fastify.register(svcDecorators, { controllers: [Orders] })
  fastify.get('/plain', async () => {
    throw new Error('of the application')
  })
  for (const [method, url, body] of ours) {
    const answer = await fastify.inject({ method, url, ...(method === 'POST' ? { payload: {} } : {}) })
    t.strictSame(answer.json(), body, url)
  }
  t.equal((await fastify.inject('/orders/gone')).headers['retry-after'], '7')
  t.equal((await fastify.inject('/plain')).json().message, 'of the application', 'its own routes are left alone')
})

for (const when of ['before', 'after'] as const) {
  t.test(`S11: an error handler of the application wins, set ${when} the plugin`, async (t) => {
    const fastify = app(t)
    const own = () =>
      fastify.setErrorHandler((error: Error, _request, reply) => reply.code(418).send({ sorry: error.message }))
    if (when === 'before') own()
    await fastify.register(svcDecorators, { controllers: [Orders] })
    if (when === 'after') own()
    const answer = await fastify.inject('/orders/gone')
    t.strictSame([answer.statusCode, answer.json()], [418, { sorry: 'the order is gone' }])
  })
}

t.test('S11: a handler of one scope is the answer of that scope alone', async (t) => {
  const fastify = app(t)
  fastify.register(async (scope) => {
    scope.setErrorHandler((_error, _request, reply) => reply.code(418).send('inner'))
    await scope.register(svcDecorators, { controllers: [Orders], prefix: '/inner' })
  })
  await fastify.register(async (scope) => {
    await scope.register(svcDecorators, { controllers: [Orders] })
  })
  t.equal((await fastify.inject('/inner/orders/gone')).statusCode, 418)
  t.equal((await fastify.inject('/orders/gone')).json().code, 'SVC_HTTP_410')
})
