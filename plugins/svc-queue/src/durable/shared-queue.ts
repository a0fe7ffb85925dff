/**
 * A worker's side of a shared queue: jobs are stored before they run, and instances share them. The worker holds as many
 * as its slots can soon run; all others wait in the queue, for the worker that has room first. A failed job returns there.
 */
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from 'svc-kernel'
import { BriefMap, isAnnounced } from 'svc-kernel/plugin'
import { aroundCalls } from 'svc-stores/plugin'
import type { Job, JobHandler } from '../job.ts'
import type { WorkerLimits } from '../options.ts'
import {
  type DueJob,
  type HeldJob,
  type OutcomeBatch,
  QUEUE_OPERATIONS,
  type Queue,
  type QueueCounts,
  type QueueOperation
} from '../queue.ts'
import type { LaneScheduler } from '../scheduler/lane-scheduler.ts'
import { inTime, type QueueTexts } from '../texts.ts'
import { Admission, type AdmissionOwner, type JobCodec } from './admission.ts'
import { Capacity } from './capacity.ts'
import { type ClaimOwner, Claims } from './claims.ts'
import { type OutageOwner, Outages } from './outages.ts'
import { type OutcomeOwner, Outcomes } from './outcomes.ts'
import { type LeaseOwner, WorkerLease } from './worker-lease.ts'

/** A driver of the queue, and how jobs are stored in it. */
export interface SharedParts<J extends Job> {
  readonly queue: Queue
  readonly codec: JobCodec<J>
  readonly texts: QueueTexts
}

/** The slots of the worker. */
export interface Slots<J extends Job> {
  /** A job of this worker takes its place; one that it displaces is released, or dropped. */
  enter(job: J): boolean
  /** Fills free slots. */
  pump(): void
}

export interface SharedQueueParts<J extends Job> extends SharedParts<J> {
  readonly scheduler: LaneScheduler<J>
  readonly limits: WorkerLimits
  readonly handler: Pick<JobHandler<J, never>, 'happened' | 'leaseLost'>
  readonly clock: Clock
  readonly log: FastifyBaseLogger
  readonly slots: Slots<J>
}

/** How often a worker looks for due jobs, for those of expired workers and for those without room before, ms. */
const LOOK_MS = 1_000

type Owner<J extends Job> = LeaseOwner & ClaimOwner & OutageOwner & OutcomeOwner & AdmissionOwner<J>

export class SharedQueue<J extends Job> implements Owner<J> {
  readonly #parts: SharedQueueParts<J>
  /** Its calls have a deadline. */
  readonly #queue: Queue
  readonly #lease: WorkerLease
  readonly #capacity: Capacity
  readonly #claims: Claims
  readonly #admission: Admission<J>
  readonly #outcomes: Outcomes
  readonly #outages: Outages
  /** By id, what it holds under its name, until the queue knows that it ended. */
  readonly #held = new BriefMap<string, J>()
  #timer: unknown = null
  #stopped = false
  #grantReturned = false

  constructor(parts: SharedQueueParts<J>) {
    const { clock, texts } = parts
    this.#parts = parts
    const queue = aroundCalls(parts.queue, QUEUE_OPERATIONS, (call) => inTime(clock, texts, async () => call()))
    const lease = new WorkerLease(queue, this)
    const capacity = new Capacity(parts)
    this.#queue = queue
    this.#lease = lease
    this.#capacity = capacity
    this.#claims = new Claims({ ...parts, lease, capacity, owner: this })
    this.#admission = new Admission({ ...parts, lease, capacity, owner: this })
    this.#outcomes = new Outcomes({ clock, queue, lease, owner: this })
    this.#outages = new Outages({ clock, queue, owner: this })
  }

