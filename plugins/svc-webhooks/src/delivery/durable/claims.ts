/** Takes what is due from the durable queue, one claim at a time, while there is room for it here. */
import type { DurableQueue, HeldDelivery } from './durable-queue.ts'

const CLAIMED_AT_ONCE = 100

export interface ClaimParts {
  /** Places, of all endpoints. */
  readonly places: () => number
  /** Places of one endpoint. */
  readonly room: (endpointId: string) => number
  /** It may hold something. */
  readonly alive: () => boolean
  readonly claim: (limit: number, room: (endpointId: string) => number) => ReturnType<DurableQueue['claim']>
  /** Called after every claim, also after one that failed. */
  readonly onClaimed: (found: readonly HeldDelivery[]) => void
  readonly onFailed: (error: unknown) => void
}

export class Claims {
  readonly #parts: ClaimParts
  /** Endpoints that had no room when the queue had something for them. */
  readonly #full = new Set<string>()
  #isMore = false
  #claiming: Promise<void> | null = null
  #stopped = false

  constructor(parts: ClaimParts) {
    this.#parts = parts
  }

  /** The queue may have more that is due. */
  get isMore(): boolean {
    return this.#isMore
  }

  expectMore(): void {
    this.#isMore = true
  }

  /** An endpoint has a place again. */
  left(endpointId: string): void {
    if (this.#full.delete(endpointId)) this.#isMore = true
  }

  take(): Promise<void> {
    if (this.#stopped || !this.#parts.alive()) return Promise.resolve()
    this.#claiming ??= this.#take().finally(() => {
      this.#claiming = null
    })
    return this.#claiming
  }

  /** The queue may have more by now. */
  takeMore(): Promise<void> {
    this.#isMore = true
    return this.take()
  }

  stop(): void {
    this.#stopped = true
  }

  /** Resolves when no claim is under way. */
  async over(): Promise<void> {
    await this.#claiming
  }

  async #take(): Promise<void> {
    const { places, room, claim, onClaimed, onFailed } = this.#parts
    const limit = Math.min(CLAIMED_AT_ONCE, places())
    this.#isMore = false
    if (limit <= 0) return
    let found: readonly HeldDelivery[] = []
    try {
      found = await claim(limit, (endpointId) => {
        const own = room(endpointId)
        if (own <= 0) this.#full.add(endpointId)
        return own
      })
    } catch (error) {
      onFailed(error)
    }
    this.#isMore ||= found.length > 0
    onClaimed(found)
  }
}
