/**
 * svc-stores: connects drivers with the plugins that keep records. It has the storage port, the memory engine, and the
 * choice of a database for each store.
 *
 * Decorates  fastify.stores, .maintenance
 * Hooks      onReady: checks the ready stores, ends the declarations of maintenance tasks
 * Needs      nothing (svc-kernel is added when absent)
 */
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { appHost, definePlugin, ensureKernel, readOptions, systemClock } from 'svc-kernel'
import { Maintenance } from './maintenance/maintenance.ts'
import { optionsSchema, type SvcStoresOptions, type SvcStoresParts } from './options.ts'
import { Stores } from './selection/stores.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Present if svc-stores is registered. */
    stores: Stores
    /** Present if svc-stores is registered. */
    maintenance: Maintenance
  }
}

const storage: FastifyPluginAsync<SvcStoresOptions & { parts?: SvcStoresParts }> = async (fastify, given) => {
  await ensureKernel(fastify)
  const options = readOptions<SvcStoresOptions>('svc-stores', optionsSchema, given)
  const { clock = systemClock, stores: ready = {} } = given.parts ?? {}
  const log = fastify.log.child({ plugin: 'svc-stores' })
  const { mode } = appHost(fastify)
  const { healthChecks } = fastify
  const primary = options.primary ?? null
  const stores = new Stores({ log, mode, parts: { clock }, ready, primary, healthChecks })
  fastify.decorate('stores', stores)
  const maintenance = new Maintenance(fastify)
  fastify.decorate('maintenance', maintenance)
  fastify.addHook('onReady', async () => {
    maintenance.start()
    stores.checkReady()
  })
}

const svcStores: FastifyPluginAsync<SvcStoresOptions & { parts?: SvcStoresParts }> = definePlugin(storage, {
  name: 'svc-stores',
  optionsSchema
})

/**
 * Registers svc-stores unless this instance has it. Every plugin that keeps records calls it first.
 *
 * @param parts used only if it was absent
 */
export async function ensureStores(fastify: FastifyInstance, parts: SvcStoresParts = {}): Promise<void> {
  if (!fastify.hasDecorator('stores')) await fastify.register(svcStores, { parts })
}

export default svcStores

export * from './errors.ts'
export type { Maintenance } from './maintenance/maintenance.ts'
export type { MaintenanceTask } from './maintenance/maintenance-task.ts'
export type { SvcStoresOptions, SvcStoresParts } from './options.ts'
export type { Direction, Page, PageQuery, SortKey } from './paging/page.ts'
export type { Json, JsonArray, JsonObject } from './records/record-values.ts'
export { inMemory, type StoreDefinition, type StoreParts } from './selection/store-definition.ts'
export { type ReadyStores, type StoreFactory, type StoreSelection, Stores } from './selection/stores.ts'
