/**
 * The loop of a queue, top to bottom: admit a job, take the next one into a free slot, make its attempt, report what that
 * came to, and schedule it again if another attempt follows. Jobs wait in memory, bounded, and end with the process. With
 * a shared queue behind it, a worker stores them first, holds what its slots can soon run, and loses nothing.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyBaseLogger } from 'fastify'
import { type Clock, requestChannels } from 'svc-kernel'
import { currentTraceparent } from 'svc-kernel/plugin'
import { type SharedParts, SharedQueue, type Slots } from './durable/shared-queue.ts'
import { type Attempt, type Job, type JobHandler, type LaneHealth, type LanePending, LONGEST_RETRY_MS } from './job.ts'
import { checkLimits, type WorkerLimits } from './options.ts'
import type { QueueCounts } from './queue.ts'
import { LaneScheduler } from './scheduler/lane-scheduler.ts'
import { RetryTimer } from './scheduler/retries.ts'
import { tracedAttempt } from './traced-attempt.ts'

const { enqueue: enqueues } = requestChannels

/** What a worker runs with. */
export interface WorkerParts<J extends Job, A extends Attempt> {
  /** Name of the queue, for observers. Default: `jobs`. */
  readonly name?: string
  readonly handler: JobHandler<J, A>
  readonly limits: WorkerLimits
  /** The shared queue; `null`: jobs live in this process alone. */
  readonly shared: SharedParts<J> | null
  readonly clock: Clock
  readonly log: FastifyBaseLogger
}

/** Runs the jobs of a queue in this process, and never waits for room: a job that finds none is dropped, and counted. */
export class Worker<J extends Job, A extends Attempt> implements Slots<J> {
  readonly #parts: WorkerParts<J, A>
  readonly #name: string
  readonly #scheduler: LaneScheduler<J>
  readonly #shared: SharedQueue<J> | null
  readonly #timer: RetryTimer
  /** Looks for jobs and runs them outside of the context of the request that caused them. */
  readonly #outside = AsyncLocalStorage.snapshot()
  #pumpDue = false
  #stopped = false
  /** The deadline of the stop has passed: later results change nothing. */
  #over = false
  #lost = 0
  /** Running attempts at jobs that live here alone. */
  #attempting = 0
  /** Ends of jobs that are being recorded. */
  #recording = 0
  #onIdle: (() => void) | null = null

