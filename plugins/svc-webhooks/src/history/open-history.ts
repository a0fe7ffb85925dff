/** Opens the history that lasts, where the options ask for one, and ties it to the application's life. */
import type { FastifyInstance } from 'fastify'
import type { Clock } from 'svc-kernel'
import type { WebhooksConfig } from '../options.ts'
import { type HistoryStore, historyStore } from './history-store.ts'
import { LastingHistory } from './lasting-history.ts'

export interface HistoryParts {
  readonly config: WebhooksConfig
  readonly clock: Clock
  /** A ready store of the application's own. */
  readonly ready: HistoryStore | undefined
}

/** @returns `null` where each instance remembers the last deliveries alone */
export function openHistory(fastify: FastifyInstance, { config, clock, ready }: HistoryParts): LastingHistory | null {
  if (config.history === undefined) return null
  const { store } = fastify.stores.select(historyStore, config.store, ready)
  if (store === null) return null
  const log = fastify.log.child({ plugin: 'svc-webhooks' })
  const history = new LastingHistory({ store, clock, log, ...config.history })
  fastify.addHook('onReady', async () => history.start())
  // Hooks of closing run backwards: what this one waits for is written after the last delivery has ended.
  fastify.addHook('onClose', async () => history.close())
  return history
}
