/** The plugin by itself: registered alone, its options, its place, what it says at boot, and that nothing stays open. */
import Fastify from 'fastify'
import svcDecorators from 'svc-decorators'
import { checkConfig, type SvcConfig } from 'svc-host'
import { type AppHost, BootError } from 'svc-kernel'
import { problemsOf } from 'svc-kernel/plugin'
import t from 'tap'
import svcRealtime, { type RealtimeAdapter } from '../src/index.ts'
import { AwaitedLog } from './support/awaited-log.ts'
import { ManualClock } from './support/manual-clock.ts'

t.test('alone on a bare Fastify', async (t) => {
  const log = new AwaitedLog()
  const clock = new ManualClock()
  const fastify = Fastify({ logger: { level: 'info', stream: log } })
  await fastify.register(svcRealtime, { parts: { clock } })
  await fastify.ready()
  t.strictSame(fastify.realtime.status(), {
    connections: 0,
    channels: 0,
    dropped: 0,
    adapter: { name: 'memory', connected: true, lost: 0 }
  })
  t.match(
    log.lines.map(({ msg }) => msg),
    [/svc-security is not registered/, /no idempotency gate/]
  )
  t.equal(clock.timers, 1)
  await fastify.close()
  t.equal(clock.timers, 0)
})

t.test('options that are refused', async (t) => {
  const rows = [
    [{ chanels: [] }, 'svc-realtime.chanels'],
    [{ channels: [{ pattern: 'a b', anonymous: true }] }, 'svc-realtime.channels[0].pattern'],
    [{ channels: [{ pattern: 'a' }] }, 'svc-realtime.channels[0]'],
    [{ limits: { maxChannels: 0 } }, 'svc-realtime.limits.maxChannels'],
    [{ redis: { url: 'http://host' } }, 'svc-realtime.redis.url'],
    [{ path: 'realtime' }, 'svc-realtime.path']
  ] as const
  for (const [options, at] of rows) {
    const fastify = Fastify()
    const error = await Promise.resolve(fastify.register(svcRealtime, options as never)).catch(
      (thrown: unknown) => thrown
    )
    t.match(problemsOf(error)?.[0], { at }, at)
    await fastify.close().catch(() => undefined)
  }
})

t.test('inside a scope it is refused: routes beside it would take requests unasked', async (t) => {
  const fastify = Fastify()
  void fastify.register(async (child) => {
    await child.register(svcRealtime)
  })
  await t.rejects(Promise.resolve(fastify.ready()), BootError)
})

t.test('behind svc-decorators it is refused: routes before it would take no changes', async (t) => {
  const fastify = Fastify()
  await fastify.register(svcDecorators, { controllers: [] })
  const error = await Promise.resolve(fastify.register(svcRealtime)).catch((thrown: unknown) => thrown)
  t.match(problemsOf(error), [{ code: 'SVC_REALTIME_LATE', fix: 'register svc-realtime before svc-decorators' }])
  const list = { modules: [svcDecorators, svcRealtime] } as unknown as SvcConfig
  t.match(checkConfig(list).problems, [
    { code: 'SVC_MODULE_ORDER', message: /svc-realtime must come before svc-decorators/ }
  ])
  await fastify.close().catch(() => undefined)
})

t.test('an adapter of the application is started, told and stopped', async (t) => {
  const told: unknown[] = []
  let deliver: (channel: string, data: string) => void = () => undefined
  const adapter: RealtimeAdapter = {
    name: 'own',
    connected: true,
    lost: 0,
    start: (take) => {
      deliver = take
      told.push('start')
    },
    publish: (channel, data) => told.push([channel, data]),
    stop: () => void told.push('stop')
  }
  const fastify = Fastify()
  await fastify.register(svcRealtime, { parts: { adapter } })
  await fastify.ready()
  fastify.realtime.publish('a', { b: 1 })
  deliver('nobody:listens', '1')
  await fastify.close()
  t.strictSame(told, ['start', ['a', '{"b":1}'], 'stop'])

  const checked = Fastify()
  const host: AppHost = { name: 'app', root: '/', mode: 'production', checkOnly: true, importModule: async () => ({}) }
  checked.decorate('appHost', host)
  told.length = 0
  await checked.register(svcRealtime, { parts: { adapter } })
  await checked.ready()
  await checked.close()
  t.strictSame(told, [], 'an application that only boots to be checked connects to nothing')
})

t.test('a limit above the ceiling of the server is told', async (t) => {
  const log = new AwaitedLog()
  const fastify = Fastify({ logger: { level: 'warn', stream: log } })
  t.teardown(() => fastify.close())
  const { default: websocket } = await import('@fastify/websocket')
  await fastify.register(websocket, { options: { maxPayload: 1000 } })
  await fastify.register(svcRealtime)
  await fastify.ready()
  t.match(log.lines, [{ level: 40, code: 'SVC_REALTIME_PAYLOAD' }])
})
