/** What the work of an attempt is given: its log, its steps and its progress are made when it first asks for them. */
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from 'svc-kernel'
import type { RunningJob } from '../definitions/job-definition.ts'
import { shownCause } from '../operations/job-cause.ts'
import type { ProgressListener } from '../progress/progress-channel.ts'
import { ProgressReport } from '../progress/progress-report.ts'
import type { JobRecord } from '../records/job-record.ts'
import type { JobStore } from '../records/job-store.ts'
import { JobSteps } from '../steps/job-steps.ts'

export interface RunningParts {
  readonly store: Pick<JobStore, 'progress' | 'steps'>
  readonly clock: Clock
  readonly log: FastifyBaseLogger
  /** Progress was stored. */
  readonly progressed?: ProgressListener
  /** Says that the attempt runs, if nothing has yet. */
  readonly said: (id: string) => Promise<void>
}

export class RunningAttempt {
  readonly #parts: RunningParts
  readonly #record: JobRecord
  readonly #attempt: number
  #log: FastifyBaseLogger | null = null
  #steps: JobSteps | null = null
  #report: ProgressReport | null = null

  constructor(parts: RunningParts, record: JobRecord, attempt: number) {
    this.#parts = parts
    this.#record = record
    this.#attempt = attempt
  }

  job(signal: AbortSignal): RunningJob {
    const { id, name, addedAt } = this.#record
    const own = () => this.#ownLog()
    return {
      id,
      name,
      attempt: this.#attempt,
      addedAt,
      cause: shownCause(this.#record.cause),
      signal,
      get log() {
        return own()
      },
      step: (step, work) => {
        this.#steps ??= new JobSteps({ store: this.#parts.store.steps, job: id, signal })
        return this.#steps.run(step, work)
      },
      progress: (value, text) => this.#reporting().say(value, text)
    }
  }

  /** The attempt is over: what it said last of its progress is stored. Never rejects. */
  close(): Promise<void> | undefined {
    return this.#report?.close()
  }

  #ownLog(): FastifyBaseLogger {
    const { id, name, cause } = this.#record
    this.#log ??= this.#parts.log.child({ job: id, name, ...(cause?.requestId != null && { reqId: cause.requestId }) })
    return this.#log
  }

  #reporting(): ProgressReport {
    const { store, clock, progressed, said: begun } = this.#parts
    const { id, name, cause } = this.#record
    this.#report ??= new ProgressReport({
      clock,
      log: this.#ownLog(),
      store: async (said) => {
        await begun(id)
        await store.progress(id, said)
        progressed?.({ id, name, cause: shownCause(cause) }, said)
      }
    })
    return this.#report
  }
}
