/** Subscribe, unsubscribe and publish over real sockets: locks, notices, limits, and what is left behind. */
import t from 'tap'
import type { SvcRealtimeOptions } from '../../src/index.ts'
import { ADMIN, ALICE, realtimeApp } from '../support/realtime-app.ts'
import { RpcClient } from '../support/rpc-client.ts'

const channels: NonNullable<SvcRealtimeOptions['channels']> = [
  { pattern: 'news', anonymous: true },
  { pattern: 'orders:*', requires: ['ROLE_USER'], publish: true },
  { pattern: 'staff', requires: ['ROLE_USER', ['ROLE_CLERK', 'ROLE_SVC_ADMIN']] },
  { pattern: 'wall', anonymous: true, publish: ['ROLE_USER'] },
  { pattern: 'svc:open', anonymous: true, publish: true }
]

t.test('the welcome names who is there and what is allowed', async (t) => {
  const { fastify } = await realtimeApp(t, { options: { limits: { maxChannels: 3 } } })
  const alice = await RpcClient.open(fastify, ALICE)
  t.match(await alice.notification('realtime.welcome'), {
    user: { identifier: 'alice', roles: ['ROLE_USER'] },
    limits: { maxChannels: 3 }
  })
  const visitor = await RpcClient.open(fastify)
  t.match(await visitor.notification('realtime.welcome'), { user: { identifier: 'anonymous', roles: [] } })
})

t.test('who may listen, and who may publish', async (t) => {
  const { fastify, records } = await realtimeApp(t, { options: { channels } })
  const rows = [
    // channel, [visitor, alice, admin] may subscribe, [visitor, alice, admin] may publish
    ['news', [true, true, true], [false, false, false]],
    ['orders:1', [false, true, true], [false, true, true]],
    ['orders:', [false, true, true], [false, true, true]],
    ['order', [false, false, false], [false, false, false]],
    ['staff', [false, false, true], [false, false, false]],
    ['wall', [true, true, true], [false, true, true]],
    ['unlisted', [false, false, false], [false, false, false]],
    ['svc:audit', [false, false, true], [false, false, false]],
    ['svc:open', [false, false, true], [false, false, true]]
  ] as const
  const callers = [{}, ALICE, ADMIN]
  for (const [index, headers] of callers.entries()) {
    const client = await RpcClient.open(fastify, headers as Record<string, string>)
    for (const [channel, listens, publishes] of rows) {
      for (const [method, allowed] of [
        ['channel.subscribe', listens[index]],
        ['channel.publish', publishes[index]]
      ] as const) {
        const before = records.length
        const reply = await client.call(method, { channel, data: 1 })
        const name = `${method} ${channel} by caller ${index}`
        if (allowed) {
          t.strictSame(reply.result, { channel }, `${name}: granted`)
          t.equal(records.length, before, 'a grant is not recorded')
        } else {
          t.match(
            reply.error,
            { code: -32003, data: { status: 403, channel, reason: 'forbidden' } },
            `${name}: refused`
          )
          t.strictSame(await client.notification('realtime.denied'), { channel, reason: 'forbidden' })
          t.match(records.at(-1), { category: 'ws', action: 'frame.denied', outcome: 'denied', resource: channel })
        }
      }
    }
    client.ws.terminate()
  }
})

t.test('messages reach who listens, from client and server, until they unsubscribe', async (t) => {
  const { fastify } = await realtimeApp(t, { options: { channels } })
  const alice = await RpcClient.open(fastify, ALICE)
  const admin = await RpcClient.open(fastify, ADMIN)
  for (const client of [alice, admin]) await client.call('channel.subscribe', { channel: 'orders:7' })
  await alice.call('channel.subscribe', { channel: 'orders:7' })
  await alice.call('channel.publish', { channel: 'orders:7', data: { text: 'née "x"\n' } })
  const expected = { channel: 'orders:7', data: { text: 'née "x"\n' } }
  t.strictSame(await admin.notification('channel.message'), expected)
  t.strictSame(await alice.notification('channel.message'), expected, 'also to its own sender, once')

  fastify.realtime.publish('orders:7', null)
  t.strictSame(await admin.notification('channel.message'), { channel: 'orders:7', data: null })
  t.strictSame(await alice.notification('channel.message'), { channel: 'orders:7', data: null })
  t.strictSame((await alice.call('channel.unsubscribe', { channel: 'orders:7' })).result, { channel: 'orders:7' })
  t.strictSame((await alice.call('channel.unsubscribe', { channel: 'orders:7' })).result, { channel: 'orders:7' })
  fastify.realtime.publish('orders:7', 2)
  t.strictSame(await admin.notification('channel.message'), { channel: 'orders:7', data: 2 })
  await alice.settled()
  t.notOk(alice.untaken.some(({ method }) => method === 'channel.message'))
})

