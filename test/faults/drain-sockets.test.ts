/** Sockets that an instance asks to leave: each is answered whatever arrived before, and closed with 1012. */
import type { FastifyInstance } from 'fastify'
import svcDecorators, { controller, Message, WebSocket } from 'svc-decorators'
import svcRealtime from 'svc-realtime'
import t, { type Test } from 'tap'
import { RawWebSocket } from '../support/raw-websocket.ts'
import { RpcSocket } from '../support/rpc-socket.ts'
import { SocketClient } from '../support/socket-client.ts'
import { startApp } from '../support/start-app.ts'
import { encodeFrame, TEXT } from '../support/websocket-frame.ts'
import { startServed } from './served-process.ts'
import { Turnstile } from './turnstile.ts'

/** Of a drain that asks everybody within two milliseconds. */
const SHORT_MS = 1002

let turnstile = new Turnstile()

@controller('/sockets')
class Sockets {
  @WebSocket('/held')
  async held(@Message() text: string): Promise<unknown> {
    await turnstile.pass()
    return { done: text }
  }

  @WebSocket('/quick')
  quick(@Message() text: string): unknown {
    return { echo: text }
  }

  @WebSocket('/large')
  large(): string {
    return 'x'.repeat(900_000)
  }
}

async function socketApp(t: Test) {
  turnstile = new Turnstile()
  return startApp(t, {
    modules: [
      svcRealtime,
      async (fastify: FastifyInstance) => {
        fastify.get('/held', { config: { realtime: true } }, async () => {
          await turnstile.pass()
          return { done: true }
        })
      },
      [svcDecorators, { controllers: [Sockets] }]
    ]
  })
}

const LEFT = { code: 1012, reason: 'the server restarts' }

t.test('an idle socket is closed with 1012', async (t) => {
  const { fastify, port } = await socketApp(t)
  const client = await SocketClient.opened(port, '/sockets/quick')
  const realtime = await RpcSocket.open(port)
  t.same(await client.ask('a'), { echo: 'a' })
  t.match(await realtime.next(), { method: 'realtime.welcome' })
  fastify.connectionDrain.begin(SHORT_MS)
  t.match(await client.closed, LEFT)
  t.match(await realtime.client.closed, LEFT)
})

t.test('what runs and what waits is answered first', async (t) => {
  const { fastify, port } = await socketApp(t)
  const client = await SocketClient.opened(port, '/sockets/held')
  const other = await SocketClient.opened(port, '/sockets/quick')
  for (const text of ['1', '2', '3']) client.ws.send(text)
  await turnstile.entered
  fastify.connectionDrain.begin(SHORT_MS)
  t.match(await other.closed, LEFT)
  client.ws.send('4')
  turnstile.open()
  for (const text of ['1', '2', '3', '4']) t.same(await client.next(), { done: text })
  t.match(await client.closed, LEFT)
  t.equal(turnstile.passed, 4)
})

t.test('requests over a realtime socket are answered first', async (t) => {
  const { fastify, port } = await socketApp(t)
  const realtime = await RpcSocket.open(port)
  const request = { jsonrpc: '2.0', id: 'held', method: 'api.request', params: { path: '/held' } }
  realtime.client.ws.send(JSON.stringify(request))
  await turnstile.entered
  const idle = await RpcSocket.open(port)
  fastify.connectionDrain.begin(SHORT_MS)
  t.match(await idle.client.closed, LEFT)
  t.match(await realtime.call('channel.unsubscribe', { channel: 'a' }), { result: { channel: 'a' } }, 'served on')
  turnstile.open()
  t.match(await realtime.next(), { method: 'realtime.welcome' })
  t.match(await realtime.next(), { id: 'held', result: { status: 200, body: { done: true } } })
  t.match(await realtime.client.closed, LEFT)
})

t.test('a peer that reads slowly gets its answers before the close', async (t) => {
  const { fastify, port } = await socketApp(t)
  const { socket } = await RawWebSocket.open(t, port, '/sockets/large')
  socket.socket.pause()
  for (let time = 0; time < 9; time += 1) socket.sendText('a')
  const client = await SocketClient.opened(port, '/sockets/quick')
  t.same(await client.ask('a'), { echo: 'a' })
  fastify.connectionDrain.begin(SHORT_MS)
  t.match(await client.closed, LEFT)
  socket.socket.resume()
  let answers = 0
  for (;;) {
    const frame = await socket.nextFrame()
    if (frame === null) t.fail('no close frame')
    if (frame?.opcode === TEXT) answers += 1
    if (frame === null || frame.opcode === 8) {
      t.equal(frame?.payload.readUInt16BE(0), 1012)
      break
    }
  }
  t.equal(answers, 9)
})

t.test('frames that arrive in one segment with many others are all answered', async (t) => {
  const { fastify, port } = await socketApp(t)
  const { socket } = await RawWebSocket.open(t, port, '/sockets/quick')
  fastify.connectionDrain.begin(SHORT_MS)
  socket.write(Buffer.concat(Array.from({ length: 500 }, (_, n) => encodeFrame({ opcode: TEXT, payload: String(n) }))))
  let answers = 0
  for (let frame = await socket.nextFrame(); frame?.opcode !== 8; frame = await socket.nextFrame()) {
    if (frame?.opcode === TEXT) answers += 1
  }
  t.ok(answers === 500 || answers === 0, `all of a segment or none of it: ${answers}`)
})

t.test('I4: a signal: sockets are asked within the delay, new ones are served, the process ends with 0', async (t) => {
  const { running, port } = await startServed(t, { server: { drainDelayMs: 2500 } })
  const clients = await Promise.all(Array.from({ length: 5 }, () => SocketClient.opened(port, '/echo')))
  process.kill(running.pid, 'SIGTERM')
  await running.shows(/answers requests for another 2500 ms/)
  const late = await SocketClient.opened(port, '/echo')
  t.equal(await late.ask('7'), '7')
  for (const { closed } of clients) t.match(await closed, LEFT)
  t.match(await late.closed, { code: /^(1012|1001)$/ })
  t.equal((await running.finished()).code, 0)
})
