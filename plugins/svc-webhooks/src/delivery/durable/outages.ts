/**
 * Endpoints that fail for a while, as this instance sees them. When one takes a delivery again, what waits for it is due at
 * once: nobody waits ten hours for a receiver that is back. A shorter outage needs nothing, and a single message that is
 * refused between others that are taken is no outage: it keeps its schedule.
 */
import type { Clock } from 'svc-kernel'
import type { DurableQueue } from './durable-queue.ts'

/** Without a delivery for so long, ms. */
const OUTAGE_MS = 60_000
const HASTENED_AT_ONCE = 1_000

/** Endpoints that never come back are not kept for ever: the oldest makes room. */
const MAX_KNOWN = 10_000

export interface OutageParts {
  readonly clock: Clock
  readonly hasten: DurableQueue['hasten']
  /** More is due. */
  readonly onHastened: () => void
  readonly onFailed: (error: unknown) => void
}

export class Outages {
  readonly #parts: OutageParts
  /** Since when an endpoint fails, epoch ms; `null`: it took the last one. */
  readonly #since = new Map<string, number | null>()
  #hastening: Promise<void> = Promise.resolve()
  #stopped = false

  constructor(parts: OutageParts) {
    this.#parts = parts
  }

  /** An attempt has failed that may be made again. */
  failed(endpointId: string): void {
    this.#learn(endpointId, this.#since.get(endpointId) ?? this.#parts.clock.now())
  }

  /** @param attempts that it took; more than one is an outage where this instance knows nothing of the endpoint */
  delivered(endpointId: string, attempts: number): void {
    const since = this.#since.get(endpointId)
    this.#learn(endpointId, null)
    const isOver = since === undefined ? attempts > 1 : since !== null && this.#parts.clock.now() - since >= OUTAGE_MS
    if (isOver) this.#hastening = this.#hastening.then(() => this.#hasten(endpointId, since ?? 0))
  }

  forget(endpointId: string): void {
    this.#since.delete(endpointId)
  }

  /** Begins nothing any more. Resolves when nothing is under way. */
  stop(): Promise<void> {
    this.#stopped = true
    return this.#hastening
  }

  /** Some at a time, and no more once it fails again. */
  async #hasten(endpointId: string, since: number): Promise<void> {
    const { hasten, onHastened, onFailed } = this.#parts
    try {
      for (let isMore = true; isMore && !this.#stopped && this.#since.get(endpointId) === null; ) {
        const hastened = await hasten(endpointId, HASTENED_AT_ONCE)
        isMore = hastened === HASTENED_AT_ONCE
        if (hastened > 0) onHastened()
      }
    } catch (error) {
      // The next delivery tries again.
      this.#learn(endpointId, since)
      onFailed(error)
    }
  }

  #learn(endpointId: string, since: number | null): void {
    this.#since.set(endpointId, since)
    const [oldest = ''] = this.#since.keys()
    if (this.#since.size > MAX_KNOWN) this.#since.delete(oldest)
  }
}
