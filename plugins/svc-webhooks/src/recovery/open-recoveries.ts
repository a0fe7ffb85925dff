/** Opens the recoveries, where there is a history that says what was delivered, and ties them to the application's life. */
import type { FastifyInstance } from 'fastify'
import type { Clock } from 'svc-kernel'
import type { Dispatcher } from '../delivery/dispatcher.ts'
import type { LastingHistory } from '../history/lasting-history.ts'
import type { WebhooksConfig } from '../options.ts'
import { Recoveries } from './recoveries.ts'
import { recoveryStore } from './recovery-store.ts'

export interface OpenRecoveriesParts {
  readonly config: Pick<WebhooksConfig, 'store'>
  readonly clock: Clock
  readonly lasting: LastingHistory | null
  readonly dispatcher: Dispatcher
}

export function openRecoveries(fastify: FastifyInstance, parts: OpenRecoveriesParts): Recoveries | null {
  const { config, clock, lasting, dispatcher } = parts
  if (lasting === null) return null
  const { driver, store } = fastify.stores.select(recoveryStore, config.store)
  if (store === null) return null
  const recoveries = new Recoveries({
    store,
    shared: driver !== 'memory',
    clock,
    log: fastify.log.child({ plugin: 'svc-webhooks' }),
    history: lasting,
    // svc-audit may be registered later than this plugin.
    journal: {
      list: async (_, filter, page) => {
        // What was recorded before the recovery began may still be on its way to the store.
        if (page.cursor === undefined) await fastify.audit.flushed()
        return (await fastify.audit.list?.(filter, page)) ?? NOTHING
      }
    },
    send: (endpointId, event, messageId) => dispatcher.replay(endpointId, event, messageId)
  })
  fastify.addHook('onReady', async () => recoveries.start())
  fastify.addHook('preClose', async () => recoveries.close())
  return recoveries
}

const NOTHING = { items: [], nextCursor: null }
