/** Fastify's own options of a route on a controller: they take effect, and the guard still comes first. */
import { fastify as createFastify, type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import svcDecorators, { Body, controller, Get, IsGranted, Post } from '../../src/index.ts'
import { grantByHeader } from '../support/grant.ts'
import { rawRequest } from '../support/raw-request.ts'

const ran: string[] = []

function noting(name: string) {
  return (...given: unknown[]): void => {
    ran.push(name)
    ;(given.at(-1) as () => void)()
  }
}

const NAMES = ['onRequest', 'preParsing', 'preValidation', 'preHandler'] as const
const hooks = Object.fromEntries(NAMES.map((name) => [name, noting(name)]))
const { onRequest: _early, ...late } = hooks

@controller('/hooked')
class Hooked {
  @Post('/all', hooks)
  @IsGranted('ROLE_A')
  all(@Body() body: unknown): unknown {
    ran.push('handler')
    return body
  }

  @Post('/late', late)
  @IsGranted('ROLE_A')
  late(@Body() body: unknown): unknown {
    ran.push('handler')
    return body
  }

  @Get('/failing', { errorHandler: (_error, _request, reply) => void reply.code(418).send({ own: true }) })
  failing(): unknown {
    throw new Error('x')
  }

  @Get('/written', {
    schema: { response: { 200: { type: 'object' } } },
    serializerCompiler: () => () => '"by the route"'
  })
  written(): unknown {
    return {}
  }
}

async function listening(t: Test): Promise<FastifyInstance> {
  const app = createFastify() as unknown as FastifyInstance
  t.teardown(() => app.close())
  await grantByHeader(app)
  await app.register(svcDecorators, { controllers: [Hooked] })
  await app.listen({ host: '127.0.0.1', port: 0 })
  return app
}

const post = (path: string, more: string) =>
  `POST /hooked/${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n${more}`

for (const path of ['all', 'late']) {
  t.test(`E6: ${path}: nothing of the route runs before its guard`, async (t) => {
    const app = await listening(t)
    ran.length = 0
    const refused = await rawRequest(app, post(path, 'Content-Length: 5\r\n\r\n{bad}'))
    t.match(refused, /^HTTP\/1\.1 403 /)
    t.strictSame(ran, [])
    const served = await rawRequest(app, post(path, 'x-roles: ROLE_A\r\nContent-Length: 2\r\n\r\n{}'))
    t.match(served, /^HTTP\/1\.1 200 /)
    t.strictSame(ran, [...NAMES.filter((name) => path === 'all' || name !== 'onRequest'), 'handler'])
  })
}

t.test('E6: an error handler and a serializer of the route', async (t) => {
  const app = await listening(t)
  const failed = await app.inject('/hooked/failing')
  t.strictSame([failed.statusCode, failed.json()], [418, { own: true }])
  t.equal((await app.inject('/hooked/written')).body, '"by the route"')
})

t.test('E8: a trace names the controller and the method', async (t) => {
  const app = createFastify() as unknown as FastifyInstance
  t.teardown(() => app.close())
  const names: string[] = []
  app.addHook('onRoute', ({ method, handler }) => {
    if (method !== 'HEAD') names.push(handler.name)
  })
  await app.register(svcDecorators, { controllers: [Hooked] })
  await app.ready()
  t.strictSame(names, ['Hooked.all', 'Hooked.late', 'Hooked.failing', 'Hooked.written'])
})
