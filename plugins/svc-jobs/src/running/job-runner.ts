/**
 * Runs jobs: reads the record of each, checks its body again, calls its function with a signal, and writes what came of
 * it. What is begun or ended in one turn is read and written together.
 */
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from 'svc-kernel'
import { BriefMap, jobAttempts } from 'svc-kernel/plugin'
import type { JobCodec, JobHandler } from 'svc-queue'
import type { HeldJob } from 'svc-queue/driver'
import type { JobDefinition } from '../definitions/job-definition.ts'
import type { JobRegistry } from '../definitions/job-registry.ts'
import { FinalJobFailure, JobNotBegun, JobRefused } from '../errors.ts'
import type { JobEvents } from '../events/job-events.ts'
import type { JobCauses } from '../operations/job-cause.ts'
import type { ProgressListener } from '../progress/progress-channel.ts'
import type { JobRecord } from '../records/job-record.ts'
import type { JobStore } from '../records/job-store.ts'
import { type AttemptEnd, Interrupted, JobAttempt } from './attempt.ts'
import { checked, reasonOf } from './check-body.ts'
import { Gathered } from './gathered.ts'
import { JobBegins } from './job-begins.ts'
import { JobEnds } from './job-ends.ts'
import { type JobOutcome, publishOutcome } from './job-outcome.ts'
import { QueuedJob } from './queued-job.ts'
import { retryDelayMs } from './retry-delay.ts'
import { RunningAttempt, type RunningParts } from './running-attempt.ts'

export interface RunnerParts {
  readonly store: JobStore
  readonly registry: JobRegistry
  readonly causes: JobCauses
  readonly clock: Clock
  readonly log: FastifyBaseLogger
  /** The application, on the channel of attempts. */
  readonly app: object
  /** Only so many jobs of the lane may run at a time. Default: of none. */
  readonly isLimited?: (lane: string) => boolean
  /** From 0 to below 1. Default: `Math.random`. */
  readonly random?: () => number
  readonly events?: JobEvents
  /** Jobs that waited for others wait for workers now. */
  readonly admitted?: () => void
  /** Progress was stored. */
  readonly progressed?: ProgressListener
}

/** So many attempts may end with their process before a job is parked. */
const MOST_INTERRUPTIONS = 3

/** When a job is tried again whose former attempt still runs here, ms. */
const STILL_RUNNING_MS = 1_000

const GONE: JobOutcome = { verdict: 'withdrawn', delayMs: null }

export class JobRunner implements JobHandler<QueuedJob, JobOutcome>, JobCodec<QueuedJob> {
  readonly recordsAside = true
  readonly #parts: RunnerParts
  readonly #running = new BriefMap<string, JobAttempt>()
  /** How often all attempts were interrupted: one that had not begun is not to begin. */
  #interrupts = 0
  readonly #records: Gathered<string, JobRecord | undefined>
  readonly #begins: JobBegins
  readonly #runningParts: RunningParts
  readonly #ends: JobEnds

