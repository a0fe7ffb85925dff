/**
 * Durations of requests. The route is its template, never the path that was asked for, so that
 * the number of series does not grow with what callers send.
 */
import type { FastifyInstance } from 'fastify'
import { Histogram, type Registry } from 'prom-client'
import { routeConfigReader } from 'svc-kernel/plugin'

const BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** The label of every path that no route answers. */
const UNMATCHED = '(unmatched)'

/** Adds an `onResponse` hook to the whole application. */
export function httpMetrics(fastify: FastifyInstance, registry: Registry): void {
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'From the first byte of a request to the last of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS,
    registers: [registry]
  })
  const configOf = routeConfigReader()
  fastify.addHook('onResponse', (request, reply, done) => {
    const route = configOf(request).url ?? UNMATCHED
    durations.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
    done()
  })
}
