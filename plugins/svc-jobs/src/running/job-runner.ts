/**
 * Runs jobs: reads the record of each, checks its body again, calls its function with a signal, and writes what came of
 * it. What is begun or ended in one turn is read and written together.
 */
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from 'svc-kernel'
import { readableError } from 'svc-kernel/plugin'
import type { Attempt, JobCodec, JobEvent, JobHandler } from 'svc-queue'
import type { HeldJob } from 'svc-queue/driver'
import type { JobDefinition } from '../definitions/job-definition.ts'
import type { JobRegistry } from '../definitions/job-registry.ts'
import { JobTimeout } from '../errors.ts'
import { causedBy } from '../operations/job-cause.ts'
import type { JobRecord } from '../records/job-record.ts'
import type { Ending, JobStore } from '../records/table-jobs.ts'
import { Gathered } from './gathered.ts'
import type { QueuedJob } from './queued-job.ts'
import { retryDelayMs } from './retry-delay.ts'

export interface JobAttempt extends Attempt {
  /** Of an attempt after which none follows. */
  readonly ending?: Omit<Ending, 'attempts'>
  readonly reason?: string
}

export interface RunnerParts {
  readonly store: JobStore
  readonly registry: JobRegistry
  readonly clock: Clock
  readonly log: FastifyBaseLogger
  /** From 0 to below 1. Default: `Math.random`. */
  readonly random?: () => number
}

interface Ended {
  readonly id: string
  readonly ending: Ending
}

/** An attempt under way. */
interface Running {
  readonly abort: AbortController
  readonly name: string
}

const GONE: JobAttempt = { verdict: 'withdrawn', delayMs: null }

export class JobRunner implements JobHandler<QueuedJob, JobAttempt>, JobCodec<QueuedJob> {
  readonly #parts: RunnerParts
  readonly #running = new Map<string, Running>()
  readonly #records: Gathered<string, JobRecord | undefined>
  readonly #begun: Gathered<string, boolean>
  readonly #ended: Gathered<Ended, void>

