/**
 * svc-stores: where drivers and the plugins that keep records meet. Contracts of
 * eight bricks, a memory store of each, and the choice between drivers.
 *
 * Decorates  fastify.stores
 * Hooks      none
 * Needs      nothing (svc-kernel is added when absent)
 */
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { appHost, definePlugin, ensureKernel, readOptions, systemClock } from 'svc-kernel'
import { optionsSchema, type SvcStoresOptions, type SvcStoresParts } from './options.ts'
import { Stores } from './selection/stores.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Present when svc-stores is registered. */
    stores: Stores
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
  fastify.addHook('onReady', async () => stores.checkReady())
}

const svcStores: FastifyPluginAsync<SvcStoresOptions & { parts?: SvcStoresParts }> = definePlugin(storage, {
  name: 'svc-stores',
  optionsSchema
})

/**
 * Registers svc-stores unless this instance has it already. Every plugin that keeps records calls it first.
 *
 * @param parts for the case that it was absent
 */
export async function ensureStores(fastify: FastifyInstance, parts: SvcStoresParts = {}): Promise<void> {
  if (!fastify.hasDecorator('stores')) await fastify.register(svcStores, { parts })
}

export default svcStores

export type * from './contracts/audit-store.ts'
export { BRICKS, type Brick, missingOperations, type StoreOf } from './contracts/bricks.ts'
export type * from './contracts/idempotency-store.ts'
export type * from './contracts/passkeys-store.ts'
export type * from './contracts/session-store.ts'
export type * from './contracts/tokens-store.ts'
export type * from './contracts/totp-store.ts'
export type * from './contracts/user-store.ts'
export type * from './contracts/webhooks-store.ts'
export * from './errors.ts'
export { AUDIT_MEMORY, AuditMemory } from './memory/audit-memory.ts'
export { MemoryAuditStore } from './memory/audit-store.ts'
export { MemoryIdempotencyStore } from './memory/idempotency-store.ts'
export { memoryStores } from './memory/memory-stores.ts'
export { MemoryPasskeysStore } from './memory/passkeys-store.ts'
export { RingBuffer } from './memory/ring-buffer.ts'
export { MemorySessionStore } from './memory/session-store.ts'
export { MemoryTokensStore } from './memory/tokens-store.ts'
export { MemoryTotpStore } from './memory/totp-store.ts'
export { MemoryUserStore } from './memory/user-store.ts'
export { MemoryWebhooksStore } from './memory/webhooks-store.ts'
export { type SvcStoresOptions, type SvcStoresParts, storeOption } from './options.ts'
export { compareText, compareValues } from './paging/compare-values.ts'
export { type CursorPosition, decodeCursor, encodeCursor } from './paging/cursor.ts'
export type { Direction, Page, PageQuery, SortKey } from './paging/page.ts'
export { type FilterType, filterTypes, readFilter } from './paging/read-filter.ts'
export { type CompletePage, checkInteger, readPage } from './paging/read-page.ts'
export { type SortFields, type SortFieldsOf, sortFields } from './paging/sort-fields.ts'
export { auditCutoff } from './records/audit-cutoff.ts'
export { copyJson } from './records/copy-json.ts'
export type { Json, JsonArray, JsonObject } from './records/json.ts'
export { newRecords } from './records/new-records.ts'
export { type AnyShape, type RecordShape, type RecordShapes, recordShapes } from './records/record-shapes.ts'
export { isSessionExpired } from './records/session-expiry.ts'
export { checkText, storablePatch, storableRecord } from './records/storable-record.ts'
export { chooseStore, type SelectionFacts, type SelectionVerdict } from './selection/choose-store.ts'
export { inMemory, type StoreDefinition, type StoreParts } from './selection/store-definition.ts'
export {
  type ReadyStores,
  type StoreFactory,
  type StoreSelection,
  Stores,
  type StoresSetting
} from './selection/stores.ts'
