/**
 * svc-limits: rate limits of routes, of messages and of an application's own work. A limit is declared on a route
 * (`config.limits`) or a controller method (`@RateLimit`), and counted by the generic cell rate algorithm.
 *
 * Decorates  fastify.limits
 * Hooks      none of its own; a limited route has those of svc-kernel. onReady: reads the limits of all routes, and
 *            starts the purge; onClose: stops it
 * Needs      nothing (svc-kernel and svc-stores are added when absent)
 */
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { BootError, definePlugin, ensureKernel, type Problem, readOptions, systemClock } from 'svc-kernel'
import { ensureStores } from 'svc-stores'
import { OpenSockets } from './enforcement/open-sockets.ts'
import { RouteLimits } from './enforcement/route-limits.ts'
import { isProblem, readLimit } from './limit/limit.ts'
import { Limiter } from './limiter/limiter.ts'
import { Limits } from './limiter/limits.ts'
import { limitRoutes } from './limits.routes.ts'
import { type LimitsConfig, optionsSchema, type SvcLimitsOptions, type SvcLimitsParts } from './options.ts'
import type { LimitsStore } from './storage/limits-store.ts'
import { MemoryLimitsStore } from './storage/memory-limits-store.ts'
import { RedisLimitsStore } from './storage/redis-limits-store.ts'
import { limitsStore } from './storage/table-limits-store.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Present if svc-limits is registered. */
    limits: Limits
  }
}

const PURGE_INTERVAL_S = 600

const rateLimits: FastifyPluginAsync<SvcLimitsOptions & { parts?: SvcLimitsParts }> = async (fastify, given) => {
  await ensureKernel(fastify)
  const options = readOptions<LimitsConfig>('svc-limits', optionsSchema, given)
  const { clock = systemClock, redis, stores = {} } = given.parts ?? {}
  await ensureStores(fastify, { clock })
  const log = fastify.log.child({ plugin: 'svc-limits' })
  const ready = stores.limits ?? (redis === undefined ? undefined : new RedisLimitsStore(redis))
  const { store, driver } = openStore(fastify, options.store, ready)
  const limiter = new Limiter({ store, clock, log })
  const limits = new Limits(limiter)
  const problems = addConfigured(limits, options)
  if (problems.length > 0) throw new BootError(problems)
  const sockets = new OpenSockets(options.sockets.perAddress, clock)
  const routeLimits = new RouteLimits({ fastify, limits, limiter, clock, onOutage: options.onOutage, sockets })
  fastify.decorate('limits', limits)
  fastify.limitGate.use(routeLimits)
  fastify.addHook('onReady', async () => {
    const problems = routeLimits.add(fastify.limitGate.operations)
    if (problems.length > 0) throw new BootError(problems)
  })
  const purge = { everyS: PURGE_INTERVAL_S, clock } as const
  const forget = async () => {
    limiter.forget()
    return 0
  }
  fastify.maintenance.declare({ ...purge, name: 'rate-limits-of-process', work: forget })
  fastify.maintenance.declare({ ...purge, name: 'rate-limits', store: limitsStore.brick, work: () => store.purge() })
  limitRoutes(fastify, { limits, routeLimits, store, driver })

  /** Where the brick is disabled, which the log has said, memory counts: a route is never unlimited. */
  function openStore(fastify: FastifyInstance, configured: string, ready: LimitsStore | undefined) {
    const { store, driver } = fastify.stores.select(limitsStore, configured, ready)
    return { store: store ?? new MemoryLimitsStore(clock), driver: driver ?? 'memory' }
  }
}

function addConfigured(limits: Limits, { limits: configured, onOutage }: LimitsConfig): Problem[] {
  return Object.entries(configured).flatMap(([name, terms]) => {
    const at = `svc-limits.limits.${name}`
    const limit = readLimit(name, terms, { label: at, at }, onOutage)
    if (isProblem(limit)) return [limit]
    limits.add(limit)
    return []
  })
}

export default definePlugin(rateLimits, {
  name: 'svc-limits',
  optionsSchema,
  after: ['svc-stores', 'svc-docdb', 'svc-sqlorm', 'svc-audit']
})

export type { Limit } from './limit/limit.ts'
export type { Rate } from './limit/rate.ts'
export type { LimitAnswer, Limits } from './limiter/limits.ts'
export type { SvcLimitsOptions, SvcLimitsParts } from './options.ts'