  /** Begins the lease, looks for due jobs, and comes again. */
  async start(): Promise<void> {
    if (this.#stopped) return
    await this.#lease.keep(LOOK_MS)
    await this.#claims.takeMore()
    if (this.#stopped) return
    this.#timer = this.#parts.clock.setTimeout(() => void this.start(), LOOK_MS)
  }

  /** The queue may have jobs that it had not at the last look. */
  look(): void {
    if (!this.#stopped) void this.#claims.takeMore()
  }

  /** @returns `false` if too many wait to be stored */
  admit(job: J): boolean {
    return this.#admission.add(job)
  }

  /** Rejects with `unavailable` if the jobs so far cannot be stored. */
  admitted(): Promise<void> {
    return this.#admission.stored()
  }

  /** The slots were filled: takes more, if the next free slot may find none. */
  filled(): void {
    const { scheduler, limits } = this.#parts
    if (this.#claims.isMore && scheduler.soon <= limits.maxConcurrent) void this.#claims.take()
  }

  /** The job has left its slot, to be tried again. */
  retried(job: J, delayMs: number): void {
    this.#outages.failed(job.lane)
    if (this.#letGo(job)) this.#outcomes.retried({ id: idOf(job), attempts: job.attempts, delayMs })
    this.#left(job)
  }

  /** The job has left its slot for good. */
  ended(job: J, isDone: boolean): void {
    this.#left(job)
    if (isDone) this.#outages.done(job.lane, job.attempts)
    if (!job.manual) this.#outcomes.ended(idOf(job))
  }

  /** The job found no place here: it waits in the queue again. */
  released(job: J): void {
    this.#capacity.leave(job)
    if (this.#letGo(job)) this.#outcomes.released(idOf(job))
    this.#claims.expectMore()
  }

  /** Removes a lane. @param jobs those of it that this worker held and has not begun */
  discard(lane: string, jobs: readonly J[]): void {
    this.#outages.forget(lane)
    for (const job of jobs) {
      this.#capacity.leave(job)
      if (!job.manual) this.#outcomes.ended(idOf(job))
    }
    // If it fails, each job is withdrawn at its attempt.
    this.#queue.discard(lane).catch((error: unknown) => this.failed('discard', error))
  }

  /** Rejects with `unavailable`. */
  async counts(): Promise<QueueCounts> {
    try {
      return await this.#queue.counts()
    } catch (error) {
      this.failed('counts', error)
      throw this.#parts.texts.unavailable('counts')
    }
  }

  /** @returns `null` if the queue cannot be reached now */
  async pending(lane: string, limit: number) {
    try {
      const { waiting, held, next } = await this.#queue.pending(lane, limit)
      return { waiting, running: held, next: next.flatMap((due) => this.#waiting(due)) }
    } catch (error) {
      this.failed('pending', error)
      return null
    }
  }

  stop(): void {
    this.#stopped = true
    this.#claims.stop()
    this.#admission.stop()
    if (this.#timer !== null) this.#parts.clock.clearTimeout(this.#timer)
    this.#timer = null
  }

  /** @param lost jobs that the stop has lost so far @returns how many more it has lost */
  async close(lost: number): Promise<number> {
    await this.#outages.stop()
    await this.#claims.over()
    const unstored = await this.#admission.close()
    try {
      await this.#outcomes.flush()
      await this.#lease.leave()
      const { waiting, held } = await this.#queue.counts()
      const fields = { waiting, held, lost: lost + unstored }
      if (waiting + held > 0) this.#parts.log.info(fields, this.#parts.texts.left(waiting + held))
    } catch (error) {
      // Nothing is lost: another worker takes over what an expired one holds, and runs it, some of it again.
      this.failed('leave', error)
    }
    return unstored
  }

  /** Running jobs end; jobs that were not begun are with others, but for those that live here alone. */
  leaseLost(): void {
    this.#held.clear()
    this.#parts.handler.leaseLost?.()
    for (const job of this.#parts.scheduler.clear()) {
      if (job.manual) this.#parts.slots.enter(job)
      else this.#capacity.leave(job)
    }
  }

  claimed(found: readonly HeldJob[]): void {
    const { codec, slots } = this.#parts
    this.#capacity.claimed()
    for (const held of found) {
      const job = codec.read(held)
      if (job !== null) {
        job.traceparent = held.traceparent ?? null
        job.turn = held.turn
        this.#hold(job)
      } else {
        codec.unreadable(held)
        this.#outcomes.ended(held.id)
      }
    }
    slots.pump()
  }

  stored(batch: readonly J[], held: ReadonlySet<string>): void {
    const { slots, handler } = this.#parts
    this.#capacity.stored()
    for (const job of batch) {
      const id = idOf(job)
      handler.happened('enqueued', job)
      if (!held.has(id)) this.#claims.expectMore()
      // Admitted again while it runs here.
      else if (!this.#held.has(id)) this.#hold(job)
    }
    slots.pump()
  }

  settled({ ended }: OutcomeBatch): void {
    for (const id of ended) this.#held.delete(id)
    if (!this.#grantReturned || this.#stopped) return
    this.#grantReturned = false
    void this.#claims.takeMore()
  }

  rescheduled(): void {
    void this.#claims.takeMore()
  }

  failed(operation: QueueOperation, error: unknown): void {
    const { log, texts } = this.#parts
    log[isAnnounced(error) ? 'debug' : 'error']({ code: texts.code, err: error }, texts.failed[operation])
  }

  #hold(job: J): void {
    if (this.#stopped) return
    this.#held.set(idOf(job), job)
    this.#capacity.hold(job)
    this.#parts.slots.enter(job)
  }

  /** @returns `false` if the lease under which it was handed out has ended: it is with others, or will be */
  #letGo(job: J): boolean {
    const id = idOf(job)
    return this.#held.get(id) === job && this.#held.delete(id)
  }

  #left(job: J): void {
    const { limits } = this.#parts
    // Another job of the lane may run once the queue knows.
    this.#grantReturned ||= limits.lanes?.(job.lane) !== undefined
    this.#capacity.leave(job)
    this.#claims.left(job.lane)
  }

  /** A job that cannot be read is discarded when its turn comes, and logged then. */
  #waiting(due: DueJob): readonly { readonly job: J; readonly dueAt: number | null }[] {
    const job = this.#parts.codec.read(due)
    return job === null ? [] : [{ job, dueAt: due.dueAt }]
  }
}

/** A job that a shared queue has admitted, or handed out, has an id. */
function idOf({ id }: Job): string {
  return id as string
}
