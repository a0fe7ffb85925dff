/** Connections: guards, order, back-pressure, limits and broken frames. The server outlives all of it. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import websocketPlugin from '@fastify/websocket'
import { fastify as createFastify, type FastifyInstance } from 'fastify'
import { AccessDenied } from 'svc-kernel'
import t from 'tap'
import svcDecorators, {
  Ctx,
  compileController,
  controller,
  Get,
  IsGranted,
  Message,
  WebSocket,
  type WebSocketContext
} from '../../src/index.ts'
import { grantByHeader } from '../support/grant.ts'
import { listen } from '../support/listen.ts'
import { bodyOf, rawRequest } from '../support/raw-request.ts'
import { TestSocket } from '../support/test-socket.ts'

/** Resolved by the tests, so that a message is running for as long as they want. */
let gate = Promise.resolve()
let served: string[] = []

@controller('/ws')
class Sockets {
  @WebSocket('/echo') echo(@Message() text: string): unknown {
    return text
  }

  @Get('/echo') page(): string {
    return 'page'
  }

  @WebSocket('/slow') async slow(@Message() text: string): Promise<unknown> {
    served.push(text)
    await gate
    return text
  }

  @WebSocket('/mixed') mixed(@Message() text: string): unknown {
    return text.startsWith('slow') ? gate.then(() => text) : text
  }

  @WebSocket('/guarded') @IsGranted('ROLE_A') guarded(@Message() text: string): unknown {
    return text
  }

  @WebSocket('/denies') denies(): void {
    throw new AccessDenied()
  }

  @WebSocket('/flood') flood(@Ctx() { socket }: WebSocketContext): string {
    for (let sent = 0; sent < 40; sent += 1) socket.send(Buffer.alloc(1_048_576))
    return 'flooded'
  }

  @WebSocket('/big') big(@Message() size: string): unknown {
    return 'x'.repeat(Number(size))
  }

  @WebSocket('/bye') async bye(@Ctx() { socket }: WebSocketContext): Promise<string> {
    socket.close(4000, 'bye')
    await once(socket, 'close')
    return 'never sent'
  }
}

function openGate(): () => void {
  let open: () => void = () => undefined
  gate = new Promise<void>((resolve) => {
    open = resolve
  })
  served = []
  return open
}

async function upgradeStatus(
  fastify: FastifyInstance,
  path: string,
  headers: Record<string, string> = {}
): Promise<number> {
  const { port } = fastify.server.address() as { port: number }
  const { ws } = new TestSocket(`ws://127.0.0.1:${port}${path}`, { headers })
  const [, response] = (await once(ws, 'unexpected-response')) as [unknown, { statusCode: number }]
  ws.terminate()
  return response.statusCode
}

t.test('the guard runs before the upgrade, and before each message', async (t) => {
  const fastify = createFastify() as unknown as FastifyInstance
  t.teardown(() => fastify.close())
  await grantByHeader(fastify)
  await fastify.register(svcDecorators, { controllers: [Sockets] })
  await fastify.listen({ host: '127.0.0.1', port: 0 })
  t.equal(await upgradeStatus(fastify, '/ws/guarded'), 403)
  t.equal(await upgradeStatus(fastify, '/ws/guarded', { 'x-roles': 'ROLE_B' }), 403)
  const socket = await TestSocket.open(fastify, '/ws/guarded', { headers: { 'x-roles': 'ROLE_A' } })
  t.equal(await socket.ask('in'), 'in')
  fastify.accessGate.use({ allows: async () => false })
  socket.send('out')
  socket.send('never served')
  t.match(await socket.next(), { statusCode: 403, code: 'SVC_SEC_DENIED' })
  t.strictSame(await socket.closed, { code: 1008, reason: 'access denied' })
})

t.test('a 403 of the controller itself keeps the connection', async (t) => {
  const fastify = await listen(t, [Sockets])
  const socket = await TestSocket.open(fastify, '/ws/denies')
  t.match(await socket.ask(''), { statusCode: 403 })
  t.match(await socket.ask(''), { statusCode: 403 })
})

