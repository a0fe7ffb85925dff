/** The store of endpoints within a deadline, and as administrators reach it: its failures logged, and answered with 503. */
import type { FastifyBaseLogger } from 'fastify'
import { type Clock, isAnnounced, withTimeout } from 'svc-kernel'
import { StoreTimeout, WebhooksUnavailable } from '../errors.ts'
import { type WebhooksStore, webhooksStore } from './endpoint-store.ts'

const DEADLINE_MS = 10_000

type Call = () => Promise<unknown> | undefined

/** The store with every call of it made by `around`. */
function wrapped(store: WebhooksStore, around: (call: Call) => Promise<unknown>): WebhooksStore {
  const operations = store as unknown as Readonly<Record<string, (...given: unknown[]) => Promise<unknown>>>
  const wrap = (name: string) => [name, (...given: unknown[]) => around(() => operations[name]?.(...given))]
  return Object.fromEntries(webhooksStore.operations.map(wrap)) as unknown as WebhooksStore
}

/** The store with a deadline for every call. @throws StoreTimeout, or what the store throws */
export function timedStore(store: WebhooksStore, clock: Clock, ms: number): WebhooksStore {
  return wrapped(store, (call) => withTimeout(ms, clock, call, () => new StoreTimeout(String(ms))))
}

/** A mistake of the caller keeps its status; anything else that the store throws becomes WebhooksUnavailable (503). */
export function guardedStore(store: WebhooksStore, clock: Clock, log: FastifyBaseLogger): WebhooksStore {
  return wrapped(timedStore(store, clock, DEADLINE_MS), async (call) => {
    try {
      return await call()
    } catch (error) {
      const { statusCode } = (error ?? {}) as { statusCode?: unknown }
      if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) throw error
      logStoreFailure(log, error, 'the store of webhook endpoints failed')
      throw new WebhooksUnavailable('the webhook endpoints cannot be reached at the moment')
    }
  })
}

/** At ERROR, unless the log has the outage already. @param endpoint id of the one that was asked for */
export function logStoreFailure(log: FastifyBaseLogger, error: unknown, text: string, endpoint?: string): void {
  const fields = { code: 'SVC_WEBHOOKS_STORE', err: error, ...(endpoint === undefined ? {} : { endpoint }) }
  log[isAnnounced(error) ? 'debug' : 'error'](fields, text)
}
