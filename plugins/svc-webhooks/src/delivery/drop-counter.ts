/**
 * What found no room: counted per endpoint, and logged when a burst begins and
 * when it is over, not once per delivery.
 */
import type { FastifyBaseLogger } from 'fastify'

/** Endpoints deleted on another instance are not forgotten here: the one counted first makes room. */
const MAX_ENDPOINTS = 10_000

export class DropCounter {
  readonly #log: FastifyBaseLogger
  readonly #byEndpoint = new Map<string, number>()
  #total = 0
  /** Of the current burst. */
  #unlogged = 0

  constructor(log: FastifyBaseLogger) {
    this.#log = log
  }

  get total(): number {
    return this.#total
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
    this.#total += 1
    const before = this.#byEndpoint.get(endpointId)
    if (before === undefined && this.#byEndpoint.size === MAX_ENDPOINTS) this.#forgetFirst()
    this.#byEndpoint.set(endpointId, (before ?? 0) + 1)
  }

  /** There is plenty of room again. */
  over(): void {
    if (this.#unlogged === 0) return
    const fields = { code: 'SVC_WEBHOOKS_DROPPED', dropped: this.#unlogged, total: this.#total }
    this.#log.warn(fields, `${this.#unlogged} webhook deliveries were dropped`)
    this.#unlogged = 0
  }

  forget(endpointId: string): void {
    this.#byEndpoint.delete(endpointId)
  }

  #forgetFirst(): void {
    const [first] = this.#byEndpoint.keys()
    if (first !== undefined) this.#byEndpoint.delete(first)
  }
}
