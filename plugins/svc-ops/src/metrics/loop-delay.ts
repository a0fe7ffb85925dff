/** How late the event loop runs what is due. Node measures the time between two rings of a timer: its pace is taken off. */
import { monitorEventLoopDelay } from 'node:perf_hooks'

const PACE_MS = 20
const NANO_PER_MS = 1e6

export class LoopDelay {
  readonly #intervals = monitorEventLoopDelay({ resolution: PACE_MS })

  constructor() {
    this.#intervals.enable()
  }

  /** Milliseconds since the last reset; 0 before the first ring. @param part in percent */
  percentile(part: number): number {
    return this.#late(this.#intervals.percentile(part))
  }

  /** Milliseconds, as `percentile`. */
  max(): number {
    return this.#late(this.#intervals.max)
  }

  reset(): void {
    this.#intervals.reset()
  }

  close(): void {
    this.#intervals.disable()
  }

  #late(interval: number): number {
    return this.#intervals.count === 0 ? 0 : Math.max(0, interval / NANO_PER_MS - PACE_MS)
  }
}
