/** A limit that nothing counts: the boot ends, and a route that gets past it is closed. */
import Fastify from 'fastify'
import svcDecorators, {
  compileController,
  controller,
  ensureWebSocket,
  Get,
  RateLimit,
  WebSocket
} from 'svc-decorators'
import { ensureKernel } from 'svc-kernel'
import t from 'tap'
import { portOf } from '../../support/ports.ts'
import { SocketClient } from '../../support/socket-client.ts'

@controller('/c')
class Limited {
  @Get('/a') @RateLimit({ rate: '5/min', by: 'address' }) a() {
    return 'a'
  }

  @Get('/b') @RateLimit({ rate: '5/min', by: 'identity' }) b() {
    return 'b'
  }
}

@controller('/ws')
class Socket {
  @WebSocket('/') @RateLimit({ rate: '5/min', by: 'identity' }) answer() {
    return 'answer'
  }
}

t.test('a controller: each operation is named, with its place and the fix', async (t) => {
  const fastify = Fastify()
  fastify.register(svcDecorators, { controllers: [Limited] })
  const failure = await fastify.ready().then(
    () => null,
    (error: unknown) => error
  )
  t.match(failure, {
    problems: [
      {
        code: 'SVC_LIMIT_ENGINE',
        message: /Limited\.a has a rate limit/,
        at: /closed\.test/,
        fix: /module:add limits/
      },
      { code: 'SVC_LIMIT_ENGINE', message: /Limited\.b/ }
    ]
  })
})

t.test('a plain route', async (t) => {
  const fastify = Fastify()
  await ensureKernel(fastify)
  fastify.get('/x', { config: { limits: { rate: '5/min', by: 'address' } } }, async () => 'ok')
  await t.rejects(async () => fastify.ready(), { code: 'SVC_LIMIT_ENGINE', message: /GET \/x/ })
})

t.test('a compiled controller on a bare Fastify is closed', async (t) => {
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  for (const route of compileController(Limited)) fastify.route(route)
  await fastify.ready()
  for (const url of ['/c/a', '/c/b']) {
    const { statusCode, body } = await fastify.inject(url)
    t.equal(statusCode, 503)
    t.match(body, 'SVC_LIMIT_UNAVAILABLE')
  }
})

t.test('so is its WebSocket', async (t) => {
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  await ensureWebSocket(fastify, 1024)
  for (const route of compileController(Socket)) fastify.route(route)
  await fastify.listen({ port: 0, host: '127.0.0.1' })
  t.equal(await SocketClient.open(portOf(fastify.server), '/ws'), 503)
})
