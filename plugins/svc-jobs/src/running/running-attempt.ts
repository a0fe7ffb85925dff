/** What the work of an attempt is given: its signal, log, steps and progress are made when it first asks for them. */
import type { FastifyBaseLogger } from 'fastify'
import type { Clock, JobCause } from 'svc-kernel'
import type { RunningJob } from '../definitions/job-definition.ts'
import { shownCause } from '../operations/job-cause.ts'
import type { ProgressListener } from '../progress/progress-channel.ts'
import { ProgressReport } from '../progress/progress-report.ts'
import type { JobRecord } from '../records/job-record.ts'
import type { JobStore } from '../records/job-store.ts'
import { JobSteps } from '../steps/job-steps.ts'
import type { JobAttempt } from './attempt.ts'

export interface RunningParts {
  readonly store: Pick<JobStore, 'progress' | 'steps'>
  readonly clock: Clock
  readonly log: FastifyBaseLogger
  /** Progress was stored. */
  readonly progressed?: ProgressListener
  /** Says that the attempt runs, if nothing has yet. */
  readonly said: (id: string) => Promise<void>
}

export class RunningAttempt implements RunningJob {
  readonly id: string
  readonly name: string
  readonly attempt: number
  readonly addedAt: number
  readonly #parts: RunningParts
  readonly #record: JobRecord
  readonly #own: Pick<JobAttempt, 'signal'>
  #log: FastifyBaseLogger | null = null
  #steps: JobSteps | null = null
  #report: ProgressReport | null = null

  constructor(parts: RunningParts, record: JobRecord, attempt: number, own: Pick<JobAttempt, 'signal'>) {
    this.id = record.id
    this.name = record.name
    this.attempt = attempt
    this.addedAt = record.addedAt
    this.#parts = parts
    this.#record = record
    this.#own = own
  }

  /** What it said last of its progress is stored. Never rejects. */
  static over(made: RunningAttempt): Promise<void> | undefined {
    return made.#report?.close()
  }

  get cause(): JobCause | null {
    return shownCause(this.#record.cause)
  }

  get signal(): AbortSignal {
    return this.#own.signal
  }

  get log(): FastifyBaseLogger {
    const { id, name, cause } = this.#record
    this.#log ??= this.#parts.log.child({ job: id, name, ...(cause?.requestId != null && { reqId: cause.requestId }) })
    return this.#log
  }

  // Work may take it out of its job, as it may the next one.
  readonly step: RunningJob['step'] = (step, work) => {
    this.#steps ??= new JobSteps({ store: this.#parts.store.steps, job: this.id, signal: this.signal })
    return this.#steps.run(step, work)
  }

  readonly progress: RunningJob['progress'] = (value, text) => this.#reporting().say(value, text)

  #reporting(): ProgressReport {
    const { store, clock, progressed, said: begun } = this.#parts
    const { id, name, cause } = this.#record
    this.#report ??= new ProgressReport({
      clock,
      log: this.log,
      store: async (said) => {
        await begun(id)
        await store.progress(id, said)
        progressed?.({ id, name, cause: shownCause(cause) }, said)
      }
    })
    return this.#report
  }
}
