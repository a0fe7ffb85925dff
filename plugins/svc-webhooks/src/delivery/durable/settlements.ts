/** What became of deliveries, on its way into the durable queue: many outcomes in one write. What could not be written is written later. */
import type { Clock } from 'svc-kernel'
import type { Retry, Settlement } from './durable-queue.ts'

/** How long an outcome waits for others, ms: that much more is sent twice when the process is killed. */
const GATHERED_MS = 10
/** Where a write takes long, outcomes wait for so many times as long: most of the time is left for sending. */
const GATHERED_WRITES = 4
const LONGEST_GATHERED_MS = 50
const BATCH = 100
const RETRY_MS = 1_000

export interface SettlementParts {
  readonly clock: Clock
  readonly write: (settlement: Settlement) => Promise<void>
  readonly onWritten: (settlement: Settlement) => void
  readonly onFailed: (error: unknown) => void
}

export class Settlements {
  readonly #parts: SettlementParts
  #ended: string[] = []
  #retried: Retry[] = []
  #released: string[] = []
  #gatheredMs = GATHERED_MS
  #timer: unknown = null
  #writing: Promise<void> | null = null

  constructor(parts: SettlementParts) {
    this.#parts = parts
  }

  ended(id: string): void {
    this.#ended.push(id)
    this.#soon()
  }

  retried(retry: Retry): void {
    this.#retried.push(retry)
    this.#soon()
  }

  released(id: string): void {
    this.#released.push(id)
    this.#soon()
  }

  /** Writes what waits. @throws what the write throws */
  async flush(): Promise<void> {
    await this.#writing
    this.#stopTimer()
    if (this.#size > 0) await this.#write()
  }

  get #size(): number {
    return this.#ended.length + this.#retried.length + this.#released.length
  }

  #soon(): void {
    if (this.#writing !== null) return
    if (this.#size >= BATCH) this.#begin()
    else this.#timer ??= this.#parts.clock.setTimeout(() => this.#begin(), this.#gatheredMs)
  }

  #begin(): void {
    this.#stopTimer()
    this.#writing ??= this.#write()
      .then(
        () => 0,
        (error: unknown) => {
          this.#parts.onFailed(error)
          return RETRY_MS
        }
      )
      .then((pause) => {
        this.#writing = null
        if (this.#size === 0) return
        if (pause === 0) this.#soon()
        else this.#timer ??= this.#parts.clock.setTimeout(() => this.#begin(), pause)
      })
  }

  async #write(): Promise<void> {
    const settlement = { ended: this.#ended, retried: this.#retried, released: this.#released }
    this.#ended = []
    this.#retried = []
    this.#released = []
    const { clock, write } = this.#parts
    const began = clock.now()
    try {
      await write(settlement)
    } catch (error) {
      this.#ended.unshift(...settlement.ended)
      this.#retried.unshift(...settlement.retried)
      this.#released.unshift(...settlement.released)
      throw error
    }
    const wanted = (clock.now() - began) * GATHERED_WRITES
    this.#gatheredMs = Math.min(Math.max(wanted, GATHERED_MS), LONGEST_GATHERED_MS)
    this.#parts.onWritten(settlement)
  }

  #stopTimer(): void {
    if (this.#timer !== null) this.#parts.clock.clearTimeout(this.#timer)
    this.#timer = null
  }
}
