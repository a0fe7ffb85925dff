/** Two instances over a real server: messages cross, its absence is told and survived, its return is noticed. */
import t from 'tap'
import { AwaitedLog } from '../support/awaited-log.ts'
import { ALICE, realtimeApp } from '../support/realtime-app.ts'
import { RedisProcess, redisProgram } from '../support/redis-process.ts'
import { RpcClient } from '../support/rpc-client.ts'

if (redisProgram === null) {
  const reason = 'SKIPPED: neither redis-server nor valkey-server is installed; nothing here was tested'
  process.stderr.write(`\n  ${reason}\n\n`)
  t.plan(0, reason)
} else {
  redisTests(redisProgram)
}

const UP = 'reach other instances'
const DOWN = 'stay in this instance'

function redisTests(program: string): void {
  const channels = [{ pattern: '*', anonymous: true, publish: true }]

  t.test('messages cross from instance to instance, once each', async (t) => {
    const server = await RedisProcess.start(t, program)
    const start = async (prefix: string) => {
      const log = new AwaitedLog()
      const up = log.next(UP)
      const app = await realtimeApp(t, { log, options: { channels, redis: { url: server.url, prefix } } })
      t.match(await up, { level: 30, server: `redis://127.0.0.1:${server.port}` })
      t.match(app.fastify.realtime.status().adapter, { name: 'redis', connected: true, lost: 0 })
      const client = await RpcClient.open(app.fastify, ALICE)
      await client.call('channel.subscribe', { channel: 'news' })
      return { ...app, log, client }
    }
    const [a, b, foreign] = [await start('shop'), await start('shop'), await start('other')]
    await a.client.call('channel.publish', { channel: 'news', data: { text: 'née "x"\n' } })
    const expected = { channel: 'news', data: { text: 'née "x"\n' } }
    t.strictSame(await b.client.notification('channel.message'), expected)
    t.strictSame(await a.client.notification('channel.message'), expected)
    b.fastify.realtime.publish('news', 2)
    t.strictSame(await a.client.notification('channel.message'), { channel: 'news', data: 2 })
    t.strictSame(await b.client.notification('channel.message'), { channel: 'news', data: 2 })
    foreign.fastify.realtime.publish('news', 'of another application')
    t.match(await foreign.client.notification('channel.message'), { data: 'of another application' })
    for (const { client } of [a, b, foreign]) {
      await client.settled()
      t.notOk(
        client.untaken.some(({ method }) => method === 'channel.message'),
        'nothing twice, nothing foreign'
      )
    }
    t.notOk(JSON.stringify([a, b].map(({ log }) => log.lines)).includes('secret'), 'no password in the log')
  })

  t.test('the server goes and comes back: told once each, local messages go on', async (t) => {
    const server = await RedisProcess.start(t, program)
    const start = async () => {
      const log = new AwaitedLog()
      const up = log.next(UP)
      const { fastify } = await realtimeApp(t, { log, options: { channels, redis: { url: server.url } } })
      await up
      const client = await RpcClient.open(fastify, ALICE)
      await client.call('channel.subscribe', { channel: 'news' })
      return { fastify, log, client }
    }
    const [a, b] = [await start(), await start()]
    const health = async () => [...a.fastify.healthChecks.entries()].find(([name]) => name === 'realtime redis')?.[1]()
    await health()
    const down = [a.log.next(DOWN), b.log.next(DOWN)]
    await server.stop()
    for (const line of await Promise.all(down)) t.match(line, { level: 50 })
    t.match(a.fastify.realtime.status().adapter, { connected: false })
    await t.rejects(health(), { code: 'SVC_REALTIME_REDIS' }, 'R3: its health says so')

    a.fastify.realtime.publish('news', 'alone')
    t.match(await a.client.notification('channel.message'), { data: 'alone' })
    t.match(a.fastify.realtime.status().adapter, { lost: 1 })

    const up = [a.log.next(UP), b.log.next(UP)]
    await server.start()
    t.match(await Promise.all(up), [
      { level: 30, lost: 1 },
      { level: 30, lost: 0 }
    ])
    await health()
    a.fastify.realtime.publish('news', 'together')
    t.match(await b.client.notification('channel.message'), { data: 'together' }, 'what was lost does not come late')
    for (const { log } of [a, b]) t.equal(log.lines.filter(({ msg }) => msg.includes(DOWN)).length, 1, 'told once')
  })

  t.test('an application boots without its server, and finds it later', async (t) => {
    const server = await RedisProcess.start(t, program)
    await server.stop()
    const log = new AwaitedLog()
    const [down, up] = [log.next(DOWN), log.next(UP)]
    const { fastify } = await realtimeApp(t, { log, options: { channels, redis: { url: server.url } } })
    t.match(await down, { level: 50, reason: /ECONNREFUSED/ })
    await server.start()
    t.match(await up, { level: 30 })
    t.equal(fastify.realtime.status().adapter.connected, true)
  })

  t.test('a foreign message on the channel is ignored', async (t) => {
    const server = await RedisProcess.start(t, program)
    const log = new AwaitedLog()
    const up = log.next(UP)
    const { fastify } = await realtimeApp(t, { log, options: { channels, redis: { url: server.url } } })
    await up
    const client = await RpcClient.open(fastify, ALICE)
    await client.call('channel.subscribe', { channel: 'news' })
    const { Redis } = await import('ioredis')
    const intruder = new Redis(server.url)
    t.teardown(() => intruder.disconnect())
    for (const text of ['{', '[]', 'null', '{"from":"x","channel":"a b","data":1}', '{"from":"x","channel":"news"}']) {
      await intruder.publish('svc:messages', text)
    }
    await intruder.publish('svc:messages', '{"from":"x","channel":"news","data":"good"}')
    t.strictSame(await client.notification('channel.message'), { channel: 'news', data: 'good' })
  })
}
