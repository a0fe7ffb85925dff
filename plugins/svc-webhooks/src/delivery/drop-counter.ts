/** What found no room: counted per endpoint, and logged when a burst begins and when it is over, not per delivery. */
import type { FastifyBaseLogger } from 'fastify'

/** Endpoints deleted on another instance are not forgotten here: the one counted first makes room. */
const MAX_ENDPOINTS = 10_000

export class DropCounter {
  /** Of all endpoints. */
  total = 0
  readonly #log: FastifyBaseLogger
  readonly #byEndpoint = new Map<string, number>()
  /** Of the current burst. */
  #unlogged = 0

  constructor(log: FastifyBaseLogger) {
    this.#log = log
  }

  of(endpointId: string): number {
    return this.#byEndpoint.get(endpointId) ?? 0
  }

  count(endpointId: string): void {
    if (this.#unlogged === 0) {
      const fields = { code: 'SVC_WEBHOOKS_DROPPED', endpoint: endpointId }
      this.#log.error(fields, 'the queue of webhook deliveries is full: deliveries are dropped')
    }
    this.#unlogged += 1
    this.total += 1
    this.#byEndpoint.set(endpointId, this.of(endpointId) + 1)
    const [first = ''] = this.#byEndpoint.keys()
    if (this.#byEndpoint.size > MAX_ENDPOINTS) this.#byEndpoint.delete(first)
  }

  /** There is plenty of room again. */
  over(): void {
    if (this.#unlogged === 0) return
    const fields = { code: 'SVC_WEBHOOKS_DROPPED', dropped: this.#unlogged, total: this.total }
    this.#log.warn(fields, `${this.#unlogged} webhook deliveries were dropped`)
    this.#unlogged = 0
  }

  forget(endpointId: string): void {
    this.#byEndpoint.delete(endpointId)
  }
}
