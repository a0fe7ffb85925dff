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
import { FinalJobFailure } from '../errors.ts'
import { causedBy } from '../operations/job-cause.ts'
import type { JobRecord } from '../records/job-record.ts'
import type { Ending, JobStore } from '../records/table-jobs.ts'
import { type AttemptEnd, Interrupted, JobAttempt } from './attempt.ts'
import { Gathered } from './gathered.ts'
import type { QueuedJob } from './queued-job.ts'
import { retryDelayMs } from './retry-delay.ts'

export interface JobOutcome extends Attempt {
  /** Of an attempt after which none follows. */
  readonly ending?: Omit<Ending, 'attempts'>
  readonly reason?: string
  /** It was interrupted, and does not count. */
  readonly uncounted?: true
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

/** So many attempts may end with their process before a job is parked. */
const MOST_INTERRUPTIONS = 3

/** When a job is tried again whose former attempt still runs here, ms. */
const STILL_RUNNING_MS = 1_000

/** When the end of a job is written again that could not be stored, ms. */
const WRITE_AGAIN_MS = 1_000

const GONE: JobOutcome = { verdict: 'withdrawn', delayMs: null }

export class JobRunner implements JobHandler<QueuedJob, JobOutcome>, JobCodec<QueuedJob> {
  readonly recordsAside = true
  readonly #parts: RunnerParts
  readonly #running = new Map<string, JobAttempt>()
  #released = false
  /** Writes under way. */
  readonly #writes = new Set<Promise<void>>()
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

  /** Aborts the signal of an attempt, if it runs here. */
  abort(id: string, reason: Error): void {
    this.#running.get(id)?.abort(reason)
  }

  /** Aborts the signals of all attempts: the process stops. They do not count, and run again. */
  interrupt(): void {
    for (const attempt of this.#running.values()) attempt.abort(new Interrupted())
  }

  /** Other workers may hold what runs here by now. */
  leaseLost(): void {
    this.interrupt()
  }

  /** The stop waits no longer: what still runs is recorded as waiting. Never rejects. */
  async release(): Promise<void> {
    this.#released = true
    if (this.#running.size > 0) this.#store(this.#parts.store.release([...this.#running.keys()]))
    await Promise.all(this.#writes)
  }

  /** Rejects if the record cannot be read or the begin not be noted: the job is tried again. */
  async attempt(job: QueuedJob): Promise<JobOutcome> {
    const { registry, log } = this.#parts
    // The worker lost its lease and got the job again, and its former attempt here has not ended.
    if (this.#running.has(job.id)) return uncounted(job, STILL_RUNNING_MS)
    try {
      const record = await job.record
      if (record === undefined || record.endedAt !== null) return GONE
      const definition = registry.find(record.name)
      if (definition === undefined) return parked(`no job is named "${record.name}"`)
      const body = await checked(definition, record.body)
      if (body.fault !== undefined) return parked(body.fault)
      if (record.state === 'running' && (await this.#isPoison(job.id))) {
        return parked(`the process ended during ${MOST_INTERRUPTIONS} attempts`)
      }
      if (!(await this.#begun.get(job.id))) return GONE
      return await this.#run(definition, record, body.value, job)
    } catch (error) {
      log.error({ err: error, code: 'SVC_JOBS_STORE', job: job.id }, 'a job could not begin')
      return this.#again(job.attempts, Number.POSITIVE_INFINITY, 'the job could not begin')
    }
  }

  async #run(definition: JobDefinition, record: JobRecord, body: unknown, job: QueuedJob): Promise<JobOutcome> {
    const { clock, log } = this.#parts
    const { id, name, addedAt, cause } = record
    const own = log.child({ job: id, name, ...(cause?.requestId != null && { reqId: cause.requestId }) })
    const { timeoutMs } = definition
    const work = (signal: AbortSignal) =>
      causedBy(record, () =>
        definition.work(body, { id, name, attempt: job.attempts, addedAt, cause, signal, log: own })
      )
    const attempt = new JobAttempt({ clock, timeoutMs, work })
    this.#running.set(id, attempt)
    const end = await attempt.run()
    this.#running.delete(id)
    return this.#outcome(end, definition, job)
  }

  #outcome(end: AttemptEnd, { name, retries, keepBody }: JobDefinition, job: QueuedJob): JobOutcome {
    const { id, attempts: attempt } = job
    if (end.kind === 'done') {
      const ending = { state: 'done', reason: null, ...(!keepBody && { body: {} }) } as const
      return { verdict: 'done', health: 'quick', delayMs: null, ending }
    }
    if (end.kind === 'interrupted') return uncounted(job, 0)
    const { log } = this.#parts
    const { error, abandoned } = end
    if (abandoned) {
      const text = `the job ${name} goes on though its signal was aborted, and is abandoned: what it does is not waited for`
      log.error({ err: error, code: 'SVC_JOBS_ABANDONED', job: id, name, attempt }, text)
    }
    log.warn({ err: error, code: 'SVC_JOBS_FAILED', job: id, name, attempt }, `the job ${name} failed`)
    return this.#again(attempt, error instanceof FinalJobFailure ? 0 : retries, reasonOf(error))
  }

  /** @returns whether too many attempts ended with their process; this one is counted */
  async #isPoison(id: string): Promise<boolean> {
    return (await this.#parts.store.interrupted(id)) >= MOST_INTERRUPTIONS
  }

  #again(attempts: number, retries: number, reason: string): JobOutcome {
    if (attempts > retries)
      return { verdict: 'failed', health: 'failing', delayMs: null, ending: { state: 'failed', reason } }
    const delayMs = retryDelayMs(attempts, (this.#parts.random ?? Math.random)())
    return { verdict: 'retry', health: 'failing', delayMs, reason }
  }

  /** Until it is stored: what ended is not handed out again. */
  async record({ id, attempts }: QueuedJob, { ending }: JobOutcome): Promise<void> {
    if (ending === undefined) return
    await this.#written(id, () => this.#ended.get({ id, ending: { ...ending, attempts } }))
  }

  /** Tries again until it is stored. Once the application stops it never resolves: the queue hands the job out again. */
  async #written(id: string, write: () => Promise<void>): Promise<void> {
    const { clock, log } = this.#parts
    for (;;) {
      try {
        return await write()
      } catch (error) {
        log.error({ err: error, code: 'SVC_JOBS_STORE', job: id }, 'the end of a job could not be stored')
      }
      await new Promise<void>((resolve) => clock.setTimeout(() => this.#released || resolve(), WRITE_AGAIN_MS))
    }
  }

  happened(event: JobEvent, { id, attempts }: QueuedJob, outcome?: JobOutcome): void {
    const { store, clock } = this.#parts
    if (event !== 'retried' || outcome === undefined) return
    const { uncounted: isUncounted = false, delayMs, reason = null } = outcome
    if (!isUncounted) this.#store(store.fail(id, { attempts, reason, dueAt: clock.now() + (delayMs ?? 0) }))
    else if (!this.#running.has(id)) this.#store(store.release([id]))
  }

  #store(write: Promise<void>): void {
    const { log } = this.#parts
    const stored = write
      .catch((error: unknown) => {
        log.error({ err: error, code: 'SVC_JOBS_STORE' }, 'what became of an attempt could not be stored')
      })
      .finally(() => this.#writes.delete(stored))
    this.#writes.add(stored)
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

function uncounted(job: QueuedJob, delayMs: number): JobOutcome {
  job.attempts -= 1
  return { verdict: 'retry', delayMs, uncounted: true }
}

function parked(reason: string): JobOutcome {
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
