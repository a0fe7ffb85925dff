/**
 * The way to the store of endpoints for administrators: a store that fails, or does not answer,
 * is told to the log alone, and answers 503.
 */
import type { FastifyBaseLogger } from 'fastify'
import { type Clock, isAnnounced } from 'svc-kernel'
import type { WebhooksStore } from 'svc-stores'
import { within } from '../deadline/within.ts'
import { WebhooksUnavailable } from '../errors.ts'

const PATIENCE_MS = 10_000

export interface StoreDoorParts {
  readonly store: WebhooksStore
  readonly clock: Clock
  readonly log: FastifyBaseLogger
}

export class StoreDoor {
  readonly #parts: StoreDoorParts

  constructor(parts: StoreDoorParts) {
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
      return await within(PATIENCE_MS, clock, () => work(store))
    } catch (error) {
      const { statusCode } = (error ?? {}) as { statusCode?: unknown }
      if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) throw error
      const fields = { code: 'SVC_WEBHOOKS_STORE', err: error }
      log[isAnnounced(error) ? 'debug' : 'error'](fields, 'the store of webhook endpoints failed')
      throw new WebhooksUnavailable('the webhook endpoints cannot be reached at the moment')
    }
  }
}
