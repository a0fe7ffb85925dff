/** Sweeps what is over out of a store, again and again, until it is stopped. Its timer keeps no process alive. */
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from 'svc-kernel'
import { isAnnounced, readableError } from 'svc-kernel/plugin'

export interface PurgeParts {
  /** What is swept, for the log. */
  readonly name: string
  readonly intervalS: number
  /** Of the line that says that a sweep failed. */
  readonly code?: string | undefined
  /** A sweep of several statements ends between them once its signal is aborted. @returns how many records went */
  readonly sweep: (signal: AbortSignal) => Promise<number>
  readonly clock: Clock
  readonly log: FastifyBaseLogger
}

export class PeriodicPurge {
  readonly #parts: PurgeParts
  #timer: unknown = null
  readonly #stopped = new AbortController()
  #sweeping: Promise<void> | null = null

  constructor(parts: PurgeParts) {
    this.#parts = parts
  }

  start(): void {
    const { clock, intervalS } = this.#parts
    this.#timer = clock.setTimeout(() => {
      this.#sweeping = this.#sweep()
    }, intervalS * 1000)
  }

  /** Waits for a sweep that runs, since the database closes after it. */
  async stop(): Promise<void> {
    this.#parts.clock.clearTimeout(this.#timer)
    this.#timer = null
    this.#stopped.abort()
    await this.#sweeping
  }

  async #sweep(): Promise<void> {
    const { name, sweep, log, code } = this.#parts
    try {
      const count = await sweep(this.#stopped.signal)
      if (count > 0) log.debug({ count }, `expired ${name} were removed`)
    } catch (error) {
      log[isAnnounced(error) ? 'debug' : 'error'](
        { error: readableError(error), ...(code !== undefined && { code }) },
        `expired ${name} could not be removed`
      )
    }
    // Stopped meanwhile: no new timer.
    if (this.#timer !== null) this.start()
  }
}
