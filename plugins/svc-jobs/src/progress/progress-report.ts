/** What an attempt says of how far it has come: stored at once, and then once a second at most; the last one counts. */
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from 'svc-kernel'
import { InvalidProgress } from '../errors.ts'
import type { JobProgress } from '../records/job-record.ts'

export interface ProgressReportParts {
  readonly clock: Clock
  readonly log: FastifyBaseLogger
  /** Stores it, and tells who is to know. */
  readonly store: (progress: JobProgress) => Promise<void>
}

const EVERY_MS = 1_000
const TEXT = 200

export class ProgressReport {
  readonly #parts: ProgressReportParts
  #latest: JobProgress | null = null
  #timer: unknown = null
  #writing: Promise<void> = Promise.resolve()
  #isOver = false

  constructor(parts: ProgressReportParts) {
    this.#parts = parts
  }

  /** Never waits. @param value from 0 to 1 @param text at most 200 characters are kept @throws InvalidProgress */
  say(value: number, text?: string): void {
    if (typeof value !== 'number' || !(value >= 0 && value <= 1)) throw new InvalidProgress(String(value))
    if (this.#isOver) return
    this.#latest = { value, text: text === undefined ? null : String(text).slice(0, TEXT).toWellFormed() }
    if (this.#timer === null) this.#write()
  }

  /** The attempt is over: stores what was said last. Never rejects. */
  async close(): Promise<void> {
    this.#isOver = true
    if (this.#timer !== null) this.#parts.clock.clearTimeout(this.#timer)
    if (this.#latest !== null) this.#store(this.#latest)
    await this.#writing
  }

  #write(): void {
    const latest = this.#latest
    this.#timer = null
    if (latest === null) return
    this.#store(latest)
    this.#timer = this.#parts.clock.setTimeout(() => this.#write(), EVERY_MS)
  }

  #store(progress: JobProgress): void {
    this.#latest = null
    const { store, log } = this.#parts
    // One after the other, so that the last one counts.
    this.#writing = this.#writing
      .then(() => store(progress))
      .catch((error: unknown) => {
        log.debug({ err: error, code: 'SVC_JOBS_STORE' }, 'progress could not be stored')
      })
  }
}
