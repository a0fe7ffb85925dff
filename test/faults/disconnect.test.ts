/** Clients that leave in the middle: work that never ends, or ends too late, harms nobody and holds nothing. */
import { once } from 'node:events'
import svcDecorators, {
  Body,
  Ctx,
  controller,
  Get,
  type HttpContext,
  Message,
  Post,
  WebSocket,
  type WebSocketContext
} from 'svc-decorators'
import t, { type Test } from 'tap'
import { ERROR } from '../support/log-lines.ts'
import { RawConnection, rawExchange, rawRequest } from '../support/raw-http.ts'
import { SocketClient } from '../support/socket-client.ts'
import { startApp } from '../support/start-app.ts'
import { Turnstile } from './turnstile.ts'

let turnstile = new Turnstile()
/** Settles when the server has noticed that the client of a running request left. */
let left: Promise<unknown> = Promise.resolve()

@controller('/jobs')
class Work {
  @Get('/endless')
  async endless(@Ctx() { request }: HttpContext): Promise<never> {
    left = once(request.raw.socket, 'close')
    await turnstile.pass()
    return new Promise<never>(() => undefined)
  }

  @Get('/late')
  async late(@Ctx() { request }: HttpContext): Promise<unknown> {
    left = once(request.raw.socket, 'close')
    await turnstile.pass()
    return { done: true }
  }

  @Post('/body')
  async body(@Body() body: { text: string }): Promise<unknown> {
    return { length: body.text.length }
  }

  @Post('/stream')
  async stream(@Body({ stream: true }) stream: AsyncIterable<Buffer>): Promise<unknown> {
    await turnstile.pass()
    let length = 0
    for await (const chunk of stream) length += chunk.length
    return { length }
  }

  @WebSocket('/endless')
  async endlessMessage(@Ctx() { socket }: WebSocketContext): Promise<never> {
    left = once(socket, 'close')
    await turnstile.pass()
    return new Promise<never>(() => undefined)
  }

  @WebSocket('/late')
  async lateMessage(@Ctx() { socket }: WebSocketContext, @Message() text: string): Promise<unknown> {
    left = once(socket, 'close')
    await turnstile.pass()
    return { echo: text }
  }

  @Get('/well')
  well(): unknown {
    return { well: true }
  }
}

async function workApp(t: Test) {
  turnstile = new Turnstile()
  const started = await startApp(t, { modules: [[svcDecorators, { controllers: [Work] }]] })
  /** Unharmed: it serves, logged no failure, and can close. */
  const livesOn = async (t: Test) => {
    const answer = await rawExchange(started.port, rawRequest('GET', '/jobs/well'))
    t.same(JSON.parse(answer.body), { well: true })
    // A controller that reads a stream is told that its client left, and may let that be its failure.
    const failures = started.lines.filter(({ level, err }) => level >= ERROR && codeOf(err) !== 'ECONNRESET')
    t.strictSame(failures, [])
    await started.fastify.close()
    t.notOk(started.fastify.server.listening, 'and it closes')
  }
  return { ...started, livesOn }
}

t.test('a handler that never settles, and a client that leaves', async (t) => {
  const { port, livesOn } = await workApp(t)
  for (let caller = 0; caller < 20; caller += 1) {
    turnstile = new Turnstile()
    const connection = await RawConnection.open(port)
    connection.socket.write(rawRequest('GET', '/jobs/endless', { connection: 'keep-alive' }))
    await turnstile.entered
    connection.close()
    await left
    turnstile.open()
  }
  await livesOn(t)
})

t.test('a handler that settles after its client left', async (t) => {
  const { port, livesOn } = await workApp(t)
  const connection = await RawConnection.open(port)
  connection.socket.write(rawRequest('GET', '/jobs/late', { connection: 'keep-alive' }))
  await turnstile.entered
  connection.close()
  await left
  turnstile.open()
  await livesOn(t)
})

t.test('a body that stops half way, parsed or streamed', async (t) => {
  const { port, fastify, livesOn } = await workApp(t)
  const json = { 'content-type': 'application/json', connection: 'keep-alive' }
  for (const path of ['/jobs/body', '/jobs/stream']) {
    turnstile = new Turnstile()
    turnstile.open()
    const connection = await RawConnection.open(port)
    const whole = rawRequest('POST', path, json, JSON.stringify({ text: 'x'.repeat(1_000) }))
    connection.socket.write(whole.slice(0, -500))
    if (path === '/jobs/stream') await turnstile.entered
    connection.socket.end()
    await once(connection.socket, 'close')
  }
  t.equal(fastify.server.listening, true)
  await livesOn(t)
})

t.test('messages that never settle, or settle too late', async (t) => {
  const { port, fastify, livesOn } = await workApp(t)
  for (const path of ['/jobs/endless', '/jobs/late']) {
    turnstile = new Turnstile()
    const client = await SocketClient.opened(port, path)
    client.ws.send('first')
    client.ws.send('waits behind it')
    await turnstile.entered
    client.close()
    await left
    turnstile.open()
    t.equal(turnstile.passed, 1, 'what waited is dropped')
  }
  t.equal(fastify.websocketServer.clients.size, 0)
  await livesOn(t)
})

function codeOf(err: unknown): unknown {
  return (err as { code?: string } | undefined)?.code
}
