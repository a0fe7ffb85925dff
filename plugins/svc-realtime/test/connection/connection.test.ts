/** One socket and what is sent into it: bad frames, floods, lost identities, slow readers, the end of the server. */
import { once } from 'node:events'
import type { LiveIdentity } from 'svc-kernel/plugin'
import t from 'tap'
import { WebSocket } from 'ws'
import { ManualClock } from '../support/manual-clock.ts'
import { ALICE, invokable, realtimeApp } from '../support/realtime-app.ts'
import { RpcClient } from '../support/rpc-client.ts'

const channels = [{ pattern: '*', anonymous: true, publish: true }]

t.test('WSK-21: unknown methods and prototype names are no methods', async (t) => {
  const { fastify } = await realtimeApp(t)
  const client = await RpcClient.open(fastify, ALICE)
  for (const method of ['', 'nothing', '__proto__', 'constructor', 'toString', 'hasOwnProperty', 'api.request ']) {
    t.match(await client.call(method), { error: { code: -32601, message: 'no such method' } }, JSON.stringify(method))
  }
})

t.test('WSK-22: malformed, binary and oversized frames', async (t) => {
  const { fastify } = await realtimeApp(t, { options: { limits: { maxPayload: 1000 } } })
  const client = await RpcClient.open(fastify, ALICE)
  const rows = [
    ['{', -32700],
    ['[]', -32600],
    [Buffer.from('{"jsonrpc":"2.0","id":1,"method":"channel.unsubscribe"}'), -32600],
    ['{"jsonrpc":"2.0","id":1,"method":"api.request","params":[]}', -32602]
  ] as const
  for (const [frame, code] of rows) {
    client.send(frame)
    t.match(await client.answer(), { error: { code } }, String(frame))
  }
  t.match(await client.call('channel.unsubscribe', { channel: 'a' }), { result: {} }, 'the socket is alive')
  client.send('x'.repeat(1001))
  t.match(await client.closed, { code: 1009 })
})

t.test('a flood is refused, then cut off', async (t) => {
  const clock = new ManualClock()
  const { fastify, records } = await realtimeApp(t, {
    options: { limits: { framesPerSecond: 2, frameBurst: 3 }, parts: { clock } }
  })
  const client = await RpcClient.open(fastify, ALICE)
  const ask = () => client.call('channel.unsubscribe', { channel: 'a' })
  for (let frame = 0; frame < 3; frame += 1) t.match(await ask(), { result: {} })
  for (let frame = 0; frame < 2; frame += 1) t.match(await ask(), { error: { code: -32000, data: { status: 429 } } })
  clock.advance(500)
  t.match(await ask(), { result: {} }, 'a token came back')
  for (let frame = 0; frame < 3; frame += 1) t.match(await ask(), { error: { data: { status: 429 } } })
  client.send('{')
  t.match(await client.closed, { code: 1008, reason: 'too many frames' })
  t.match(records, [{ action: 'frame.denied', reason: 'flood', actor: 'alice' }])
})

/** An identity that a test takes away, at a question or between two. */
function revocable(): LiveIdentity & { over: boolean; asked: number; end(): void; watched: boolean } {
  let tell: (() => void) | null = null
  return {
    over: false,
    unavailable: false,
    asked: 0,
    holds() {
      this.asked += 1
      return this.asked % 2 === 0 ? !this.over : Promise.resolve(!this.over)
    },
    whenChecked: () => () => undefined,
    whenOver(end) {
      tell = end
      return () => {
        tell = null
      }
    },
    recheck() {
      if (this.over) tell?.()
    },
    end: () => tell?.(),
    get watched() {
      return tell !== null
    }
  }
}

