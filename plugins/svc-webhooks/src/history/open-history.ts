/** Opens the history that lasts, where the options ask for one, and ties it to the application's life. */
import type { FastifyInstance } from 'fastify'
import type { Clock } from 'svc-kernel'
import { HISTORY_BOUNDS, type WebhooksConfig } from '../options.ts'
import { type HistoryStore, historyStore } from './history-store.ts'
import { LastingHistory } from './lasting-history.ts'

export interface HistoryParts {
  readonly config: WebhooksConfig
  /** Deliveries outlive the process: their history does as well, where a database can keep it. */
  readonly durable: boolean
  readonly clock: Clock
  /** A ready store of the application's own. */
  readonly ready: HistoryStore | undefined
}

/** @returns `null` where each instance remembers the last deliveries alone */
export function openHistory(fastify: FastifyInstance, parts: HistoryParts): LastingHistory | null {
  const { config, clock, durable, ready } = parts
  if (config.history === undefined && !durable) return null
  const { driver, store } = fastify.stores.select(historyStore, config.store, ready)
  if (store === null || (config.history === undefined && driver === 'memory')) return null
  const log = fastify.log.child({ plugin: 'svc-webhooks' })
  const history = new LastingHistory({ store, clock, log, ...(config.history ?? HISTORY_BOUNDS) })
  history.sweptBy(fastify.maintenance, { name: 'webhook-history', store: historyStore.brick })
  // Hooks of closing run backwards: what this one waits for is written after the last delivery has ended.
  fastify.addHook('onClose', async () => history.close())
  return history
}
