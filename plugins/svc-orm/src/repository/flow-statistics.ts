/**
 * Counts the operations of one connector: totals, the last latencies and the
 * last slow operations, in rings of fixed size. No clock inside; times are handed in.
 */
import { RingBuffer } from 'svc-stores/plugin'

export interface Operation {
  readonly entity: string
  /** `find`, `create`, ... */
  readonly operation: string
  readonly ms: number
  /** Epoch ms at its end. */
  readonly ts: number
}

/** In milliseconds; zeros where nothing was measured yet. */
export interface Latency {
  readonly min: number
  readonly avg: number
  readonly max: number
  readonly samples: number
}

export interface ConnectorFlow {
  readonly total: number
  readonly avgMs: number
  readonly lastMs: number
  readonly maxMs: number
  readonly slowTotal: number
  /** The last ones, newest first. Never values: entity and operation only. */
  readonly slow: readonly Operation[]
}

export interface FlowSettings {
  /** `false`: `record` does nothing. */
  readonly enabled: boolean
  /** From here on an operation is slow. */
  readonly slowMs: number
}

const LATENCIES = 256
const SLOW_KEPT = 50

export class FlowStatistics {
  readonly settings: FlowSettings
  readonly #latencies = new Float64Array(LATENCIES)
  readonly #slow = new RingBuffer<Operation>(SLOW_KEPT)
  #total = 0
  #sumMs = 0
  #lastMs = 0
  #maxMs = 0
  #slowTotal = 0

  constructor(settings: FlowSettings) {
    this.settings = settings
  }

  /** @param clock epoch ms, asked only when the operation was slow */
  record(entity: string, operation: string, ms: number, clock: { now(): number }): void {
    if (!this.settings.enabled) return
    this.#latencies[this.#total % LATENCIES] = ms
    this.#total += 1
    this.#sumMs += ms
    this.#lastMs = ms
    if (ms > this.#maxMs) this.#maxMs = ms
    if (ms < this.settings.slowMs) return
    this.#slow.push({ entity, operation, ms, ts: clock.now() })
    this.#slowTotal += 1
  }

  view(): ConnectorFlow {
    return {
      total: this.#total,
      avgMs: this.#total === 0 ? 0 : this.#sumMs / this.#total,
      lastMs: this.#lastMs,
      maxMs: this.#maxMs,
      slowTotal: this.#slowTotal,
      slow: [...this.#slow.newest()]
    }
  }

  /** Of the last 256 operations. */
  latency(): Latency {
    const samples = Math.min(this.#total, LATENCIES)
    if (samples === 0) return { min: 0, avg: 0, max: 0, samples: 0 }
    const measured = this.#latencies.subarray(0, samples)
    const sum = measured.reduce((total, ms) => total + ms, 0)
    return { min: Math.min(...measured), avg: sum / samples, max: Math.max(...measured), samples }
  }
}