t.test('GET and WEBSOCKET on one path', async (t) => {
  const fastify = await listen(t, [Sockets])
  t.equal((await fastify.inject('/ws/echo')).body, 'page')
  t.equal(await (await TestSocket.open(fastify, '/ws/echo')).ask('hi'), 'hi')
})

t.test('a plain GET on a WEBSOCKET route answers 426 over a real socket', async (t) => {
  const fastify = await listen(t, [Sockets])
  const answer = await rawRequest(fastify, 'GET /ws/slow HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
  t.match(answer, /^HTTP\/1\.1 426 Upgrade Required\r\n/)
  t.match(answer, /upgrade: websocket/i)
  t.match(JSON.parse(bodyOf(answer)), { code: 'SVC_WS_UPGRADE_REQUIRED', message: /\/ws\/slow is a WebSocket route/ })
  const { port } = fastify.server.address() as { port: number }
  t.equal((await fetch(`http://127.0.0.1:${port}/ws/slow`)).status, 426, 'a browser-like client can read it')
})

t.test('one message at a time, answers in order', async (t) => {
  const fastify = await listen(t, [Sockets])
  const open = openGate()
  const socket = await TestSocket.open(fastify, '/ws/mixed')
  for (const text of ['slow 1', 'a', 'b', 'slow 2', 'c']) socket.send(text)
  open()
  const answers = []
  for (let count = 0; count < 5; count += 1) answers.push(await socket.next())
  t.strictSame(answers, ['slow 1', 'a', 'b', 'slow 2', 'c'])
})

t.test('messages that wait pause the socket; none is lost', async (t) => {
  const fastify = await listen(t, [Sockets])
  const open = openGate()
  const socket = await TestSocket.open(fastify, '/ws/slow')
  const [server] = fastify.websocketServer.clients
  const count = 5_000
  for (let sent = 0; sent < count; sent += 1) socket.send(`${sent}`)
  while (server?.isPaused !== true)
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
  t.strictSame(served, ['0'], 'only the first message is being served')
  open()
  for (let received = 0; received < count; received += 1) {
    const answer = await socket.next()
    if (answer !== `${received}`) t.equal(answer, `${received}`)
  }
  t.equal(server.isPaused, false)
  t.equal(served.length, count)
})

t.test('many waiting messages are served without recursion', async (t) => {
  const fastify = await listen(t, [Sockets])
  const open = openGate()
  const socket = await TestSocket.open(fastify, '/ws/mixed')
  const count = 20_000
  socket.send('slow')
  for (let sent = 0; sent < count; sent += 1) socket.send('x')
  open()
  for (let received = 0; received <= count; received += 1) await socket.next()
  t.equal(await socket.ask('last'), 'last')
})

t.test('a peer that does not read: its answers wait for it, and come whole', async (t) => {
  const fastify = await listen(t, [Sockets])
  const socket = await TestSocket.open(fastify, '/ws/big')
  socket.ws.pause()
  const size = 3_000_000
  for (let count = 0; count < 5; count += 1) socket.send(`${size}`)
  const [server] = fastify.websocketServer.clients
  while ((server?.bufferedAmount ?? 0) < 1_048_576)
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
  for (let turns = 0; turns < 50; turns += 1)
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
  t.ok((server?.bufferedAmount ?? 0) < 2 * size, 'the next message waits until this answer is taken')
  socket.ws.resume()
  for (let count = 0; count < 5; count += 1) t.equal(((await socket.next()) as string).length, size)
})

t.test('a peer that leaves more than 8 MiB unread is cut off with 1013', async (t) => {
  const fastify = await listen(t, [Sockets])
  const socket = await TestSocket.open(fastify, '/ws/flood')
  socket.ws.pause()
  socket.send('')
  const [server] = fastify.websocketServer.clients
  while (server?.readyState === server?.OPEN)
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
  socket.ws.resume()
  t.match(await socket.closed, { code: 1013, reason: 'slow consumer' })
})

t.test('an answer to a connection that is gone is dropped', async (t) => {
  const fastify = await listen(t, [Sockets])
  const socket = await TestSocket.open(fastify, '/ws/bye')
  socket.send('')
  t.strictSame(await socket.closed, { code: 4000, reason: 'bye' })
  t.equal(await (await TestSocket.open(fastify, '/ws/echo')).ask('alive'), 'alive')
})

t.test('oversized and malformed frames close with their code; the server lives on', async (t) => {
  const fastify = await listen(t, [Sockets], { websocket: { maxPayload: 100 } })
  const fits = await TestSocket.open(fastify, '/ws/echo')
  t.equal(await fits.ask('x'.repeat(100)), 'x'.repeat(100))
  const oversized = await TestSocket.open(fastify, '/ws/echo')
  oversized.send('x'.repeat(101))
  t.match(await oversized.closed, { code: 1009 })
  t.equal(await closeCode(fastify, Buffer.from([0xf1, 0x80, 1, 2, 3, 4])), 1002, 'reserved bits')
  t.equal(await closeCode(fastify, Buffer.from([0x81, 0x01, 0x41])), 1002, 'unmasked')
  t.equal(await closeCode(fastify, Buffer.from([0x81, 0x81, 0, 0, 0, 0, 0xff])), 1007, 'not UTF-8')
  t.equal(await fits.ask('alive'), 'alive')
})

t.test('the default limit is 1 MiB', async (t) => {
  const fastify = await listen(t, [Sockets])
  const socket = await TestSocket.open(fastify, '/ws/echo')
  t.equal(((await socket.ask('x'.repeat(1_048_576))) as string).length, 1_048_576)
  socket.send('x'.repeat(1_048_577))
  t.match(await socket.closed, { code: 1009 })
})

t.test('a peer that vanishes leaves nothing behind', async (t) => {
  const fastify = await listen(t, [Sockets])
  const open = openGate()
  const socket = await TestSocket.open(fastify, '/ws/slow')
  const [server] = fastify.websocketServer.clients
  socket.send('1')
  while (served.length === 0)
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
  const closed = once(server as NonNullable<typeof server>, 'close')
  socket.ws.terminate()
  await closed
  open()
  t.equal(await (await TestSocket.open(fastify, '/ws/echo')).ask('alive'), 'alive')
  t.equal(fastify.websocketServer.clients.size, 1)
})

t.test('closing the application closes its sockets with 1001', async (t) => {
  const fastify = await listen(t, [Sockets])
  const socket = await TestSocket.open(fastify, '/ws/echo')
  await fastify.close()
  t.match(await socket.closed, { code: 1001 })
})

t.test('compiled routes on a bare Fastify with @fastify/websocket', async (t) => {
  const fastify = createFastify() as unknown as FastifyInstance
  t.teardown(() => fastify.close())
  await fastify.register(websocketPlugin)
  for (const route of compileController(Sockets)) fastify.route(route)
  await fastify.listen({ host: '127.0.0.1', port: 0 })
  t.equal(await (await TestSocket.open(fastify, '/ws/echo')).ask('hi'), 'hi')
  t.equal(await upgradeStatus(fastify, '/ws/guarded', { 'x-roles': 'ROLE_A' }), 403)
})

/** Opens /ws/echo by hand, writes raw bytes, and reads the code of the close frame. */
async function closeCode(fastify: FastifyInstance, frame: Buffer): Promise<number> {
  const { port } = fastify.server.address() as { port: number }
  const socket = connect({ host: '127.0.0.1', port })
  socket.write(
    `GET /ws/echo HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: ${randomBytes(16).toString('base64')}\r\n\r\n`
  )
  const [upgraded] = (await once(socket, 'data')) as [Buffer]
  if (!upgraded.toString('latin1').startsWith('HTTP/1.1 101')) throw new Error('no upgrade')
  socket.write(frame)
  const [close] = (await once(socket, 'data')) as [Buffer]
  socket.destroy()
  return close.readUInt16BE(2)
}
