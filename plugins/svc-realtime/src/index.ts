/**
 * svc-realtime: guarded channels, and requests to routes, over one WebSocket that speaks JSON-RPC 2.0. Both pass the
 * same access gate as HTTP requests.
 *
 * Decorates  fastify.realtime
 * Hooks      onRequest: recognises requests over the socket; onRoute: adds the idempotency gate to routes that accept
 *            them
 * Needs      nothing (svc-kernel and @fastify/websocket are added when absent); without svc-security guarded channels
 *            refuse everyone
 */
import type {} from '@fastify/websocket'
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { ensureWebSocket } from 'svc-decorators'
import {
  appHost,
  BootError,
  type Clock,
  decoratorOf,
  definePlugin,
  ensureKernel,
  readOptions,
  systemClock,
  warnAtBoot
} from 'svc-kernel'
import { serverHooks } from 'svc-kernel/plugin'
import { MemoryAdapter, type RealtimeAdapter } from './adapters/adapter.ts'
import { RedisAdapter } from './adapters/redis-adapter.ts'
import { denialReporter, publishAlerts } from './audit-journal.ts'
import { ChannelGate, ChannelLocks, channelProblems } from './channels/channel-locks.ts'
import { describeChannels } from './channels/describe-channels.ts'
import { Hub } from './channels/hub.ts'
import type { Connection } from './connection/connection.ts'
import { CLOSE_BYTES } from './connection/outbox.ts'
import { apiRequest } from './invoke/api-request.ts'
import { gateRoute, meetInvocation } from './invoke/invocation.hook.ts'
import { askLocksAgain, channelMethods } from './methods/channel-methods.ts'
import type { Method, Peer } from './methods/method.ts'
import { optionsSchema, type RealtimeConfig, type SvcRealtimeOptions, type SvcRealtimeParts } from './options.ts'
import { realtimeRoute } from './realtime.routes.ts'
import { Realtime } from './realtime.ts'

declare module 'fastify' {
  interface FastifyInstance {
    realtime: Realtime
  }
  interface FastifyContextConfig {
    /** True if sockets may call the route with `api.request`. */
    realtime?: boolean
  }
}

const MORE = 'npx svc docs realtime'

const plugin: FastifyPluginAsync<SvcRealtimeOptions & { parts?: SvcRealtimeParts }> = async (fastify, given) => {
  const server = serverHooks(fastify, { name: 'svc-realtime', code: 'SVC_REALTIME_NOT_ROOT' })
  refuseLateRegistration(fastify)
  await ensureKernel(fastify)
  const config = readOptions<RealtimeConfig>('svc-realtime', optionsSchema, given)
  const problems = channelProblems(config.channels)
  if (problems.length > 0) throw new BootError(problems)
  const { clock = systemClock, adapter = adapterOf(fastify, config) } = given.parts ?? {}
  if (adapter.check !== undefined) fastify.healthChecks.add(`realtime ${adapter.name}`, () => adapter.check?.())
  await ensureWebSocket(fastify, config.limits.maxPayload, false)

  const hub = new Hub()
  const connections = new Set<Connection>()
  const realtime = new Realtime({ hub, adapter, connections })
  const reportDenial = denialReporter(fastify)
  const locks = new ChannelLocks(config.channels)
  const gate = new ChannelGate(fastify, locks)
  const { limits, requestTimeoutMs: timeoutMs } = config
  const publish = (channel: string, data: unknown) => realtime.publish(channel, data)
  const methods = new Map<string, Method>([
    ['api.request', apiRequest(fastify, { clock, timeoutMs, maxBytes: CLOSE_BYTES })],
    ...Object.entries(channelMethods({ gate, hub, reportDenial, maxChannels: limits.maxChannels, publish }))
  ])

  fastify.decorate('realtime', realtime)
  server.addHook('onRequest', meetInvocation)
  fastify.addHook('onRoute', gateRoute)
  const asked = { gate, hub, reportDenial }
  const askAgain = (peer: Peer) => askLocksAgain(asked, peer)
  realtimeRoute(fastify, config.path, {
    methods,
    hub,
    reportDenial,
    limits,
    clock,
    connections,
    askLocksAgain: askAgain
  })
  fastify.apiDescriptions.push({ channels: describeChannels(config.path, locks) })
  publishAlerts(fastify, realtime)
  let stopSweep: (() => void) | null = null
  fastify.addHook('onReady', async () => {
    reportSettings(fastify, config)
    if (appHost(fastify).checkOnly) return
    stopSweep = sweepConnections(connections, clock, config.recheckS * 1000)
    await adapter.start((channel, data) => realtime.receive(channel, data))
  })
  fastify.addHook('onClose', async () => {
    if (stopSweep === null) return
    stopSweep()
    await adapter.stop()
  })
}

