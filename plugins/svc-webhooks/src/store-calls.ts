/** Calls of stores: each has a deadline, and a store that fails is logged, and answered with 503 where a caller waits for it. */
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from 'svc-kernel'
import { isAnnounced, withTimeout } from 'svc-kernel/plugin'
import { StoreTimeout, WebhooksUnavailable } from './errors.ts'

/** @throws StoreTimeout, or what the call throws */
export function inTime<Value>(clock: Clock, call: () => Promise<Value>, ms = 10_000): Promise<Value> {
  return withTimeout(ms, clock, call, () => new StoreTimeout(String(ms)))
}

/**
 * A mistake of the caller keeps its status; anything else that the store throws becomes WebhooksUnavailable (503).
 *
 * @param failed text of the log line @param away text of the error
 */
export async function askStore<Value>(
  { clock, log }: { readonly clock: Clock; readonly log: FastifyBaseLogger },
  call: () => Promise<Value>,
  [failed, away]: readonly [failed: string, away: string]
): Promise<Value> {
  try {
    return await inTime(clock, call)
  } catch (error) {
    const { statusCode } = (error ?? {}) as { statusCode?: unknown }
    if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) throw error
    logStoreFailure(log, error, failed)
    throw new WebhooksUnavailable(away)
  }
}

/** At ERROR, unless the log has the outage already. @param endpoint id of the one that was asked for */
export function logStoreFailure(log: FastifyBaseLogger, error: unknown, text: string, endpoint?: string): void {
  const fields = { code: 'SVC_WEBHOOKS_STORE', err: error, ...(endpoint === undefined ? {} : { endpoint }) }
  log[isAnnounced(error) ? 'debug' : 'error'](fields, text)
}
