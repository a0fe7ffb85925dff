/**
 * Runs what is due in this process, one job after the other, until nothing is: in tests, and in processes that a timer
 * of the platform starts. It holds a job as every worker does, so others run none of its jobs, and it runs none of theirs.
 */
import type { Clock } from 'svc-kernel'
import { type JobResult, randomId } from 'svc-kernel/plugin'
import type { HeldJob, LaneRules, Queue } from 'svc-queue/driver'
import { HEARTBEAT_MS } from 'svc-queue/driver'
import type { LaneLimits } from '../lanes/lane-limits.ts'
import { Interrupted } from './attempt.ts'
import { resultOf } from './job-outcome.ts'
import type { JobRunner } from './job-runner.ts'

/** An attempt that a drain has made. */
export interface DrainedAttempt {
  readonly id: string
  /** `null`: the job has no record. */
  readonly name: string | null
  /** As it was stored before the attempt. */
  readonly body: unknown
  /** From 1. */
  readonly attempt: number
  readonly result: JobResult
  /** Why it did not end well. */
  readonly reason: string | null
}

export interface JobDrainParts {
  readonly queue: Queue
  readonly runner: JobRunner
  /** Makes slots of schedules that are due. */
  readonly look: () => Promise<unknown>
  /** Of lanes, over all workers. */
  readonly limits: Pick<LaneLimits, 'of'>
  readonly clock: Clock
}

export class JobDrain {
  readonly #parts: JobDrainParts

  constructor(parts: JobDrainParts) {
    this.#parts = parts
  }

  /** @param limit attempts after which it ends although more is due */
  async run(limit: number): Promise<readonly DrainedAttempt[]> {
    const { queue, look, limits } = this.#parts
    const made: DrainedAttempt[] = []
    const worker = randomId('drain')
    const lease = new DrainLease(worker, this.#parts)
    // A job that waits for the rate of its lane is due later.
    const rules: LaneRules = { limits: (lane) => limits.of(lane), later: () => undefined }
    await lease.begin()
    try {
      while (made.length < limit) {
        await look()
        const [held] = await queue.claim(worker, 1, () => 1, rules)
        if (held === undefined) break
        const attempt = await this.#run(lease, held)
        if (attempt !== null) made.push(attempt)
      }
      return made
    } finally {
      await lease.end()
    }
  }

  /** @returns `null` for the job of a maintenance task */
  async #run(lease: DrainLease, held: HeldJob): Promise<DrainedAttempt | null> {
    const { queue, runner } = this.#parts
    const { worker } = lease
    // One at a time: whoever looks sees which.
    const job = runner.read({ ...held, lapses: undefined })
    lease.job = job.jobId
    job.attempts += 1
    const attempt = job.attempts
    const record = await job.record
    const outcome = await runner.attempt(job)
    const { verdict, delayMs, reason, ending } = outcome
    const outcomes = { ended: [] as string[], retried: [], released: [] }
    if (verdict === 'retry') {
      const retried = [{ id: held.id, attempts: job.attempts, delayMs: delayMs ?? 0 }]
      await queue.settle(worker, { ...outcomes, retried })
    } else {
      await runner.record(job, outcome)
      await queue.settle(worker, { ...outcomes, ended: [held.id] })
    }
    if (record?.system === true) return null
    return {
      id: job.jobId,
      name: record?.name ?? null,
      body: record?.body,
      attempt,
      result: resultOf(outcome),
      reason: reason ?? ending?.reason ?? null
    }
  }
}

/** Others get the job of a drain that dies, and not that of one whose job takes long. */
class DrainLease {
  /** The job that is held. */
  job: string | null = null
  readonly worker: string
  readonly #parts: JobDrainParts
  #timer: unknown = null
  #ended = false

  constructor(worker: string, parts: JobDrainParts) {
    this.worker = worker
    this.#parts = parts
  }

  /** Rejects if the queue cannot be reached. */
  async begin(): Promise<void> {
    const { queue } = this.#parts
    await queue.heartbeat(this.worker)
    this.#wait()
  }

  async end(): Promise<void> {
    const { queue, clock } = this.#parts
    this.#ended = true
    clock.clearTimeout(this.#timer)
    await queue.leave(this.worker)
  }

  #wait(): void {
    if (!this.#ended) this.#timer = this.#parts.clock.setTimeout(() => void this.#beat(), HEARTBEAT_MS)
  }

  async #beat(): Promise<void> {
    const { queue, runner } = this.#parts
    const isAlive = await queue.heartbeat(this.worker).catch(() => true)
    // Another worker may hold the job by now.
    if (!isAlive && this.job !== null) runner.abort(this.job, new Interrupted())
    this.#wait()
  }
}
