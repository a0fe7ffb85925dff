/** The way to the store of endpoints: a store that fails is told to the log alone, and answers 503. */
import type { FastifyBaseLogger } from 'fastify'
import type { WebhooksStore } from 'svc-stores'
import { WebhooksUnavailable } from '../errors.ts'

export class StoreDoor {
  readonly #store: WebhooksStore
  readonly #log: FastifyBaseLogger

  constructor(store: WebhooksStore, log: FastifyBaseLogger) {
    this.#store = store
    this.#log = log
  }

  /**
   * Asks the store. A mistake of the caller keeps its status.
   *
   * @throws WebhooksUnavailable (503) for anything else that the store throws
   */
  async ask<Answer>(work: (store: WebhooksStore) => Promise<Answer>): Promise<Answer> {
    try {
      return await work(this.#store)
    } catch (error) {
      const { statusCode } = (error ?? {}) as { statusCode?: unknown }
      if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) throw error
      this.#log.error({ code: 'SVC_WEBHOOKS_STORE', err: error }, 'the store of webhook endpoints failed')
      throw new WebhooksUnavailable('the webhook endpoints cannot be reached at the moment')
    }
  }
}
