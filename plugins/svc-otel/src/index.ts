/**
 * svc-otel: traces and metrics by the API of OpenTelemetry, from the diagnostics channels of svc. The SDK, its exporter and
 * its sampler belong to the application; without an SDK nothing is subscribed, and nothing is traced.
 *
 * Decorates  nothing
 * Hooks      onResponse, onRequestAbort: end the span of a request; onError: its error; onReady: begins; onClose: ends
 * Needs      @opentelemetry/api (svc-kernel is added when absent)
 */
import { type TracingChannel, tracingChannel } from 'node:diagnostics_channel'
import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify'
import { definePlugin, ensureKernel, errorBody, readOptions } from 'svc-kernel'
import { serverHooks } from 'svc-kernel/plugin'
import { type OtelConfig, optionsSchema, type SvcOtelOptions } from './options.ts'
import { hasSdk, openTracing, type ProcessTracing } from './process-tracing.ts'
import { settingsSlot } from './request-spans.ts'

const plugin: FastifyPluginAsync<SvcOtelOptions> = async (fastify, given) => {
  const server = serverHooks(fastify, { name: 'svc-otel', code: 'SVC_OTEL_NOT_ROOT' })
  await ensureKernel(fastify)
  const config = readOptions<OtelConfig>('svc-otel', optionsSchema, given)
  const log = fastify.log.child({ plugin: 'svc-otel' })
  let tracing: ProcessTracing | null = null
  let endUpgrades = (): void => undefined
  endRequests(server, () => tracing)
  fastify.decorate(settingsSlot, config)
  fastify.addHook('onReady', async () => {
    if (!hasSdk()) {
      log.info('no OpenTelemetry SDK is registered: nothing is traced')
      return
    }
    tracing = openTracing(config.metrics, log)
    endUpgrades = endUpgradesOf(tracing)
  })
  fastify.addHook('onClose', async () => {
    endUpgrades()
    tracing?.release()
    tracing = null
  })
}

function endRequests(server: FastifyInstance, current: () => ProcessTracing | null): void {
  const codes = new WeakMap<FastifyRequest, string>()
  server.addHook('onError', (request, _reply, error, done) => {
    if (current() !== null) codes.set(request, errorBody(error, false).code)
    done()
  })
  server.addHook('onResponse', (request, reply, done) => {
    const tracing = current()
    if (tracing !== null) {
      const code = codes.get(request) ?? null
      tracing.requests.end(request, { status: reply.statusCode, code })
      tracing.durations?.answered(request, reply, code)
    }
    done()
  })
  server.addHook('onRequestAbort', (request, done) => {
    current()?.requests.abort(request)
    done()
  })
}

/** A request that became a WebSocket has no response: it ends when its handler has the socket. */
function endUpgradesOf({ requests }: ProcessTracing): () => void {
  const handlers: TracingChannel<unknown, { request?: FastifyRequest & { ws?: boolean } }> =
    tracingChannel('fastify.request.handler')
  const end = ({ request }: { request?: FastifyRequest & { ws?: boolean } }): void => {
    if (request?.ws === true) requests.end(request, { status: 101, code: null })
  }
  handlers.end.subscribe(end as never)
  return () => void handlers.end.unsubscribe(end as never)
}

const svcOtel: FastifyPluginAsync<SvcOtelOptions> = definePlugin(plugin, { name: 'svc-otel', optionsSchema })

export default svcOtel

export type { SvcOtelOptions } from './options.ts'