  /** @throws SVC_QUEUE_LIMITS, SVC_QUEUE_LANES */
  constructor(parts: WorkerParts<J, A>) {
    const { shared, limits, clock } = parts
    checkLimits(limits, shared?.queue.lanes)
    this.#parts = parts
    this.#name = parts.name ?? 'jobs'
    const scheduler = new LaneScheduler<J>(limits)
    this.#scheduler = scheduler
    this.#shared = shared === null ? null : new SharedQueue({ ...parts, ...shared, scheduler, slots: this })
    this.#timer = new RetryTimer(clock, () => {
      scheduler.promote(clock.now())
      this.pump()
    })
  }

  /** Jobs outlive this process, and other workers may run them. */
  get isShared(): boolean {
    return this.#shared !== null
  }

  /** Jobs that wait in this process. */
  get waiting(): number {
    return this.#scheduler.size - this.#scheduler.inFlight
  }

  get running(): number {
    return this.#scheduler.inFlight
  }

  /** Jobs that a stop has lost. */
  get lost(): number {
    return this.#lost
  }

  /** Looks for jobs in the shared queue, now and from now on. */
  async start(): Promise<void> {
    await this.#shared?.start()
  }

  /** Looks into the shared queue now: jobs were stored there without this worker. */
  look(): void {
    this.#outside(() => this.#shared?.look())
  }

  /** Never waits. @returns `false` if there is no room, or the worker has stopped: the job is dropped, and counted */
  admit(job: J): boolean {
    return enqueues.hasSubscribers ? this.#admitTraced(job) : this.#admit(job)
  }

  #admitTraced(job: J): boolean {
    return enqueues.trace({ queue: this.#name, lane: job.lane }, () => this.#admit(job))
  }

  #admit(job: J): boolean {
    job.traceparent ??= currentTraceparent()
    const keeper = this.#keeper(job)
    const isTaken = keeper === null ? this.#admitHere(job) : keeper.admit(job)
    if (isTaken) this.#pumpSoon()
    else {
      // A caller who asks by hand gets the answer, so nothing is lost.
      if (this.#stopped && !job.manual) this.#lost += 1
      if (keeper !== null) this.#parts.handler.happened('dropped', job)
    }
    return isTaken
  }

  /** Resolves when the jobs admitted so far are stored; at once without a shared queue. Rejects with `unavailable`. */
  async admitted(): Promise<void> {
    await this.#shared?.admitted()
  }

  /** Takes the next jobs into free slots. */
  pump(): void {
    this.#outside(() => this.#pump())
  }

  #pump(): void {
    const scheduler = this.#scheduler
    const { clock, handler, limits } = this.#parts
    if (this.#stopped) {
      if (scheduler.inFlight + this.#recording === 0) this.#onIdle?.()
      return
    }
    const now = clock.now()
    for (let job = scheduler.next(now); job !== undefined; job = scheduler.next(now)) void this.#run(job)
    this.#shared?.filled()
    // At half, so that a queue that stays nearly full is one burst.
    if (scheduler.size * 2 <= limits.maxQueue) handler.roomAgain()
    this.#timer.set(scheduler.nextDue)
  }

  async #run(job: J): Promise<void> {
    job.attempts += 1
    job.begunAt = this.#parts.clock.now()
    try {
      await this.#report(job, await this.#attempt(job))
    } catch (error) {
      this.#parts.handler.impossible(job, error)
      this.#discard(job)
    }
    this.pump()
  }

  #attempt(job: J): Promise<A> {
    const count = this.#keeper(job) === null ? 1 : 0
    this.#attempting += count
    return tracedAttempt(this.#name, this.#parts.handler, job).finally(() => {
      this.#attempting -= count
    })
  }

  async #report(job: J, attempt: A): Promise<void> {
    const { handler } = this.#parts
    const { verdict, health, delayMs } = attempt
    if (verdict === 'withdrawn') {
      this.#discard(job)
      handler.withdrawn(job, attempt)
    } else if (this.#over) {
      this.#scheduler.finish(job)
      handler.happened('discarded', job)
    } else if (verdict === 'retry' && delayMs !== null && !job.manual) {
      if (this.#retry(job, delayMs, health)) handler.happened('retried', job, attempt)
      else this.#discard(job)
    } else {
      await this.#record(job, attempt)
      this.#shared?.ended(job, verdict === 'done')
      handler.happened(verdict === 'done' ? 'done' : 'failed', job, attempt)
    }
  }

  /** A handler may let another job begin meanwhile. */
  async #record(job: J, attempt: A): Promise<void> {
    const { handler, limits } = this.#parts
    const isEarly = handler.recordsAside === true && this.#recording < limits.maxConcurrent
    this.#recording += 1
    if (isEarly) {
      this.#scheduler.finish(job, attempt.health)
      this.pump()
    }
    await handler.record(job, attempt)
    this.#recording -= 1
    if (!isEarly) this.#scheduler.finish(job, attempt.health)
  }

  /** @returns `false` if that is too late: the job is lost */
  #retry(job: J, delayMs: number, health: LaneHealth | undefined): boolean {
    const keeper = this.#keeper(job)
    if (keeper !== null) {
      this.#scheduler.finish(job, health)
      keeper.retried(job, delayMs)
    } else if (this.#stopped) {
      this.#lost += 1
      return false
    } else {
      this.#scheduler.retryAt(job, this.#parts.clock.now() + Math.min(delayMs, LONGEST_RETRY_MS), health)
    }
    return true
  }

  #discard(job: J): void {
    this.#scheduler.finish(job)
    this.#shared?.ended(job, false)
    this.#parts.handler.happened('discarded', job)
  }

  /** Removes the jobs of a lane that have not begun, wherever they wait. */
  discard(lane: string): void {
    const jobs = this.#scheduler.clear(lane)
    this.#shared?.discard(lane, jobs)
    for (const job of jobs) this.#parts.handler.happened('discarded', job)
  }

  /** Sets the health of a lane without an attempt here, as another process knows it. */
  presume(lane: string, health: LaneHealth): void {
    this.#scheduler.presume(lane, health)
  }

  /** What was learnt of a lane holds no longer: it was changed or removed. */
  forget(lane: string): void {
    this.#scheduler.forget(lane)
  }

  /** Without a shared queue those of this process, whose ages are not known. Rejects with `unavailable`. */
  async counts(): Promise<QueueCounts> {
    return this.#shared?.counts() ?? { waiting: this.waiting, held: this.running, oldestMs: null }
  }

  /** @param limit how many of the next jobs to list @returns `null` if the shared queue cannot be reached now */
  async pending(lane: string, limit: number): Promise<LanePending<J> | null> {
    if (this.#shared !== null) return this.#shared.pending(lane, limit)
    const { running, waiting } = this.#scheduler.pendingOf(lane, this.#parts.clock.now())
    return { waiting: waiting.length, running, next: waiting.slice(0, limit) }
  }

  /** Begins no further attempt, and gives running ones this many ms. Jobs that live here alone are lost. */
  async stop(deadlineMs: number): Promise<void> {
    const { clock, handler } = this.#parts
    this.#stopped = true
    this.#timer.cancel()
    this.#shared?.stop()
    const waiting = this.#scheduler.clear().filter((job) => this.#keeper(job) === null)
    this.#lost += waiting.length
    handler.roomAgain()
    for (const job of waiting) handler.happened('discarded', job)
    if (this.running + this.#recording > 0) {
      const idle = new Promise<void>((resolve) => (this.#onIdle = resolve))
      const timer = clock.setTimeout(() => this.#onIdle?.(), deadlineMs)
      await idle
      clock.clearTimeout(timer)
    }
    this.#over = true
    this.#lost += this.#attempting
  }

  /** After `stop`: stores what is left, and ends the lease. Never rejects. */
  async close(): Promise<void> {
    this.#lost += (await this.#shared?.close(this.#lost)) ?? 0
  }

  enter(job: J): boolean {
    const displaced = this.#scheduler.admit(job)
    if (displaced === null) return true
    const keeper = this.#keeper(displaced)
    if (keeper === null) this.#parts.handler.happened('dropped', displaced)
    else keeper.released(displaced)
    return displaced !== job
  }

  /** The shared queue that has the job; `null`: it lives here alone. */
  #keeper({ manual }: J): SharedQueue<J> | null {
    return manual ? null : this.#shared
  }

  #admitHere(job: J): boolean {
    if (this.#stopped || !this.enter(job)) return false
    this.#parts.handler.happened('enqueued', job)
    return true
  }

  #pumpSoon(): void {
    if (this.#pumpDue) return
    this.#pumpDue = true
    queueMicrotask(() => {
      this.#pumpDue = false
      this.pump()
    })
  }
}
