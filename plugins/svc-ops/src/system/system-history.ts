/** How the process fared within the last hour: a sample every half a minute, the oldest of which gives way. */
import { type EventLoopUtilization, performance } from 'node:perf_hooks'
import type { Clock } from 'svc-kernel'
import { LoopDelay } from '../metrics/loop-delay.ts'

export const SAMPLE_MS = 30_000
export const SAMPLES = 120

export interface QueueDepth {
  readonly name: string
  readonly depth: number
}

export interface SystemSample {
  /** Epoch ms, when it ended. */
  readonly at: number
  /** Since the sample before. */
  readonly eventLoop: {
    readonly p50Ms: number
    readonly p99Ms: number
    readonly maxMs: number
    /** The part of the time that it was busy, 0 to 1. */
    readonly utilization: number
  }
  /** Bytes. */
  readonly memory: { readonly rss: number; readonly heapUsed: number }
  readonly queues: readonly QueueDepth[]
}

export class SystemHistory {
  readonly #clock: Clock
  readonly #queues: () => readonly QueueDepth[]
  readonly #delay = new LoopDelay()
  readonly #samples: SystemSample[] = []
  #busy: EventLoopUtilization = performance.eventLoopUtilization()
  #timer: unknown

  constructor(clock: Clock, queues: () => readonly QueueDepth[]) {
    this.#clock = clock
    this.#queues = queues
    this.#wait()
  }

  close(): void {
    this.#clock.clearTimeout(this.#timer)
    this.#delay.close()
  }

  /** Oldest first; the last is still under way. */
  read(): readonly SystemSample[] {
    return [...this.#samples, this.#sample()]
  }

  /** The last whole sample; of a young process the one that is under way. */
  latest(): SystemSample {
    return this.#samples.at(-1) ?? this.#sample()
  }

  #wait(): void {
    this.#timer = this.#clock.setTimeout(() => {
      this.#samples.push(this.#sample())
      if (this.#samples.length > SAMPLES) this.#samples.shift()
      this.#delay.reset()
      this.#busy = performance.eventLoopUtilization()
      this.#wait()
    }, SAMPLE_MS)
  }

  #sample(): SystemSample {
    const { rss, heapUsed } = process.memoryUsage()
    return {
      at: this.#clock.now(),
      eventLoop: {
        p50Ms: this.#delay.percentile(50),
        p99Ms: this.#delay.percentile(99),
        maxMs: this.#delay.max(),
        utilization: performance.eventLoopUtilization(this.#busy).utilization
      },
      memory: { rss, heapUsed },
      queues: this.#queues()
    }
  }
}
