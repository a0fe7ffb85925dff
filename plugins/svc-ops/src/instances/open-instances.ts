/** Switches presence on: heartbeats run while the application listens. */
import { hostname } from 'node:os'
import type { FastifyInstance } from 'fastify'
import type { Clock } from 'svc-kernel'
import type { StoreSelection } from 'svc-stores'
import type { InstancesConfig } from '../options.ts'
import type { RequestRates } from '../system/request-rates.ts'
import type { SystemHistory } from '../system/system-history.ts'
import type { InstanceName } from '../system/system-view.ts'
import { instancesRoutes } from './instances.routes.ts'
import { type InstancesStore, instancesStore } from './instances-store.ts'
import { Presence } from './presence.ts'

const RECENT_MINUTES = 5

export interface InstancesSetting {
  readonly config: InstancesConfig
  readonly ready: InstancesStore | undefined
  readonly rates: RequestRates
  readonly history: SystemHistory
  readonly clock: Clock
}

export function openInstances(
  fastify: FastifyInstance,
  { config, ready, rates, history, clock }: InstancesSetting
): InstanceName {
  const selected = selectedStore(fastify, config.store, ready)
  const figures = () => {
    const { count, failures, p95 } = rates.total(clock.now(), RECENT_MINUTES)
    const { eventLoop, memory, queues } = history.latest()
    const waiting = queues.reduce((sum, { depth }) => sum + depth, 0)
    return { requests: count, failures, p95Ms: p95, busy: eventLoop.utilization, rss: memory.rss, waiting }
  }
  const name = config.name ?? hostname()
  const presence = new Presence({
    store: () => selected().store,
    name,
    clock,
    log: fastify.log.child({ plugin: 'svc-ops' }),
    figures,
    leaving: () => fastify.healthChecks.leaving
  })
  // An application that serves nothing, as one that is tested by `inject` or runs a command, is no instance.
  fastify.addHook('onListen', async () => presence.start())
  // Before the database closes, wherever its driver stands.
  fastify.addHook('preClose', () => presence.leave())
  instancesRoutes(fastify, presence, () => ![null, 'memory'].includes(selected().driver))
  return { id: presence.id, name }
}

/** The application is not ready yet, or has no stores at all. */
const NOTHING: StoreSelection<InstancesStore> = { store: null, driver: null }

/**
 * svc-stores and the drivers may be registered after svc-ops: stores that exist are asked now, the others when
 * the application is ready, which is before a driver that came later opens its database.
 */
function selectedStore(
  fastify: FastifyInstance,
  configured: string,
  ready: InstancesStore | undefined
): () => StoreSelection<InstancesStore> {
  const select = () => fastify.stores.selectLater(instancesStore, configured, ready)
  const known = fastify.hasDecorator('stores') ? select() : null
  let selection = NOTHING
  fastify.addHook('onReady', async () => {
    if (known !== null) selection = known()
    else if (fastify.hasDecorator('stores')) selection = select()()
  })
  return () => selection
}
