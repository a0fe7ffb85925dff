/** `GET /svc/ops/metrics`, in the text form of Prometheus, behind a guard that travels with the route. */
import type { FastifyInstance, FastifyRequest, preHandlerHookHandler, preParsingHookHandler } from 'fastify'
import type { Registry } from 'prom-client'
import { guardHooks, type Requirement } from 'svc-kernel'
import { routeSecurity, strictQuery } from 'svc-kernel/plugin'
import { text } from 'svc-kernel/schemas'
import type { MetricsConfig } from '../options.ts'

/** Of the text form of Prometheus. */
const TEXT = 'text/plain'

export const METRICS_PATH = '/svc/ops/metrics'

export function metricsRoutes(
  fastify: FastifyInstance,
  registry: Registry,
  { requirement: attribute, openToLoopback }: Pick<MetricsConfig, 'requirement' | 'openToLoopback'>
): void {
  const requirement: Requirement = [[{ attribute }]]
  const guard = guardHooks(requirement)
  const svc = routeSecurity('svc.ops.metrics', { requirement, ...(openToLoopback ? { unproven: isLocal } : {}) })
  fastify.get(
    METRICS_PATH,
    {
      ...(openToLoopback ? unlessLocal(guard) : guard),
      preValidation: strictQuery([]),
      schema: { response: { 200: { description: 'Metrics in text form', content: { [TEXT]: { schema: text } } } } },
      config: { svc }
    },
    async (_request, reply) => {
      reply.header('cache-control', 'no-store').type(registry.contentType)
      return registry.metrics()
    }
  )
}

/** The guard, but for programs of the same machine. */
function unlessLocal(guard: ReturnType<typeof guardHooks>): ReturnType<typeof guardHooks> {
  const preParsing: preParsingHookHandler = function decideUnlessLocal(request, reply, payload, done) {
    if (isLocal(request)) done(null, payload)
    else return guard.preParsing.call(this, request, reply, payload, done)
  }
  const preHandler: preHandlerHookHandler = function enforceUnlessLocal(request, reply, done) {
    if (isLocal(request)) done()
    else return guard.preHandler.call(this, request, reply, done)
  }
  return { preParsing, preHandler }
}

function isLocal({ raw, headers }: FastifyRequest): boolean {
  return fromLoopback({ remoteAddress: raw.socket.remoteAddress, headers })
}

export interface Origin {
  /** Of the socket, not of any header. */
  readonly remoteAddress: string | undefined
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

const LOOPBACK = /^(?:::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}$|^::1$/

/** With or without a port. */
const LOCAL_HOST = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(?::\d{1,5})?$/i

const OF_PROXIES = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via']

/**
 * Whether a request comes from a program of the same machine. A proxy there speaks for the whole network and says so in
 * its headers; a browser there may be led by a foreign page, which shows in the host of its request. Neither counts.
 */
export function fromLoopback({ remoteAddress = '', headers }: Origin): boolean {
  if (!LOOPBACK.test(remoteAddress) || OF_PROXIES.some((name) => headers[name] !== undefined)) return false
  return typeof headers.host === 'string' && LOCAL_HOST.test(headers.host)
}
