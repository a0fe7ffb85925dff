/**
 * The jobs of one lane: a queue of BullMQ. No worker runs on it; jobs are taken, locked, moved and finished by
 * the same scripts of BullMQ that a worker uses, so that its dashboards show them as those of any queue.
 */
import { Job, type JobsOptions, type Queue } from 'bullmq'
import type { DueJob, HeldJob, NewJob, Retry } from 'svc-queue/driver'
import type { Backend } from './backend.ts'

export interface LineParts {
  readonly backend: Backend
  readonly leaseMs: number
  /** At most one look for expired workers in this time, of all instances. */
  readonly sweepMs: number
}

export interface LineCounts {
  readonly waiting: number
  readonly held: number
}

/** What dashboards show as the name of each job. */
const JOB_NAME = 'job'
/** Events of a queue that BullMQ keeps for those who listen to it. */
const EVENTS_KEPT = 100
/** Whoever holds it. */
const ANY_TOKEN = '0'
/** An integer of PostgreSQL. */
const ALL = 2 ** 31 - 1

export class Line {
  readonly #queue: Queue
  readonly #backend: Backend
  readonly #leaseMs: number

  constructor(name: string, { backend, leaseMs, sweepMs }: LineParts) {
    this.#backend = backend
    this.#leaseMs = leaseMs
    // Those of a worker too: the scripts read them. A job is never failed for the workers that it lost.
    const options = {
      streams: { events: { maxLen: EVENTS_KEPT } },
      lockDuration: leaseMs,
      stalledInterval: sweepMs,
      maxStalledCount: ALL
    }
    this.#queue = backend.queue(name, options)
    // Each call that fails says so itself, and the client tells its owner.
    this.#queue.on('error', () => undefined)
  }

  /** A job that is there already stays as it is. */
  async add(added: readonly NewJob[]): Promise<void> {
    const jobs = added.map(({ id, payload, traceparent, delayMs = 0 }) => {
      // BullMQ keeps the trace of a job among its options.
      const trace = traceparent === undefined ? {} : { telemetry: { metadata: traceparent } }
      return {
        name: JOB_NAME,
        data: this.#backend.pack(payload),
        opts: { jobId: id, removeOnComplete: true, ...(delayMs > 0 && { delay: delayMs }), ...trace }
      }
    })
    await this.#queue.addBulk(jobs)
  }

  /** @returns the next that is due, locked by the worker; `null` where there is none */
  async take(worker: string): Promise<Omit<HeldJob, 'lane'> | null> {
    const [json, id] = await this.#queue.backend.moveToActive(worker)
    if (!json) return null
    return {
      id: String(id),
      payload: this.#backend.unpack(json.data),
      attempts: Number(json.attemptsMade ?? 0),
      ...traceOf(json.opts)
    }
  }

  /** @returns those whose lock is lost */
  extend(worker: string, ids: readonly string[]): Promise<string[]> {
    return this.#queue.backend.extendLocks([...ids], Array(ids.length).fill(worker), this.#leaseMs)
  }

  /** Frees what expired workers held. */
  async sweep(): Promise<void> {
    await this.#queue.backend.moveStalledJobsToWait()
  }

  /** Whoever holds it, and where nobody does. */
  async end(id: string): Promise<void> {
    const job = new Job(this.#queue, JOB_NAME, null, { jobId: id }, id)
    const ended = await unlessMoved(this.#queue.backend.moveToCompleted(job, null, true, ANY_TOKEN, false))
    if (!ended) await this.#queue.backend.remove(id, false)
  }

  async retry(worker: string, { id, attempts, delayMs }: Retry): Promise<void> {
    await this.#backend.setAttempts(this.#queue.name, worker, id, attempts)
    const fields = { skipAttempt: true, fieldsToUpdate: { atm: attempts } }
    await unlessMoved(this.#queue.backend.moveToDelayed(id, Date.now(), delayMs, worker, fields))
  }

  async release(worker: string, id: string): Promise<void> {
    await unlessMoved(this.#queue.backend.moveJobFromActiveToWait(id, worker))
  }

  /** Ids of what nobody holds. */
  waiting(): Promise<string[]> {
    return this.#queue.getRanges(['delayed', 'wait'], 0, -1)
  }

  /** What nobody holds: first what is due, then what is delayed. */
  async next(limit: number): Promise<Omit<DueJob, 'lane'>[]> {
    const ids = await this.#queue.getRanges(['wait', 'delayed'], 0, limit - 1, true)
    const jobs = await Promise.all(ids.slice(0, limit).map((id) => this.#queue.getJob(id)))
    return jobs.flatMap((job) => {
      if (job === undefined) return []
      const payload = this.#backend.unpack(JSON.stringify(job.data))
      return [{ id: String(job.id), payload, attempts: job.attemptsMade, dueAt: null, ...traceOf(job.opts) }]
    })
  }

  /** It is the next to be taken. What is held by now is left alone. */
  async reschedule(id: string): Promise<void> {
    await unlessMoved(this.#queue.backend.promote(id))
    await unlessMoved(this.#queue.backend.changePriority(id, 0, true))
  }

  /** Removes what nobody holds. @returns their ids */
  async clear(): Promise<string[]> {
    const waiting = await this.#queue.clean(0, 0, 'wait')
    const delayed = await this.#queue.clean(0, 0, 'delayed')
    return [...waiting, ...delayed]
  }

  async has(id: string): Promise<boolean> {
    return (await this.#queue.getJobState(id)) !== 'unknown'
  }

  async counts(): Promise<LineCounts> {
    const { wait = 0, delayed = 0, active = 0 } = await this.#queue.getJobCounts('wait', 'delayed', 'active')
    return { waiting: wait + delayed, held: active }
  }

  close(): Promise<void> {
    return this.#queue.close()
  }
}

function traceOf({ telemetry }: JobsOptions): Pick<HeldJob, 'traceparent'> {
  const { metadata } = telemetry ?? {}
  return metadata === undefined ? {} : { traceparent: metadata }
}

/** @returns `false` where the job has gone, or is no longer held by the one that asks: BullMQ answers with a number below 0 */
async function unlessMoved(work: Promise<unknown>): Promise<boolean> {
  try {
    await work
    return true
  } catch (error) {
    const { code } = error as { code?: unknown }
    if (typeof code === 'number' && code < 0) return false
    throw error
  }
}