t.test('a socket listens to so many channels and no more', async (t) => {
  const { fastify, records } = await realtimeApp(t, { options: { channels, limits: { maxChannels: 2 } } })
  const alice = await RpcClient.open(fastify, ALICE)
  t.ok((await alice.call('channel.subscribe', { channel: 'orders:1' })).result)
  t.ok((await alice.call('channel.subscribe', { channel: 'orders:2' })).result)
  t.ok((await alice.call('channel.subscribe', { channel: 'orders:2' })).result, 'one it has already')
  t.match(await alice.call('channel.subscribe', { channel: 'orders:3' }), {
    error: { code: -32003, data: { channel: 'orders:3', reason: 'limit' } }
  })
  t.strictSame(await alice.notification('realtime.denied'), { channel: 'orders:3', reason: 'limit' })
  t.match(records, [{ action: 'frame.denied', actor: 'alice', reason: 'limit' }])
  await alice.call('channel.unsubscribe', { channel: 'orders:1' })
  t.ok((await alice.call('channel.subscribe', { channel: 'orders:3' })).result)
})

t.test('a socket that is gone leaves nothing behind', async (t) => {
  let decide: (granted: boolean) => void = () => undefined
  const { fastify } = await realtimeApp(t, { options: { channels } })
  const gone = await RpcClient.open(fastify, ALICE)
  await gone.call('channel.subscribe', { channel: 'orders:1' })
  t.match(fastify.realtime.status(), { connections: 1, channels: 1, dropped: 0, adapter: { name: 'memory' } })

  const asked = new Promise<void>((resolve) => {
    fastify.accessGate.use({
      allows: () =>
        new Promise((settle) => {
          decide = settle
          resolve()
        })
    })
  })
  gone.send({ jsonrpc: '2.0', id: 1, method: 'channel.subscribe', params: { channel: 'orders:2' } })
  await asked
  const detached = new Promise((resolve) => {
    for (const client of fastify.websocketServer.clients) client.on('close', resolve)
  })
  gone.ws.terminate()
  await detached
  decide(true)
  await new Promise((resume) => setImmediate(resume))
  t.match(fastify.realtime.status(), { connections: 0, channels: 0 })
})

t.test('parameters that are none', async (t) => {
  const { fastify } = await realtimeApp(t, { options: { channels } })
  const client = await RpcClient.open(fastify, ALICE)
  for (const channel of [undefined, null, 1, '', ' ', 'a b', 'a*', 'a\n', 'x'.repeat(256), ['news'], { news: 1 }]) {
    for (const method of ['channel.subscribe', 'channel.unsubscribe', 'channel.publish']) {
      t.match(await client.call(method, { channel, data: 1 }), { error: { code: -32602 } }, `${method} ${channel}`)
    }
  }
  t.match(await client.call('channel.publish', { channel: 'orders:1' }), { error: { code: -32602, message: /data/ } })
  t.throws(() => fastify.realtime.publish('a b', 1), { code: 'SVC_REALTIME_CHANNEL' })
  t.throws(() => fastify.realtime.publish('a', undefined), { code: 'SVC_REALTIME_DATA' })
  t.throws(() => fastify.realtime.publish('a', 1n), { code: 'SVC_REALTIME_DATA' })
})

t.test('a notification is served and not answered', async (t) => {
  const { fastify } = await realtimeApp(t, { options: { channels } })
  const client = await RpcClient.open(fastify, ALICE)
  await client.notification('realtime.welcome')
  client.send({ jsonrpc: '2.0', method: 'channel.subscribe', params: { channel: 'news' } })
  client.send({ jsonrpc: '2.0', method: 'channel.subscribe', params: { channel: 'nowhere' } })
  client.send({ jsonrpc: '2.0', method: 'no.such.method' })
  t.strictSame(await client.notification('realtime.denied'), { channel: 'nowhere', reason: 'forbidden' })
  await client.settled()
  t.strictSame(client.untaken, [])
  fastify.realtime.publish('news', 'x')
  t.strictSame(await client.notification('channel.message'), { channel: 'news', data: 'x' })
})

t.test('R11: data that is nested too deeply is the fault of its sender', async (t) => {
  const { fastify } = await realtimeApp(t, { options: { channels } })
  const client = await RpcClient.open(fastify, ALICE)
  const data = `${'['.repeat(5000)}1${']'.repeat(5000)}`
  client.send(`{"jsonrpc":"2.0","id":1,"method":"channel.publish","params":{"channel":"wall","data":${data}}}`)
  t.match(await client.answer(), { id: 1, error: { code: -32602, message: 'data is nested too deeply' } })
  t.match(await client.call('channel.publish', { channel: 'wall', data: [1] }), { result: { channel: 'wall' } })
})
