/**
 * How a served application ends. A signal: readiness says 503 at once, requests are served on for `drainDelayMs` with the
 * word that their connections end, and WebSockets are asked to leave one after the other; then nothing more is taken and
 * what runs is finished within `graceMs`. An error that nothing handles: the same without the delay, with exit code 1. A
 * second signal ends the process at once.
 */
import type { FastifyInstance } from 'fastify'
import { endConnections } from '../server/end-connections.ts'

export interface StopTimes {
  /** How long requests are served on after the signal, in milliseconds. */
  readonly drainDelayMs: number
  /** How long closing may take after that, in milliseconds. */
  readonly graceMs: number
}

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGUSR2'] as const

export class GracefulStop {
  readonly #fastify: FastifyInstance
  readonly #times: StopTimes
  #exitCode: 0 | 1 = 0
  #isStopping = false
  #endDelay: () => void = () => undefined

  constructor(fastify: FastifyInstance, times: StopTimes) {
    this.#fastify = fastify
    this.#times = times
  }

  onSignals(): void {
    for (const signal of SIGNALS) process.on(signal, () => this.#signalled(signal))
  }

  /** The process ends with 1 as soon as what runs is finished. Again, or while it stops: only the code changes. */
  fail(): void {
    this.#exitCode = 1
    if (this.#isStopping) this.#endDelay()
    else void this.#stop(0)
  }

  #signalled(signal: string): void {
    const { log } = this.#fastify
    if (this.#isStopping) {
      log.error(`second ${signal}: exiting`)
      process.exit(1)
    }
    void this.#stop(this.#times.drainDelayMs)
  }

  async #stop(delayMs: number): Promise<void> {
    const fastify = this.#fastify
    this.#isStopping = true
    try {
      if (fastify.hasDecorator('healthChecks')) fastify.healthChecks.leave()
      if (delayMs > 0) await this.#drain(delayMs)
      this.#bound()
      await fastify.close()
    } catch (error) {
      fastify.log.error(error)
      this.#exitCode = 1
    }
    process.exit(this.#exitCode)
  }

  async #drain(delayMs: number): Promise<void> {
    const fastify = this.#fastify
    const { log } = fastify
    log.info(`stopping: the server answers requests for another ${delayMs} ms`)
    endConnections(fastify)
    if (fastify.hasDecorator('connectionDrain')) fastify.connectionDrain.begin(delayMs)
    await new Promise<void>((resolve) => {
      this.#endDelay = resolve
      setTimeout(resolve, delayMs)
    })
  }

  #bound(): void {
    const { graceMs } = this.#times
    setTimeout(() => {
      this.#fastify.log.error(`killed by timeout (${graceMs}ms)`)
      process.exit(1)
    }, graceMs)
  }
}
