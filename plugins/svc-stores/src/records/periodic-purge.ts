/** Sweeps what is over out of a store, again and again, until it is stopped. Its timer keeps no process alive. */
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Clock } from 'svc-kernel'
import { isAnnounced, readableError } from 'svc-kernel/plugin'

export interface PurgeParts {
  /** What is swept, for the log. */
  readonly name: string
  readonly intervalS: number
  /** @returns how many records went */
  readonly sweep: () => Promise<number>
  readonly clock: Clock
  readonly log: FastifyBaseLogger
}

export class PeriodicPurge {
  readonly #parts: PurgeParts
  #timer: unknown = null

  constructor(parts: PurgeParts) {
    this.#parts = parts
  }

  start(): void {
    const { clock, intervalS } = this.#parts
    this.#timer = clock.setTimeout(() => void this.#sweep(), intervalS * 1000)
  }

  stop(): void {
    this.#parts.clock.clearTimeout(this.#timer)
    this.#timer = null
  }

  async #sweep(): Promise<void> {
    const { name, sweep, log } = this.#parts
    try {
      const count = await sweep()
      if (count > 0) log.debug({ count }, `expired ${name} were removed`)
    } catch (error) {
      log[isAnnounced(error) ? 'debug' : 'error'](
        { error: readableError(error) },
        `expired ${name} could not be removed`
      )
    }
    // Stopped meanwhile: no new timer.
    if (this.#timer !== null) this.start()
  }
}

/** Sweeps while the application runs. */
export function runPurge(fastify: FastifyInstance, parts: Omit<PurgeParts, 'log'>): void {
  const purge = new PeriodicPurge({ ...parts, log: fastify.log })
  fastify.addHook('onReady', async () => purge.start())
  fastify.addHook('onClose', async () => purge.stop())
}
