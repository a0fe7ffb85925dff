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
  /** The statement that took most of its time, without values; absent if none was slow or known. */
  readonly statement?: string
}

/** Times in milliseconds; 0 before the first operation. */
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
  /** The last slow operations, newest first, without values. */
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

/** The statement that an operation mostly waited for. @param endedAt time of the process, ms */
export type StatementOf = (entity: string, ms: number, endedAt: number) => string | undefined

export class FlowStatistics {
  readonly settings: FlowSettings
  readonly #statementOf: StatementOf
  readonly #latencies = new Float64Array(LATENCIES)
  readonly #slow = new RingBuffer<Operation>(SLOW_KEPT)
  #total = 0
  #sumMs = 0
  #lastMs = 0
  #maxMs = 0
  #slowTotal = 0

  /** @param statementOf asked only when an operation was slow */
  constructor(settings: FlowSettings, statementOf: StatementOf = () => undefined) {
    this.settings = settings
    this.#statementOf = statementOf
  }

  /** @param clock epoch ms, asked only when the operation was slow @param endedAt time of the process, ms */
  record(
    entity: string,
    operation: string,
    ms: number,
    clock: { now(): number },
    endedAt: number = performance.now()
  ): void {
    if (!this.settings.enabled) return
    this.#latencies[this.#total % LATENCIES] = ms
    this.#total += 1
    this.#sumMs += ms
    this.#lastMs = ms
    if (ms > this.#maxMs) this.#maxMs = ms
    if (ms < this.settings.slowMs) return
    const statement = this.#statementOf(entity, ms, endedAt)
    this.#slow.push({ entity, operation, ms, ts: clock.now(), ...(statement !== undefined && { statement }) })
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
