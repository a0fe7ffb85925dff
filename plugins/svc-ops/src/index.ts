/**
 * svc-ops: operations. Health routes for load balancers, Prometheus metrics in a registry of the application, and for
 * administrators rates, state, recent requests and the log level.
 *
 * Decorates  fastify.ops
 * Hooks      onResponse: counts requests; onError: the id of a failed call; one per phase if requests are recorded;
 *            onListen, preClose: heartbeats of this instance begin and end; onClose: stops its timers
 * Needs      nothing (svc-kernel is added when absent); without svc-security the metrics answer 403
 */
import type { FastifyPluginAsync } from 'fastify'
import { Registry } from 'prom-client'
import { definePlugin, ensureKernel, type HealthCheck, readOptions, systemClock } from 'svc-kernel'
import { DuplicateCheck } from './errors.ts'
import { healthRoutes } from './health/health.routes.ts'
import { Readiness } from './health/readiness.ts'
import { openInstances } from './instances/open-instances.ts'
import { httpMetrics } from './metrics/http-metrics.ts'
import { jobMetrics } from './metrics/job-metrics.ts'
import { metricsRoutes } from './metrics/metrics.routes.ts'
import { processMetrics } from './metrics/process-metrics.ts'
import { stateMetrics } from './metrics/state-metrics.ts'
import { webhookMetrics } from './metrics/webhook-metrics.ts'
import { type OpsConfig, optionsSchema, type SvcOpsOptions, type SvcOpsParts } from './options.ts'
import { openRequests } from './requests/open-requests.ts'
import { requestsRoutes } from './requests/requests.routes.ts'
import { RequestRates } from './system/request-rates.ts'
import { systemRoutes } from './system/system.routes.ts'
import { SystemHistory } from './system/system-history.ts'
import { type InstanceName, queuesOf, SystemView } from './system/system-view.ts'

/** `fastify.ops`: metrics and health checks of your own. */
export interface Ops {
  /** Add your own metrics here: `new Counter({ ..., registers: [fastify.ops.registry] })`. */
  readonly registry: Registry
  /** Adds your own health check; it resolves if all is well. @throws DuplicateCheck for a name that is taken */
  addCheck(name: string, check: HealthCheck): void
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Present if svc-ops is registered. */
    ops: Ops
  }
}

const plugin: FastifyPluginAsync<SvcOpsOptions & { parts?: SvcOpsParts }> = async (fastify, given) => {
  await ensureKernel(fastify)
  const { health, instances, metrics, requests, system } = readOptions<OpsConfig>('svc-ops', optionsSchema, given)
  const { clock = systemClock, stores = {} } = given.parts ?? {}
  const log = fastify.log.child({ plugin: 'svc-ops' })
  const registry = new Registry()
  const checks = fastify.healthChecks
  const ends: Array<() => void> = []
  let instance: InstanceName | null = null

  const ops: Ops = Object.freeze({
    registry,
    addCheck: (name: string, check: HealthCheck) => {
      if (!checks.add(name, check)) throw new DuplicateCheck(name)
    }
  })
  fastify.decorate('ops', ops)
  const readiness = new Readiness({ checks, config: health, clock, log })
  if (health.enabled) healthRoutes(fastify, readiness)
  if (metrics.enabled) {
    if (metrics.state) stateMetrics(registry, readiness, () => queuesOf(fastify))
    if (metrics.process) ends.push(processMetrics(registry))
    if (metrics.http) httpMetrics(fastify, registry)
    if (metrics.webhooks) ends.push(webhookMetrics(registry, fastify.server))
    if (metrics.jobs) ends.push(jobMetrics(fastify, registry, clock))
    metricsRoutes(fastify, registry, metrics)
  }
  if (system.enabled) {
    const history = new SystemHistory(clock, () => queuesOf(fastify))
    ends.push(() => history.close())
    const rates = new RequestRates(clock.now())
    if (instances.enabled) {
      instance = openInstances(fastify, { config: instances, ready: stores.instances, rates, history, clock })
    }
    const view = new SystemView(fastify, { readiness, history, instance })
    systemRoutes(fastify, { rates, history, view, clock })
  }
  const recorded = openRequests(fastify, requests)
  ends.push(recorded.end)
  requestsRoutes(fastify, recorded.log, instance?.name ?? null)
  fastify.addHook('onClose', async () => {
    for (const end of ends) end()
  })
}

const svcOps: FastifyPluginAsync<SvcOpsOptions & { parts?: SvcOpsParts }> = definePlugin(plugin, {
  name: 'svc-ops',
  optionsSchema,
  after: ['svc-stores', 'svc-docdb', 'svc-sqlorm', 'svc-security']
})

export default svcOps

export type { HealthCheck } from 'svc-kernel'
export * from './errors.ts'
export {
  type InstanceFigures,
  type InstanceRecord,
  type InstancesStore,
  instancesStore
} from './instances/instances-store.ts'
export { WEBHOOK_CHANNELS } from './metrics/delivery-channels.ts'
export type { SvcOpsOptions, SvcOpsParts } from './options.ts'