t.test('WSK-15: an identity that is over does nothing any more', async (t) => {
  const actions = {
    'api.request': { path: '/open' },
    'channel.publish': { channel: 'a', data: 1 },
    'channel.subscribe': { channel: 'b' }
  }
  for (const [method, params] of Object.entries(actions)) {
    for (const asynchronous of [true, false]) {
      const live = revocable()
      let reached = 0
      const { fastify } = await realtimeApp(t, {
        live: () => live,
        options: { channels },
        routes: (fastify) => void fastify.get('/open', invokable(), () => ({ reached: ++reached }))
      })
      const client = await RpcClient.open(fastify, ALICE)
      const listener = await RpcClient.open(fastify)
      await listener.call('channel.subscribe', { channel: 'a' })
      t.ok((await client.call(method, params)).result)
      if (asynchronous) await client.call('channel.unsubscribe', { channel: 'c' })
      const before = reached
      live.over = true
      t.equal(live.asked % 2 === 0, asynchronous)
      const refused = client.call(method, params)
      t.match(await refused, { error: { code: -32001, data: { status: 401 } } }, `${method}, ${asynchronous}`)
      t.match(await client.closed, { code: 4001 })
      t.equal(reached, before, 'the route was not reached')
      t.notOk(live.watched)
    }
  }
})

t.test('WSK-19: each action asks the live identity; how often that reads is its own window', async (t) => {
  const live = { ...revocable(), holds: () => true as boolean | Promise<boolean> }
  let asked = 0
  live.holds = () => {
    asked += 1
    return true
  }
  const { fastify } = await realtimeApp(t, {
    live: () => live,
    options: { channels, limits: { framesPerSecond: 9999, frameBurst: 9999 } }
  })
  const client = await RpcClient.open(fastify, ALICE)
  const replies = Array.from({ length: 1000 }, (_, data) => client.call('channel.publish', { channel: 'a', data }))
  t.equal((await Promise.all(replies)).filter(({ result }) => result !== undefined).length, 1000)
  t.equal(asked, 1000)
})

t.test('an identity that ends between messages closes an idle subscriber', async (t) => {
  const live = revocable()
  const { fastify } = await realtimeApp(t, { live: () => live, options: { channels } })
  const client = await RpcClient.open(fastify, ALICE)
  await client.call('channel.subscribe', { channel: 'a' })
  live.end()
  t.match(await client.closed, { code: 4001, reason: 'the identity has ended' })
  t.match(fastify.realtime.status(), { connections: 0, channels: 0 })
})

t.test('the sweep ends who only listens; who does not listen is asked when it acts', async (t) => {
  const clock = new ManualClock()
  const [first, second] = [revocable(), revocable()]
  const lives = [first, second]
  const { fastify } = await realtimeApp(t, {
    live: () => lives.shift() as LiveIdentity,
    options: { channels, recheckS: 10, parts: { clock } }
  })
  const listener = await RpcClient.open(fastify, ALICE)
  const idle = await RpcClient.open(fastify, ALICE)
  const visitor = await RpcClient.open(fastify)
  await visitor.call('channel.subscribe', { channel: 'a' })
  await listener.call('channel.subscribe', { channel: 'a' })
  clock.advance(10_000)
  await listener.settled()
  t.equal(fastify.realtime.status().connections, 3, 'it holds')
  first.over = true
  second.over = true
  clock.advance(10_000)
  t.match(await listener.closed, { code: 4001 })
  t.match(await idle.call('channel.unsubscribe', { channel: 'a' }), { error: { code: -32001 } })
  t.match(await idle.closed, { code: 4001 })
  fastify.realtime.publish('a', 1)
  t.match(await visitor.notification('channel.message'), { data: 1 })
})

t.test('a peer that vanished without a farewell is dropped; a quiet one stays', async (t) => {
  const clock = new ManualClock()
  const { fastify } = await realtimeApp(t, { options: { channels, recheckS: 10, parts: { clock } } })
  const vanished = await RpcClient.open(fastify, ALICE)
  const quiet = await RpcClient.open(fastify, ALICE)
  await vanished.call('channel.subscribe', { channel: 'a' })
  vanished.ws.pause()
  const dropped = new Promise((resolve) => {
    for (const client of fastify.websocketServer.clients) client.on('close', resolve)
  })
  for (let look = 0; look < 3; look += 1) {
    t.equal(fastify.realtime.status().connections, 2)
    clock.advance(10_000)
    await quiet.settled()
    await quiet.settled()
  }
  await dropped
  t.match(fastify.realtime.status(), { connections: 1, channels: 0 })
  t.match(await quiet.call('channel.unsubscribe', { channel: 'a' }), { result: {} })
})

