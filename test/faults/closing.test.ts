/** A server that closes while it is at work: what runs is finished, sockets are told, nobody can hold it up. */
import { once } from 'node:events'
import svcDecorators, { controller, Get, Message, WebSocket } from 'svc-decorators'
import t, { type Test } from 'tap'
import { ERROR } from '../support/log-lines.ts'
import { RawConnection, rawRequest } from '../support/raw-http.ts'
import { RawWebSocket } from '../support/raw-websocket.ts'
import { SocketClient } from '../support/socket-client.ts'
import { startApp } from '../support/start-app.ts'
import { Turnstile } from './turnstile.ts'

/** Held by a test for as long as work is to be under way. */
let turnstile = new Turnstile()

@controller('/jobs')
class Work {
  @Get()
  async read(): Promise<unknown> {
    await turnstile.pass()
    return { done: true }
  }

  @WebSocket('/socket')
  async speak(@Message() text: string): Promise<unknown> {
    await turnstile.pass()
    return { done: text }
  }

  @WebSocket('/quick')
  quick(@Message() text: string): unknown {
    return { echo: text }
  }

  @Get('/at-once')
  atOnce(): unknown {
    return { done: true }
  }
}

async function workApp(t: Test) {
  turnstile = new Turnstile()
  return startApp(t, { modules: [[svcDecorators, { controllers: [Work] }]] })
}

const KEEP = { connection: 'keep-alive' }

t.test('a request under way is answered; then nothing is served any more', async (t) => {
  const { fastify, port } = await workApp(t)
  const busy = await RawConnection.open(port)
  const idle = await RawConnection.open(port)
  t.equal((await idle.exchange(rawRequest('GET', '/jobs/at-once', KEEP))).status, 200)
  const answer = busy.exchange(rawRequest('GET', '/jobs', KEEP))
  await turnstile.entered
  const idleEnds = once(idle.socket, 'close')
  const closing = fastify.close()
  await idleEnds
  turnstile.open()
  t.match(await answer, { status: 200, body: '{"done":true}' })
  await closing
  await t.rejects(RawConnection.open(port), { code: 'ECONNREFUSED' })
  if (!busy.socket.closed) await once(busy.socket, 'close')
})

t.test('a connection that never asked for anything does not hold the server', async (t) => {
  const { fastify, port } = await workApp(t)
  const silent = await RawConnection.open(port)
  const ended = once(silent.socket, 'close')
  await fastify.close()
  await ended
  t.ok(silent.socket.closed)
})

t.test('sockets are told that the server goes away, whatever they are doing', async (t) => {
  const { fastify, port, lines } = await workApp(t)
  const idle = await SocketClient.opened(port, '/jobs/quick')
  const busy = await SocketClient.opened(port, '/jobs/socket')
  t.same(await idle.ask('a'), { echo: 'a' })
  busy.ws.send('late')
  busy.ws.send('later')
  await turnstile.entered
  const closing = fastify.close()
  t.match(await idle.closed, { code: 1001 })
  t.match(await busy.closed, { code: 1001 })
  turnstile.open()
  await closing
  t.equal(turnstile.passed, 1, 'what waited is not begun any more')
  t.strictSame(
    lines.filter(({ level }) => level >= ERROR),
    []
  )
})

t.test('a peer that never answers the close does not hold the server', async (t) => {
  const { fastify, port } = await workApp(t)
  const { socket } = await RawWebSocket.open(t, port, '/jobs/quick')
  socket.sendText('a')
  t.same(await socket.nextJson(), { echo: 'a' })
  const closing = fastify.close()
  t.equal(await socket.closeCode(), 1001)
  await closing
})

t.test('an upgrade under way when the server closes comes to an end', async (t) => {
  const { fastify, port } = await workApp(t)
  const opening = RawWebSocket.open(t, port, '/jobs/quick')
  const closing = fastify.close()
  const outcome = await opening.then(
    ({ socket, answer }) => [answer.status, socket.closeCode()] as const,
    () => null
  )
  if (outcome !== null) t.ok(outcome[0] === 101 || outcome[0] === 503, `status ${outcome[0]}`)
  await closing
  await outcome?.[1]
  t.pass('both have ended')
})
