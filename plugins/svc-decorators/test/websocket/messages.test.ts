/** Messages: what is injected, what is answered, and what a bad one gets. */

import { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { fastify as createFastify } from 'fastify'
import { currentRequest, currentUser } from 'svc-kernel'
import t from 'tap'
import svcDecorators, {
  Body,
  Ctx,
  CurrentUser,
  controller,
  Headers,
  Message,
  Param,
  Query,
  route,
  WebSocket,
  type WebSocketContext
} from '../../src/index.ts'
import { grantByHeader } from '../support/grant.ts'
import { listen } from '../support/listen.ts'
import { TestSocket } from '../support/test-socket.ts'

const number = {
  type: 'object',
  required: ['n'],
  additionalProperties: false,
  properties: { n: { type: 'integer' }, d: { default: 1 } }
}

@controller('/ws')
class Messages {
  ready = false

  async initialize(): Promise<void> {
    await null
    this.ready = true
  }

  @WebSocket('/echo') echo(@Message() text: string): unknown {
    return { echo: text, ready: this.ready }
  }

  @WebSocket('/injected/:id') injected(
    @Param('id') id: string,
    @Query('q') q: string,
    @Headers('X-Thing') thing: string,
    @Ctx() { transport, message, request }: WebSocketContext
  ): unknown {
    return { id, q, thing, transport, message, url: request.url }
  }

  @WebSocket('/body', { schema: { body: number } }) body(@Body() body: unknown): unknown {
    return { body }
  }

  @WebSocket('/any') any(@Body() body: unknown): unknown {
    return { body }
  }

  @WebSocket('/bytes') bytes(@Message({ binary: true }) bytes: Buffer): unknown {
    return bytes
  }

  @WebSocket('/result') result(@Message() kind: string): unknown {
    switch (kind) {
      case 'text':
        return 'text'
      case 'null':
        return null
      case 'nothing':
        return undefined
      case 'function':
        return () => undefined
      case 'promise':
        return Promise.resolve([1])
      case 'stream':
        return Readable.from(['a'])
      case 'circular': {
        const circle: { self?: unknown } = {}
        circle.self = circle
        return circle
      }
      case 'known':
        throw Object.assign(new Error('teapot'), { statusCode: 418, code: 'TEA' })
      default:
        return Promise.reject(new Error('a secret cause'))
    }
  }

  @route('typed', {
    path: '/typed',
    methods: ['GET', 'WEBSOCKET'],
    schema: { response: { 200: { type: 'object', properties: { a: { type: 'string' } } } } }
  })
  typed(): unknown {
    return { a: 1, secret: 2 }
  }

  @WebSocket('/context') async context(@CurrentUser() user: unknown): Promise<unknown> {
    await turn()
    return { user, same: currentUser(), url: currentRequest()?.url }
  }
}

t.test('arguments', async (t) => {
  const fastify = await listen(t, [Messages])
  const echo = await TestSocket.open(fastify, '/ws/echo')
  t.strictSame(await echo.ask('hi'), { echo: 'hi', ready: true })
  t.strictSame(await echo.ask(''), { echo: '', ready: true })
  t.strictSame(await echo.ask('ü☃'), { echo: 'ü☃', ready: true })
  const injected = await TestSocket.open(fastify, '/ws/injected/a%2Fb?q=1', { headers: { 'x-thing': 'y' } })
  t.strictSame(await injected.ask('m'), {
    id: 'a/b',
    q: '1',
    thing: 'y',
    transport: 'WEBSOCKET',
    message: 'm',
    url: '/ws/injected/a%2Fb?q=1'
  })
})

t.test('bodies are parsed and validated as over HTTP', async (t) => {
  const fastify = await listen(t, [Messages])
  const socket = await TestSocket.open(fastify, '/ws/body')
  t.strictSame(await socket.ask('{"n":1}'), { body: { n: 1, d: 1 } })
  t.strictSame(
    await socket.ask('{"n":"2","more":3}'),
    { body: { n: 2, d: 1 } },
    "coerced and reduced by the server's own validator"
  )
  t.match(await socket.ask('{}'), {
    statusCode: 400,
    code: 'SVC_HTTP_VALIDATION',
    error: 'Bad Request',
    details: [{ path: '/n', message: 'is required' }]
  })
  t.match(await socket.ask('{"n":'), { statusCode: 400, code: 'SVC_WS_JSON' })
  t.match(await socket.ask(''), { statusCode: 400, code: 'SVC_WS_JSON' })
  t.match(await socket.ask('{"n":1,"__proto__":{"x":1}}'), { statusCode: 400, code: 'SVC_WS_JSON' })
  t.strictSame(await socket.ask('{"n":3}'), { body: { n: 3, d: 1 } }, 'the connection is still there')
  const any = await TestSocket.open(fastify, '/ws/any')
  t.strictSame(await any.ask('[1,null]'), { body: [1, null] })
})

t.test('a validator of the application decides, asynchronously too', async (t) => {
  const fastify = createFastify()
  t.teardown(() => fastify.close())
  const judge = async ({ ok }: { ok?: boolean }): Promise<unknown> =>
    ok === true ? { value: { fine: 1 } } : { error: new Error('not ok') }
  fastify.setValidatorCompiler((() => judge) as never)
  @controller()
  class Custom {
    @WebSocket('/ws', { schema: { body: {} } }) body(@Body() body: unknown): unknown {
      return body
    }
  }
  await fastify.register(svcDecorators, { controllers: [Custom] })
  await fastify.listen({ host: '127.0.0.1', port: 0 })
  const socket = await TestSocket.open(fastify as never, '/ws')
  t.strictSame(await socket.ask('{"ok":true}'), { fine: 1 })
  t.match(await socket.ask('{"ok":false}'), {
    statusCode: 400,
    code: 'SVC_HTTP_VALIDATION',
    details: [{ message: 'not ok' }]
  })
})

t.test('a validator of the route decides before that of the server', async (t) => {
  const fastify = createFastify()
  t.teardown(() => fastify.close())
  const fault = { keyword: 'one', instancePath: '', schemaPath: '', params: {}, message: 'not 1' }
  const validatorCompiler =
    ({ httpPart }: { httpPart?: string }) =>
    (data: unknown) =>
      httpPart !== 'body' || data === 1 ? true : { error: [fault] }
  @controller()
  class Own {
    @WebSocket('/ws', { schema: { body: {} }, validatorCompiler }) body(@Body() body: unknown): unknown {
      return body
    }
  }
  await fastify.register(svcDecorators, { controllers: [Own] })
  await fastify.listen({ host: '127.0.0.1', port: 0 })
  const socket = await TestSocket.open(fastify as never, '/ws')
  t.equal(await socket.ask('1'), 1)
  t.match(await socket.ask('2'), { statusCode: 400, details: [{ path: '/', message: 'not 1' }] })
})

t.test('results become frames', async (t) => {
  const fastify = await listen(t, [Messages])
  const socket = await TestSocket.open(fastify, '/ws/result')
  t.equal(await socket.ask('text'), 'text')
  t.equal(await socket.ask('null'), null)
  t.strictSame(await socket.ask('promise'), [1])
  socket.send('nothing')
  socket.send('function')
  t.equal(await socket.ask('text'), 'text', 'nothing was sent in between')
  t.match(await socket.ask('stream'), { statusCode: 500 })
  t.match(await socket.ask('circular'), { statusCode: 500 })
  t.match(await socket.ask('known'), { statusCode: 418, code: 'TEA', message: 'teapot' })
  t.strictSame(
    await socket.ask('unknown'),
    {
      statusCode: 500,
      code: 'SVC_HTTP_INTERNAL',
      error: 'Internal Server Error',
      message: 'internal error'
    },
    'without a mode the application is in production'
  )
  t.equal(await socket.ask('text'), 'text')
})

t.test('binary frames', async (t) => {
  const fastify = await listen(t, [Messages])
  const bytes = await TestSocket.open(fastify, '/ws/bytes')
  bytes.send(Buffer.from([0, 255]))
  t.strictSame(await bytes.nextFrame(), { data: Buffer.from([0, 255]), isBinary: true })
  bytes.send('text')
  t.strictSame(await bytes.nextFrame(), { data: Buffer.from('text'), isBinary: true })
  for (const path of ['/ws/echo', '/ws/any', '/ws/context']) {
    const text = await TestSocket.open(fastify, path)
    t.match(
      await text.ask(Buffer.from('{}')),
      { statusCode: 415, code: 'SVC_WS_BINARY', error: 'Unsupported Media Type' },
      path
    )
  }
})

t.test('a response schema shapes the answer of both transports', async (t) => {
  const fastify = await listen(t, [Messages])
  const socket = await TestSocket.open(fastify, '/ws/typed')
  t.strictSame(await socket.ask(''), { a: '1' })
  t.equal((await fastify.inject('/ws/typed')).body, '{"a":"1"}')
})

t.test('every message runs in the context of its upgrade', async (t) => {
  const fastify = createFastify()
  t.teardown(() => fastify.close())
  await grantByHeader(fastify as never)
  await fastify.register(svcDecorators, { controllers: [Messages] })
  await fastify.listen({ host: '127.0.0.1', port: 0 })
  const ann = { identifier: 'ann', roles: ['ROLE_A'] }
  const nobody = { identifier: 'anonymous', roles: [] }
  const asAnn = await TestSocket.open(fastify as never, '/ws/context?1', { headers: { 'x-roles': 'ROLE_A' } })
  const asNobody = await TestSocket.open(fastify as never, '/ws/context?2')
  for (let round = 0; round < 3; round += 1) {
    asAnn.send('')
    asNobody.send('')
    t.strictSame(await asAnn.next(), { user: ann, same: ann, url: '/ws/context?1' })
    t.strictSame(await asNobody.next(), { user: nobody, same: nobody, url: '/ws/context?2' })
  }
})

t.test('a message schema that does not compile stops the boot', async (t) => {
  @controller()
  class Wrong {
    @WebSocket('/wrong', { schema: { body: { type: 'nonsense' } } }) wrong(): void {}
  }
  const fastify = createFastify()
  t.teardown(() => fastify.close())
  await fastify.register(svcDecorators, { controllers: [Wrong] })
  await t.rejects(
    async () => {
      await fastify.ready()
    },
    { code: 'SVC_ROUTE_SCHEMA', problems: [{ at: /messages\.test\.[jt]s:\d+/ }] }
  )
})
