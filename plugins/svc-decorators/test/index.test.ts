/** The plugin: alone on a bare Fastify, in a module list, with a folder, and with everything wrong at once. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { fastify as createFastify, type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import svcDecorators, { controller, Get, IsGranted, route, WebSocket } from '../src/index.ts'

@controller('/hello')
class Hello {
  @route('hello', { path: '/', methods: ['GET', 'WEBSOCKET'] }) hello(): unknown {
    return { hello: 'world' }
  }

  @Get('/guarded') @IsGranted('ROLE_A') guarded(): void {}
}

@controller('/plain')
class Plain {
  @Get() plain(): string {
    return 'plain'
  }
}

function app(t: Test): FastifyInstance {
  const fastify = createFastify() as unknown as FastifyInstance
  t.teardown(() => fastify.close())
  return fastify
}

t.test('alone on a bare Fastify', async (t) => {
  const fastify = app(t)
  await fastify.register(svcDecorators, { controllers: [Hello, Plain, Plain] })
  t.strictSame((await fastify.inject('/hello')).json(), { hello: 'world' })
  t.equal((await fastify.inject('/hello/')).statusCode, 404, 'a path of / is the prefix itself')
  t.equal((await fastify.inject('/hello/guarded')).statusCode, 403)
  t.match(fastify.controllers, [
    {
      name: 'hello',
      method: 'GET',
      path: '/hello',
      transports: ['HTTP', 'WEBSOCKET'],
      requirement: null,
      source: /index\.test\.[jt]s:\d+$/
    },
    {
      name: 'Hello.guarded',
      method: 'GET',
      path: '/hello/guarded',
      transports: ['HTTP'],
      requirement: [[{ attribute: 'ROLE_A' }]]
    },
    { name: 'Plain.plain', method: 'GET', path: '/plain' }
  ])
})

t.test('name and metadata', async (t) => {
  const meta = (svcDecorators as unknown as Record<symbol, unknown>)[Symbol.for('plugin-meta')]
  t.match(meta, { name: 'svc-decorators', fastify: '5.x' })
})

t.test('prefixes: of the registration and of the instance', async (t) => {
  const fastify = app(t)
  await fastify.register(svcDecorators, { controllers: [Plain], prefix: '/v1' })
  await fastify.register(
    async (child) => {
      await child.register(svcDecorators, { controllers: [Plain] })
      t.match(
        child.controllers.map(({ path }) => path),
        ['/v1/plain', '/v2/plain']
      )
    },
    { prefix: '/v2' }
  )
  t.equal((await fastify.inject('/v1/plain')).body, 'plain')
  t.equal((await fastify.inject('/v2/plain')).body, 'plain')
})

t.test('without a WEBSOCKET route no WebSocket server is made', async (t) => {
  const fastify = app(t)
  await fastify.register(svcDecorators, { controllers: [Plain] })
  await fastify.ready()
  t.notOk(fastify.hasDecorator('websocketServer'))
})

t.test('a WEBSOCKET route is listed as such', async (t) => {
  @controller('/ws')
  class Sockets {
    @WebSocket('/a') a(): void {}
  }
  const fastify = app(t)
  await fastify.register(svcDecorators, { controllers: [Sockets] })
  t.match(fastify.controllers, [{ method: 'WEBSOCKET', path: '/ws/a', transports: ['WEBSOCKET'] }])
})

t.test('in a module list, with classes and with a folder', async (t) => {
  const root = t.testdir({ controllers: {} })
  await writeFile(join(root, 'package.json'), '{"type":"module"}')
  await writeFile(
    join(root, 'controllers', 'ping.js'),
    `
    import { controller, Get } from '${new URL('../src/index.js', import.meta.url).href}'
    export class Ping { ping () { return { pong: true } } }
    Get('/ping')(Ping.prototype, 'ping')
    controller('/api')(Ping)`
  )
  const fastify = app(t)
  const importModule = (path: string) => import(pathToFileURL(path).href)
  fastify.decorate('appHost', { name: 'app', root, mode: 'test', checkOnly: false, importModule })
  await fastify.register(svcDecorators, { dir: './controllers', controllers: [Plain] })
  t.strictSame((await fastify.inject('/api/ping')).json(), { pong: true })
  t.equal((await fastify.inject('/plain')).body, 'plain')
})

t.test('every problem of every controller in one report, before any route', async (t) => {
  @controller('/hello')
  class Wrong {
    @Get('/') hello(): void {}

    @Get('/x') @IsGranted([]) empty(): void {}
  }
  const fastify = app(t)
  await t.rejects(
    async () => {
      await fastify.register(svcDecorators, { controllers: [Hello, Wrong], dir: 'nowhere-at-all' })
    },
    {
      name: 'BootError',
      problems: [
        { code: 'SVC_CONTROLLER_DIR' },
        { code: 'SVC_GUARD_EMPTY' },
        { code: 'SVC_ROUTE_DUPLICATE', message: /by Hello\.hello and by Wrong\.hello/ }
      ]
    }
  )
})

t.test('options', async (t) => {
  const rows: Array<[options: object, problem: Record<string, string | RegExp>]> = [
    [{}, { code: 'SVC_CONTROLLER_NONE' }],
    [{ controllers: Hello }, { code: 'SVC_CONTROLLER_INVALID', got: 'function' }],
    [
      { controllers: [Hello, undefined] },
      { code: 'SVC_CONTROLLER_INVALID', at: 'svc-decorators.controllers[1]', got: 'undefined' }
    ],
    [
      { controllers: [Hello], websockets: {} },
      { code: 'SVC_KERNEL_OPTIONS', at: 'svc-decorators.websockets', message: /did you mean websocket/ }
    ],
    [
      { controllers: [Hello], websocket: { maxPayload: 0 } },
      { code: 'SVC_KERNEL_OPTIONS', at: 'svc-decorators.websocket.maxPayload' }
    ],
    [{ controllers: [class Bare {}] }, { code: 'SVC_CONTROLLER_UNDECLARED' }]
  ]
  for (const [options, problem] of rows) {
    const fastify = app(t)
    const refusal = async (): Promise<unknown> => {
      await fastify.register(svcDecorators, options)
      return null
    }
    t.match(await refusal().catch((error: unknown) => error), { problems: [problem] }, JSON.stringify(problem))
  }
})