t.test('frames are served in order while one waits', async (t) => {
  let noteAsked: (release: (granted: boolean) => void) => void = () => undefined
  const asked = new Promise<(granted: boolean) => void>((resolve) => {
    noteAsked = resolve
  })
  const { fastify } = await realtimeApp(t, {
    options: { channels: [{ pattern: 'slow', requires: ['x'] }, ...channels] }
  })
  fastify.accessGate.use({ allows: () => new Promise((settle) => noteAsked(settle)) })
  const client = await RpcClient.open(fastify, ALICE)
  const replies = [
    client.call('channel.subscribe', { channel: 'slow' }),
    ...Array.from({ length: 60 }, (_, index) => client.call('channel.subscribe', { channel: `c${index}` }))
  ]
  const release = await asked
  // An exchange of another socket: with so many frames waiting, the server does not read this one.
  const other = await RpcClient.open(fastify, ALICE)
  await other.call('channel.unsubscribe', { channel: 'a' })
  t.equal(fastify.realtime.status().channels, 0, 'the others wait')
  release(true)
  const channelsInOrder = (await Promise.all(replies)).map(({ result }) => result?.channel)
  t.strictSame(channelsInOrder.slice(0, 3), ['slow', 'c0', 'c1'])
  t.equal(fastify.realtime.status().channels, 61)
})

t.test('a slow reader loses messages, then the socket; others lose nothing', async (t) => {
  const { fastify } = await realtimeApp(t, { options: { channels } })
  const slow = await RpcClient.open(fastify, ALICE)
  const quick = await RpcClient.open(fastify, ALICE)
  for (const client of [slow, quick]) await client.call('channel.subscribe', { channel: 'big' })
  slow.ws.pause()
  const data = 'x'.repeat(300_000)
  let sent = 0
  while (fastify.realtime.status().dropped === 0) {
    fastify.realtime.publish('big', data)
    sent += 1
    t.match(await quick.notification('channel.message'), { channel: 'big' })
  }
  for (const { bufferedAmount } of fastify.websocketServer.clients) t.ok(bufferedAmount < 2_097_152, 'bounded')
  slow.ws.resume()
  for (let message = 1; message < sent; message += 1) await slow.notification('channel.message')
  t.match(await slow.call('channel.unsubscribe', { channel: 'big' }), { result: {} }, 'it lives on')
})

t.test('the server says when it goes away', async (t) => {
  const { fastify } = await realtimeApp(t, { options: { channels } })
  const client = await RpcClient.open(fastify, ALICE)
  await fastify.close()
  t.match(await client.closed, { code: 1001 })
})

t.test('a plain request is told how to open the socket', async (t) => {
  const { fastify } = await realtimeApp(t)
  const answer = await fastify.inject('/svc/realtime')
  t.equal(answer.statusCode, 426)
  t.equal(answer.headers.upgrade, 'websocket')
  t.match(answer.json(), { code: 'SVC_WS_UPGRADE_REQUIRED' })
})

t.test('WSK-06: a credential in the query or as a subprotocol is not read', async (t) => {
  const { fastify } = await realtimeApp(t)
  const { port } = fastify.addresses()[0] as { port: number }
  const url = `ws://127.0.0.1:${port}/svc/realtime?access_token=alice/ROLE_USER`
  const socket = new WebSocket(url, ['bearer', 'alice'])
  const [welcome] = (await once(socket, 'message')) as [Buffer]
  t.match(JSON.parse(String(welcome)), { params: { user: { identifier: 'anonymous' } } })
  socket.terminate()
})