  constructor(parts: RunnerParts) {
    const { store } = parts
    this.#parts = parts
    this.#records = new Gathered(async (ids) => {
      const found = new Map((await store.load(ids)).map((job) => [job.id, job]))
      return ids.map((id) => found.get(id))
    })
    this.#begun = new Gathered(async (ids) => {
      const ended = new Set(await store.begin(ids))
      return ids.map((id) => !ended.has(id))
    })
    this.#ended = new Gathered(async (jobs) => {
      // One write for all that are alike.
      const alike = Map.groupBy(jobs, ({ ending }) => JSON.stringify(ending))
      for (const group of alike.values())
        await store.end(
          group.map(({ id }) => id),
          (group[0] as Ended).ending
        )
      return jobs.map(() => undefined)
    })
  }

  /** Ids of the attempts under way. */
  get running(): readonly string[] {
    return [...this.#running.keys()]
  }

  /** Aborts the signal of an attempt. @returns whether it runs here */
  abort(id: string, reason: Error): boolean {
    const running = this.#running.get(id)
    running?.abort.abort(reason)
    return running !== undefined
  }

  /** Rejects if the record cannot be read or the begin not be noted: the job is tried again. */
  async attempt(job: QueuedJob): Promise<JobAttempt> {
    const { registry, log } = this.#parts
    try {
      const record = await job.record
      if (record === undefined || record.endedAt !== null) return GONE
      const definition = registry.find(record.name)
      if (definition === undefined) return parked(`no job is named "${record.name}"`)
      const body = await checked(definition, record.body)
      if (body.fault !== undefined) return parked(body.fault)
      if (!(await this.#begun.get(job.id))) return GONE
      return await this.#run(definition, record, body.value, job)
    } catch (error) {
      log.error({ err: error, code: 'SVC_JOBS_STORE', job: job.id }, 'a job could not begin')
      return this.#again(job.attempts, Number.POSITIVE_INFINITY, 'the job could not begin')
    }
  }

  async #run(
    definition: JobDefinition,
    record: JobRecord,
    body: unknown,
    { attempts }: QueuedJob
  ): Promise<JobAttempt> {
    const { clock, log } = this.#parts
    const { id, name, addedAt, cause } = record
    const abort = new AbortController()
    this.#running.set(id, { abort, name })
    const seconds = String(definition.timeoutMs / 1000)
    const timer = clock.setTimeout(() => abort.abort(new JobTimeout(seconds)), definition.timeoutMs)
    const aborted = new Promise<never>((_, reject) => {
      abort.signal.addEventListener('abort', () => reject(abort.signal.reason), { once: true })
    })
    aborted.catch(() => undefined)
    try {
      const fields = { job: id, name, ...(cause?.requestId != null && { reqId: cause.requestId }) }
      const job = { id, name, attempt: attempts, addedAt, cause, signal: abort.signal, log: log.child(fields) }
      await Promise.race([causedBy(record, () => definition.work(body, job)), aborted])
      return { verdict: 'done', health: 'quick', delayMs: null, ending: { state: 'done', reason: null } }
    } catch (error) {
      log.warn({ err: error, code: 'SVC_JOBS_FAILED', job: id, name, attempt: attempts }, `the job ${name} failed`)
      return this.#again(attempts, definition.retries, reasonOf(error))
    } finally {
      clock.clearTimeout(timer)
      this.#running.delete(id)
    }
  }

  #again(attempts: number, retries: number, reason: string): JobAttempt {
    if (attempts > retries)
      return { verdict: 'failed', health: 'failing', delayMs: null, ending: { state: 'failed', reason } }
    const delayMs = retryDelayMs(attempts, (this.#parts.random ?? Math.random)())
    return { verdict: 'retry', health: 'failing', delayMs, reason }
  }

  /** Until it is stored: what ended is not handed out again. */
  async record({ id, attempts }: QueuedJob, { ending }: JobAttempt): Promise<void> {
    if (ending === undefined) return
    await this.#ended.get({ id, ending: { ...ending, attempts } }).catch((error: unknown) => {
      this.#parts.log.error({ err: error, code: 'SVC_JOBS_STORE', job: id }, 'the end of a job could not be stored')
    })
  }

  happened(event: JobEvent, { id, attempts }: QueuedJob, attempt?: JobAttempt): void {
    if (event !== 'retried' || attempt === undefined) return
    const { store, clock, log } = this.#parts
    const dueAt = clock.now() + (attempt.delayMs ?? 0)
    store.fail(id, { attempts, reason: attempt.reason ?? null, dueAt }).catch((error: unknown) => {
      log.error({ err: error, code: 'SVC_JOBS_STORE', job: id }, 'the failure of a job could not be stored')
    })
  }

  withdrawn(): void {
    // Its record says so already.
  }

  impossible({ id }: QueuedJob, error: unknown): void {
    this.#parts.log.error({ err: error, code: 'SVC_JOBS_FAILED', job: id }, 'a job could not run')
  }

  roomAgain(): void {
    // Jobs wait in the database, which drops none.
  }

  idOf({ id }: QueuedJob): string {
    return id
  }

  write(): string {
    return '{}'
  }

  read({ id, lane, attempts }: HeldJob): QueuedJob {
    const record = this.#records.get(id)
    // The attempt that awaits it says so.
    record.catch(() => undefined)
    return { id, lane, manual: false, source: null, attempts, begunAt: null, record }
  }

  unreadable(): void {
    // A queued job is an id: there is nothing to read.
  }
}

function parked(reason: string): JobAttempt {
  return { verdict: 'failed', delayMs: null, ending: { state: 'parked', reason } }
}

type Checked = { readonly value: unknown; readonly fault?: undefined } | { readonly fault: string }

async function checked({ check }: JobDefinition, body: unknown): Promise<Checked> {
  try {
    return { value: await check(body) }
  } catch (error) {
    return { fault: reasonOf(error) }
  }
}

/** The most that a record says of a failure, in characters. */
const REASON = 500

function reasonOf(error: unknown): string {
  const { message } = readableError(error)
  return message.slice(0, REASON)
}