function adapterOf(fastify: FastifyInstance, { redis }: RealtimeConfig): RealtimeAdapter {
  if (redis === undefined) return new MemoryAdapter()
  return new RedisAdapter({ ...redis, log: fastify.log.child({ plugin: 'svc-realtime' }) })
}

/**
 * Refuses a late registration: routes declared before would refuse every change over the socket. In an application
 * with a config, the order of modules reports this.
 */
function refuseLateRegistration(fastify: FastifyInstance): void {
  if (!fastify.hasPlugin('svc-decorators')) return
  throw new BootError([
    {
      code: 'SVC_REALTIME_LATE',
      message: 'svc-realtime is registered after svc-decorators: its routes would refuse changes over the socket',
      at: 'svc-realtime',
      got: 'after svc-decorators',
      expected: 'before svc-decorators',
      fix: 'register svc-realtime before svc-decorators',
      more: MORE
    }
  ])
}

function reportSettings(fastify: FastifyInstance, { limits: { maxPayload } }: RealtimeConfig): void {
  const ceiling = fastify.websocketServer.options.maxPayload
  if (ceiling !== undefined && ceiling > 0 && ceiling < maxPayload) {
    warnAtBoot(fastify, {
      code: 'SVC_REALTIME_PAYLOAD',
      message: `the WebSocket server refuses frames over ${ceiling} bytes before svc-realtime reads them`,
      at: 'svc-realtime.limits.maxPayload',
      got: String(maxPayload),
      expected: `${ceiling} at most`,
      fix: 'raise websocket.maxPayload of svc-decorators, or lower this limit',
      more: MORE
    })
  }
  if (!fastify.accessGate.ready) {
    fastify.log.info(
      'svc-security is not registered: channels with requires refuse everyone, and guarded routes answer 403'
    )
  }
  if (decoratorOf(fastify, 'gates') === null) {
    fastify.log.info('no idempotency gate is registered: requests over the socket can only read')
  }
}

/**
 * Checks open sockets regularly, with one timer for all: a socket that only listens sends nothing that would trigger a
 * check of its identity, and a vanished peer closes nothing. @returns a function that stops it
 */
function sweepConnections(connections: Iterable<Connection>, clock: Clock, everyMs: number): () => void {
  let timer: unknown
  const schedule = (): void => {
    timer = clock.setTimeout(() => {
      for (const connection of connections) connection.lookAfter()
      schedule()
    }, everyMs)
  }
  schedule()
  return () => clock.clearTimeout(timer)
}

const svcRealtime: FastifyPluginAsync<SvcRealtimeOptions & { parts?: SvcRealtimeParts }> = definePlugin(plugin, {
  name: 'svc-realtime',
  optionsSchema,
  after: ['svc-security', 'svc-audit']
})

export default svcRealtime

export type { RealtimeAdapter } from './adapters/adapter.ts'
export { ALERT_CHANNEL } from './audit-journal.ts'
export type { ClauseOption } from './channels/channel-locks.ts'
export * from './errors.ts'
export type { CallResult } from './invoke/call.ts'
export { CloseCode, RpcCode } from './json-rpc.ts'
export type { ChannelOption, RealtimeLimits, SvcRealtimeOptions, SvcRealtimeParts } from './options.ts'
export type { Realtime, RealtimeStatus } from './realtime.ts'
