/** One budget for an operation, whichever door a caller takes: HTTP, a message of a WebSocket, a request over the socket. */
import type { FastifyInstance } from 'fastify'
import { controller, Get, IsGranted, Message, Post, RateLimit, WebSocket } from 'svc-decorators'
import svcLimits from 'svc-limits'
import svcRealtime from 'svc-realtime'
import { ManualClock } from 'svc-stores/conformance'
import t, { type Test } from 'tap'
import { RpcSocket } from '../../support/rpc-socket.ts'
import { SocketClient } from '../../support/socket-client.ts'
import { startApp } from '../../support/start-app.ts'

@controller('/shop')
@RateLimit({ rate: '100/min', by: 'address' })
class Shop {
  @Get('/price')
  @WebSocket('/price')
  @RateLimit({ rate: '4/min', by: 'identity' })
  price() {
    return { price: 1 }
  }

  @Get('/orders', { config: { realtime: true } })
  @RateLimit({ rate: '3/min', by: 'identity', name: 'orders' })
  orders() {
    return { orders: [] }
  }

  @Post('/orders')
  @RateLimit({ rate: '3/min', by: 'identity', name: 'orders' })
  order() {
    return { placed: true }
  }

  @Get('/vault')
  @IsGranted('ROLE_KEEPER')
  @RateLimit({ rate: '1/min', by: 'identity' })
  vault() {
    return 'gold'
  }

  @WebSocket('/echo')
  @RateLimit({ rate: '3/min', by: 'address' })
  echo(@Message() text: string) {
    return { text }
  }
}

async function shop(t: Test) {
  const clock = new ManualClock()
  const started = await startApp(t, {
    security: { areas: { shop: { pattern: '^/(?:shop|svc/realtime)', authenticators: ['anonymous'] } } },
    controllers: [Shop],
    modules: [[svcLimits, { parts: { clock } }], svcRealtime]
  })
  return { ...started, clock }
}

t.test('requests and messages of a method spend one budget; the socket stays open', async (t) => {
  const { fastify, port, clock } = await shop(t)
  const get = () => fastify.inject('/shop/price')
  t.equal((await get()).statusCode, 200)
  const socket = await SocketClient.opened(port, '/shop/price')
  t.strictSame(await socket.ask('{}'), { price: 1 })
  const third = await get()
  t.match(third.headers, {
    'ratelimit-policy': '"Shop.price by address 100/60s";q=100;w=60, "Shop.price by identity 4/60s";q=4;w=60',
    ratelimit: '"Shop.price by address 100/60s";r=96;t=3, "Shop.price by identity 4/60s";r=0;t=60'
  })
  t.match(await socket.ask('{}'), { statusCode: 429, code: 'SVC_LIMIT_EXCEEDED', message: /15 s/ })
  t.equal((await get()).statusCode, 429)
  clock.advance(15_000)
  t.strictSame(await socket.ask('{}'), { price: 1 }, 'on the same socket')
  socket.ws.terminate()
})

t.test('a request over the socket of svc-realtime counts once, as one over HTTP', async (t) => {
  const { fastify, port } = await shop(t)
  const socket = await RpcSocket.open(port)
  const call = () => socket.call('api.request', { path: '/shop/orders' })
  t.match(await call(), { result: { status: 200 } })
  t.match((await fastify.inject('/shop/orders')).headers.ratelimit, /"orders";r=1;/)
  t.match(await call(), { result: { status: 200 } })
  const refused = await call()
  t.match(refused.error?.data, {
    status: 429,
    code: 'SVC_LIMIT_EXCEEDED',
    headers: { 'retry-after': '20', ratelimit: /"orders";r=0;t=60/ }
  })
  t.equal((await fastify.inject({ method: 'POST', url: '/shop/orders' })).statusCode, 429, 'of one name')
  socket.client.ws.terminate()
})

t.test('a handshake counts, and one over the limit opens no socket', async (t) => {
  const { port } = await shop(t)
  const socket = await SocketClient.opened(port, '/shop/echo')
  t.strictSame(await socket.ask('a'), { text: 'a' })
  t.strictSame(await socket.ask('b'), { text: 'b' })
  t.match(await socket.ask('c'), { statusCode: 429 })
  t.equal(await SocketClient.open(port, '/shop/echo'), 429)
  socket.ws.terminate()
})

t.test('a caller whom the guard refuses spends its address alone', async (t) => {
  const { fastify } = await shop(t)
  for (const state of ['r=99;t=1', 'r=98;t=2', 'r=97;t=2']) {
    const { statusCode, headers } = await fastify.inject('/shop/vault')
    t.equal(statusCode, 403)
    t.equal(headers.ratelimit, `"Shop.vault by address 100/60s";${state}`)
  }
})

t.test('limits by address come before authentication', async (t) => {
  const { fastify } = await startApp(t, {
    security: { areas: { api: { pattern: '^/api', authenticators: ['userpassword'] } }, users: {} },
    modules: [
      [svcLimits, { parts: { clock: new ManualClock() } }],
      async (app: FastifyInstance) => {
        app.get('/api/a', { config: { limits: { rate: '2/min', by: 'address' } } }, async () => 'ok')
        app.get('/api/i', { config: { limits: { rate: '2/min', by: 'identity' } } }, async () => 'ok')
      }
    ]
  })
  const statuses = async (url: string) => {
    const found: number[] = []
    for (let call = 0; call < 4; call += 1) found.push((await fastify.inject(url)).statusCode)
    return found
  }
  t.strictSame(await statuses('/api/a'), [401, 401, 429, 429])
  t.strictSame(await statuses('/api/i'), [401, 401, 401, 401])
  t.equal((await fastify.inject('/api/a')).headers['www-authenticate'], undefined, 'no proof was asked for')
})
