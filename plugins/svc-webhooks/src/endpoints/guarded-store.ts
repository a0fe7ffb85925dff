/** The store of endpoints as administrators reach it: within a deadline, its failures in the log and answered with 503. */
import type { FastifyBaseLogger } from 'fastify'
import { type Clock, isAnnounced } from 'svc-kernel'
import { WebhooksUnavailable, WebhookUnknown } from '../errors.ts'
import { withTimeout } from '../with-timeout.ts'
import type { WebhookPatch, WebhookRecord, WebhooksStore } from './endpoint-store.ts'

const DEADLINE_MS = 10_000

export interface GuardedStoreParts {
  readonly store: WebhooksStore
  readonly clock: Clock
  readonly log: FastifyBaseLogger
}

export class GuardedStore {
  readonly #parts: GuardedStoreParts

  constructor(parts: GuardedStoreParts) {
    this.#parts = parts
  }

  /**
   * Asks the store. A mistake of the caller keeps its status.
   *
   * @throws WebhooksUnavailable (503) for anything else that the store throws
   */
  async ask<Answer>(work: (store: WebhooksStore) => Promise<Answer>): Promise<Answer> {
    const { store, clock, log } = this.#parts
    try {
      return await withTimeout(DEADLINE_MS, clock, () => work(store))
    } catch (error) {
      const { statusCode } = (error ?? {}) as { statusCode?: unknown }
      if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) throw error
      logStoreFailure(log, error, 'the store of webhook endpoints failed')
      throw new WebhooksUnavailable('the webhook endpoints cannot be reached at the moment')
    }
  }

  /** @throws WebhookUnknown (404), WebhooksUnavailable (503) */
  async find(id: string): Promise<WebhookRecord> {
    return known(await this.ask((store) => store.find(id)))
  }

  /** @throws WebhookUnknown (404), WebhooksUnavailable (503) */
  async update(id: string, patch: WebhookPatch): Promise<WebhookRecord> {
    return known(await this.ask((store) => store.update(id, patch)))
  }

  /** @throws WebhookUnknown (404), WebhooksUnavailable (503) */
  async delete(id: string): Promise<void> {
    if (!(await this.ask((store) => store.delete(id)))) throw new WebhookUnknown()
  }
}

function known(record: WebhookRecord | null): WebhookRecord {
  if (record === null) throw new WebhookUnknown()
  return record
}

/** At ERROR, unless the log has the outage already. @param endpoint id of the one that was asked for */
export function logStoreFailure(log: FastifyBaseLogger, error: unknown, text: string, endpoint?: string): void {
  const fields = { code: 'SVC_WEBHOOKS_STORE', err: error, ...(endpoint === undefined ? {} : { endpoint }) }
  log[isAnnounced(error) ? 'debug' : 'error'](fields, text)
}
