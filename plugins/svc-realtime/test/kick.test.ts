/** The application takes a user's sockets or channels away: here, and by the adapter in every other instance. */
import t, { type Test } from 'tap'
import type { RealtimeAdapter, SvcRealtimeOptions } from '../src/index.ts'
import { ADMIN, ALICE, realtimeApp } from './support/realtime-app.ts'
import { RpcClient } from './support/rpc-client.ts'

const channels: NonNullable<SvcRealtimeOptions['channels']> = [
  { pattern: 'news', anonymous: true },
  { pattern: '*', requires: ['ROLE_USER'], publish: true }
]

/** Hands each message to every other instance, as a server in between does. */
class Line implements RealtimeAdapter {
  static readonly lines = new Set<Line>()
  readonly name = 'line'
  readonly connected = true
  readonly lost = 0
  readonly sent: string[] = []
  #deliver: (channel: string, data: string) => void = () => undefined

  start(deliver: (channel: string, data: string) => void): void {
    this.#deliver = deliver
    Line.lines.add(this)
  }

  publish(channel: string, data: string): void {
    this.sent.push(channel)
    for (const line of Line.lines) if (line !== this) line.#deliver(channel, data)
  }

  stop(): void {
    Line.lines.delete(this)
  }
}

async function instances(t: Test) {
  const options = () => ({ channels, parts: { adapter: new Line() } })
  const [here, there] = [await realtimeApp(t, { options: options() }), await realtimeApp(t, { options: options() })]
  const opened = async (app: typeof here, headers: Record<string, string>, ...names: string[]) => {
    const client = await RpcClient.open(app.fastify, headers)
    await client.notification('realtime.welcome')
    for (const channel of names) t.match(await client.call('channel.subscribe', { channel }), { result: {} })
    return client
  }
  return { here, there, opened }
}

t.test('P1: disconnect closes every socket of a user, in every instance, and nobody else’s', async (t) => {
  const { here, there, opened } = await instances(t)
  const alice = [await opened(here, ALICE), await opened(here, ALICE), await opened(there, ALICE, 'news')]
  const others = [await opened(here, ADMIN), await opened(there, ADMIN), await opened(here, {})]
  t.equal(here.fastify.realtime.disconnect('alice'), 2, 'of this instance')
  for (const client of alice) t.match(await client.closed, { code: 1008 })
  for (const client of others) t.match(await client.call('channel.subscribe', { channel: 'news' }), { result: {} })
  t.equal(there.fastify.realtime.status().channels, 1, 'nothing is left behind')
  t.equal(here.fastify.realtime.disconnect('anonymous'), 0, 'visitors have no name')
  const again = await opened(here, ALICE, 'news')
  t.ok(again, 'a client may connect again')
})

t.test('P1: unsubscribe takes one channel, in every instance', async (t) => {
  const { here, there, opened } = await instances(t)
  const near = await opened(here, ALICE, 'orders', 'news')
  const far = await opened(there, ALICE, 'orders')
  const root = await opened(there, ADMIN, 'orders')
  t.equal(here.fastify.realtime.unsubscribe('alice', 'orders'), 1)
  for (const client of [near, far]) {
    t.same(await client.notification('realtime.denied'), { channel: 'orders', reason: 'unsubscribed' })
  }
  here.fastify.realtime.publish('orders', 1)
  here.fastify.realtime.publish('news', 2)
  t.match(await near.notification('channel.message'), { channel: 'news', data: 2 })
  t.match(await root.notification('channel.message'), { channel: 'orders', data: 1 })
  await far.settled()
  t.strictSame(far.untaken, [])
  t.match(await far.call('channel.subscribe', { channel: 'orders' }), { result: {} }, 'its lock decides')
  t.equal(here.fastify.realtime.unsubscribe('alice', 'unknown'), 0)
  t.throws(() => here.fastify.realtime.unsubscribe('alice', 'a b'), { code: 'SVC_REALTIME_CHANNEL' })
})

t.test('P1: no client gives orders, and no publication is one', async (t) => {
  const { here, there, opened } = await instances(t)
  const alice = await opened(there, ALICE)
  const root = await opened(here, ADMIN)
  for (const method of ['channel.subscribe', 'channel.publish']) {
    const params = { channel: 'svc:orders', data: { disconnect: 'alice' } }
    t.match(await root.call(method, params), { error: { code: -32003 } }, method)
  }
  t.throws(() => here.fastify.realtime.publish('svc:orders', { disconnect: 'alice' }), { code: 'SVC_REALTIME_CHANNEL' })
  for (const damaged of ['null', '7', '{"disconnect":7}', '{"unsubscribe":"alice","channel":"a b"}']) {
    there.fastify.realtime.receive('svc:orders', damaged)
  }
  t.match(await alice.call('channel.subscribe', { channel: 'news' }), { result: {} })
})

t.test('P1: what is no order of an instance is passed over', async (t) => {
  const { here, there, opened } = await instances(t)
  const alice = await opened(here, ALICE, 'news')
  for (const data of ['{', 'null', '5', '{"disconnect":5}', '{"unsubscribe":"alice","channel":"a b"}']) {
    here.fastify.realtime.receive('svc:orders', data)
  }
  there.fastify.realtime.publish('news', 'still here')
  t.match(await alice.notification('channel.message'), { data: 'still here' })
})
