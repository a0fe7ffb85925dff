/**
 * svc-audit: an audit journal. It records events from a fixed catalogue, keeps them in a store, and lists them for
 * administrators. Recording is synchronous and never waits.
 *
 * Decorates  fastify.audit
 * Hooks      onSend, with durability strict: an answer waits until its events are stored
 *            onClose: writes the waiting events
 * Needs      nothing (svc-kernel and svc-stores are added when absent)
 */
import type { FastifyPluginAsync } from 'fastify'
import { definePlugin, ensureKernel, inProduction, readOptions, systemClock } from 'svc-kernel'
import { serverHooks } from 'svc-kernel/plugin'
import { ensureStores } from 'svc-stores'
import { auditCatalogueRoute, auditEventRoutes, auditEventsRoutes } from './audit-events.routes.ts'
import { storedBeforeAnswer } from './journal/durability.ts'
import { Journal } from './journal/journal.ts'
import { StoreWriter } from './journal/store-writer.ts'
import { type AuditConfig, optionsSchema, type SvcAuditOptions, type SvcAuditParts } from './options.ts'
import { AuditMemory } from './storage/audit-memory.ts'
import { auditStore } from './storage/audit-store.ts'
import { MemoryAuditStore } from './storage/memory-audit-store.ts'

/** How often events that are older than the retention are removed. */
const RETENTION_S = 3_600
const STRICT_MEMORY = "audit.durability is 'strict', but events are kept in memory: a restart loses them"

const audit: FastifyPluginAsync<SvcAuditOptions & { parts?: SvcAuditParts }> = async (fastify, given) => {
  await ensureKernel(fastify)
  const options = readOptions<AuditConfig>('svc-audit', optionsSchema, given)
  const { clock = systemClock, stores = {} } = given.parts ?? {}
  await ensureStores(fastify, { clock })
  const log = fastify.log.child({ plugin: 'svc-audit' })
  const { store } = fastify.stores.select(
    { ...auditStore, inMemory: (memory) => new MemoryAuditStore(memory) },
    options.store,
    stores.audit
  )

  // The memory store shares its events with the journal; a durable store is written in the background.
  const shared = store instanceof MemoryAuditStore
  const events = shared ? store.events : new AuditMemory()
  const writer = store === null || shared ? null : new StoreWriter({ store, clock, log })

  const verbose = !inProduction(fastify)
  const strict = options.durability === 'strict'
  const journal = new Journal({ log, clock, events, writer, store, verbose, strict })
  fastify.decorate('audit', journal)
  if (writer !== null) fastify.queueDepths.add('audit', () => writer.size)
  if (strict) {
    const scope = { name: 'svc-audit', code: 'SVC_AUDIT_NOT_ROOT' }
    serverHooks(fastify, scope).addHook('onSend', storedBeforeAnswer(journal))
    if (writer === null) log.warn({ code: 'SVC_AUDIT_STRICT_MEMORY' }, STRICT_MEMORY)
  }
  fastify.addHook('onClose', async () => {
    journal.settle()
    await writer?.close()
  })
  const { retentionDays: days } = options
  if (store !== null && days > 0) {
    const work = async () => {
      const removed = await store.purge(days)
      if (removed > 0) log.info({ removed, days }, 'old audit events were removed')
      return removed
    }
    const { brick } = auditStore
    const code = 'SVC_AUDIT_STORE'
    fastify.maintenance.declare({ name: 'audit-events', store: brick, everyS: RETENTION_S, clock, code, work })
  }
  auditEventsRoutes(fastify, store)
  auditEventRoutes(fastify, store)
  auditCatalogueRoute(fastify)
}

const svcAudit: FastifyPluginAsync<SvcAuditOptions & { parts?: SvcAuditParts }> = definePlugin(audit, {
  name: 'svc-audit',
  optionsSchema,
  after: ['svc-stores', 'svc-docdb', 'svc-sqlorm']
})

export default svcAudit

export {
  ACTIONS,
  type AuditAction,
  type AuditCategory,
  CATALOGUE,
  CATEGORIES,
  type CatalogueEntry
} from './catalogue.ts'
export * from './errors.ts'
export { AUDIT_CHANNEL, Journal, type JournalParts } from './journal/journal.ts'
export type { AuditListener, SubscribeOptions } from './journal/listeners.ts'
export type { SvcAuditOptions, SvcAuditParts } from './options.ts'
export { AuditMemory } from './storage/audit-memory.ts'
export {
  type AuditFilter,
  type AuditPage,
  type AuditPageQuery,
  type AuditStore,
  auditStore
} from './storage/audit-store.ts'