  constructor(parts: RunnerParts) {
    const { store } = parts
    this.#parts = parts
    this.#records = new Gathered(async (ids) => {
      const found = new Map((await store.load(ids)).map((job) => [job.id, job]))
      return ids.map((id) => found.get(id))
    })
    this.#begins = new JobBegins(parts)
    this.#runningParts = { ...parts, said: (id) => this.#begins.said(id) }
    this.#ends = new JobEnds(parts)
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
    this.#interrupts += 1
    for (const attempt of this.#running.values()) attempt.abort(new Interrupted())
  }

  /** Other workers may hold what runs here by now. */
  leaseLost(): void {
    this.interrupt()
  }

  /** The stop waits no longer: what still runs is recorded as waiting. Never rejects. */
  async release(): Promise<void> {
    const { store, log } = this.#parts
    this.#ends.release()
    const { running } = this
    if (running.length === 0) return
    await Promise.all(running.map((id) => this.#begins.over(id)))
    await store.release(running).catch((error: unknown) => {
      log.error({ err: error, code: 'SVC_JOBS_STORE' }, 'what became of attempts could not be stored')
    })
  }

  /** Of an attempt after which another one follows, the record says so before the queue hands the job out again. */
  async attempt(job: QueuedJob): Promise<JobOutcome> {
    const begun = this.#parts.clock.now()
    const outcome = await this.#attempted(job)
    if (jobAttempts.hasSubscribers) await publishOutcome(this.#parts, job, outcome, begun)
    if (outcome.verdict === 'retry') await this.#ends.again(job.jobId, () => this.#waits(job, outcome))
    return outcome
  }

  async #attempted(job: QueuedJob): Promise<JobOutcome> {
    const { registry, log } = this.#parts
    if (this.#running.has(job.jobId) || this.#isLeft(job.lane)) return uncounted(job, STILL_RUNNING_MS)
    const interrupts = this.#interrupts
    try {
      const record = await job.record
      if (record === undefined || record.endedAt !== null) return GONE
      const definition = registry.find(record.name)
      if (definition === undefined) return this.#parked(job, record.name, `no job is named "${record.name}"`)
      const body = await checked(definition, record.body)
      if (body.fault !== undefined) return this.#parked(job, record.name, body.fault)
      if (record.state === 'running' && (await this.#isPoison(job.jobId))) {
        return this.#parked(job, record.name, `the process ended during ${MOST_INTERRUPTIONS} attempts`)
      }
      const isSaid = job.mayHaveBegun || record.state === 'running'
      if (isSaid && !(await this.#begins.now(job.jobId))) return GONE
      if (interrupts !== this.#interrupts) return uncounted(job, 0)
      if (!isSaid) this.#begins.soon(job.jobId)
      return await this.#run(definition, record, body.value, job)
    } catch (error) {
      log.error({ err: error, code: 'SVC_JOBS_STORE', job: job.jobId }, 'a job could not begin')
      return this.#again(job.attempts, Number.POSITIVE_INFINITY, 'the job could not begin')
    }
  }

  /**
   * The worker lost its lease and claims again, and attempts of before have not ended here: the queue does not count them
   * among what runs in their lane.
   */
  #isLeft(lane: string): boolean {
    if (this.#parts.isLimited?.(lane) !== true) return false
    for (const attempt of this.#running.values()) if (attempt.isLeftIn(lane)) return true
    return false
  }

  async #run(definition: JobDefinition, record: JobRecord, body: unknown, job: QueuedJob): Promise<JobOutcome> {
    const { clock, causes } = this.#parts
    const { id } = record
    const { timeoutMs } = definition
    const work = () => causes.within(record, () => definition.work(body, made))
    const attempt = new JobAttempt({ lane: job.lane, clock, timeoutMs, work, overran: this.#overran(record, job) })
    const made = new RunningAttempt(this.#runningParts, record, job.attempts, attempt)
    this.#running.set(id, attempt)
    const end = await attempt.run()
    await RunningAttempt.over(made)
    const begunAt = await this.#begins.over(id)
    this.#running.delete(id)
    const outcome = this.#outcome(end, definition, job, record)
    return begunAt === null ? outcome : { ...outcome, begunAt }
  }

  /** What waits for a lane or a unique key waits for the work itself: an attempt that was given up would go on beside it. */
  #overran({ id, name, uniqueKey }: JobRecord, { lane, attempts: attempt }: QueuedJob): (() => void) | undefined {
    const { isLimited, log } = this.#parts
    if (uniqueKey === null && isLimited?.(lane) !== true) return undefined
    const text = `the job ${name} goes on though its signal was aborted: its lane and its unique key wait until it ends`
    return () => log.error({ code: 'SVC_JOBS_OVERRAN', job: id, name, attempt }, text)
  }

  #outcome(
    end: AttemptEnd,
    { name, retries, keepBody }: JobDefinition,
    job: QueuedJob,
    { uniqueUntil }: JobRecord
  ): JobOutcome {
    const { jobId: id, attempts: attempt } = job
    if (end.kind === 'done') {
      const keepsKey = uniqueUntil !== null && ({ keepsKey: true } as const)
      const ending = { state: 'done', reason: null, ...(!keepBody && { body: {} }), ...keepsKey } as const
      return { verdict: 'done', health: 'quick', delayMs: null, ending }
    }
    if (end.kind === 'interrupted') return uncounted(job, 0)
    const { log } = this.#parts
    const { error, abandoned } = end
    if (abandoned) {
      const text = `the job ${name} goes on though its signal was aborted, and is abandoned: what it does is not waited for`
      log.error({ err: error, code: 'SVC_JOBS_ABANDONED', job: id, name, attempt }, text)
    }
    if (error instanceof JobRefused) return this.#parked(job, name, reasonOf(error))
    log.warn({ err: error, code: 'SVC_JOBS_FAILED', job: id, name, attempt }, `the job ${name} failed`)
    return this.#again(attempt, mostRetries(error, retries), reasonOf(error))
  }

  /** @returns whether too many attempts ended with their process; this one is counted */
  async #isPoison(id: string): Promise<boolean> {
    return (await this.#parts.store.interrupted(id)) >= MOST_INTERRUPTIONS
  }

  #parked({ jobId: job, attempts: attempt }: QueuedJob, name: string, reason: string): JobOutcome {
    this.#parts.log.warn({ code: 'SVC_JOBS_PARKED', job, name, attempt }, `the job ${name} is parked: ${reason}`)
    return { verdict: 'failed', delayMs: null, ending: { state: 'parked', reason } }
  }

  #again(attempts: number, retries: number, reason: string): JobOutcome {
    if (attempts > retries)
      return { verdict: 'failed', health: 'failing', delayMs: null, ending: { state: 'failed', reason } }
    const delayMs = retryDelayMs(attempts, (this.#parts.random ?? Math.random)())
    return { verdict: 'retry', health: 'failing', delayMs, reason }
  }

  /** Until it is stored: what ended is not handed out again. */
  async record({ attempts, record: reading }: QueuedJob, { ending, begunAt }: JobOutcome): Promise<void> {
    const record = ending === undefined ? undefined : await reading
    if (ending !== undefined && record !== undefined) await this.#ends.store(record, { ...ending, attempts }, begunAt)
  }

  async #waits({ jobId: id, attempts }: QueuedJob, outcome: JobOutcome): Promise<void> {
    const { store, clock } = this.#parts
    const { uncounted: isUncounted = false, delayMs, reason = null, begunAt: startedAt } = outcome
    const known = startedAt !== undefined && { startedAt }
    if (!isUncounted) await store.fail(id, { attempts, reason, dueAt: clock.now() + (delayMs ?? 0), ...known })
    else if (!this.#running.has(id)) await store.release([id])
  }

  happened(): void {
    // What becomes of an attempt is stored before the queue learns of it.
  }

  withdrawn(): void {
    // Its record says so already.
  }

  impossible({ jobId: id }: QueuedJob, error: unknown): void {
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

  read(held: HeldJob): QueuedJob {
    return new QueuedJob(held, this.#records)
  }

  unreadable(): void {
    // A queued job is an id: there is nothing to read.
  }
}

function uncounted(job: QueuedJob, delayMs: number): JobOutcome {
  job.attempts -= 1
  return { verdict: 'retry', delayMs, uncounted: true }
}

/** What ended before the work began is no failure of its own. */
function mostRetries(error: unknown, retries: number): number {
  if (error instanceof JobNotBegun) return Number.POSITIVE_INFINITY
  return error instanceof FinalJobFailure ? 0 : retries
}
