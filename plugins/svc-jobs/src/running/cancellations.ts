/** Aborts attempts whose job was cancelled, also by another instance: the records of what runs are looked at once a second. */
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from 'svc-kernel'
import type { JobStore } from '../records/job-store.ts'
import type { JobRunner } from './job-runner.ts'

const LOOK_MS = 1_000

export interface CancellationParts {
  readonly store: Pick<JobStore, 'load'>
  readonly runner: Pick<JobRunner, 'running' | 'abort'>
  readonly clock: Clock
  readonly log: FastifyBaseLogger
}

export class Cancellations {
  readonly #parts: CancellationParts
  #timer: unknown = null
  #stopped = false

  constructor(parts: CancellationParts) {
    this.#parts = parts
  }

  start(): void {
    if (this.#stopped) return
    this.#timer = this.#parts.clock.setTimeout(() => void this.#look(), LOOK_MS)
  }

  stop(): void {
    this.#stopped = true
    if (this.#timer !== null) this.#parts.clock.clearTimeout(this.#timer)
  }

  abort(id: string): void {
    this.#parts.runner.abort(id, new Error('the job was cancelled'))
  }

  async #look(): Promise<void> {
    const { store, runner, log } = this.#parts
    try {
      const { running } = runner
      const jobs = running.length === 0 ? [] : await store.load(running)
      for (const { id, state } of jobs) if (state === 'cancelled') this.abort(id)
    } catch (error) {
      log.debug({ err: error, code: 'SVC_JOBS_STORE' }, 'cancelled jobs could not be looked for')
    }
    this.start()
  }
}
