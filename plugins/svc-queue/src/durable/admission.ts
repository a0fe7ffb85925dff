/**
 * Jobs on their way into the shared queue: gathered on the stack of the caller, written a batch at a time in a later turn.
 * Their ids are derived, so that a batch that is written again is there once. What may wait is bounded; no caller has been
 * promised that it is stored.
 */
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from 'svc-kernel'
import { BatchWriter } from 'svc-stores/plugin'
import type { Job, JobHandler } from '../job.ts'
import type { HeldJob, NewJob, Queue } from '../queue.ts'
import type { QueueTexts } from '../texts.ts'
import type { Capacity } from './capacity.ts'
import type { WorkerLease } from './worker-lease.ts'

/** A job as the shared queue keeps it. */
export interface JobCodec<J extends Job> {
  /** The same for the same work, also on another instance and after a crash. */
  idOf(job: J): string
  /** @returns the payload, JSON; `null`, with a log line, if it cannot be written */
  write(job: J): string | null
  /** @returns `null` for a job that no instance will ever run */
  read(held: HeldJob): J | null
  /** The job was handed out, and cannot be read: it is discarded. */
  unreadable(held: HeldJob): void
}

export interface AdmissionOwner<J extends Job> {
  /** @param held ids of those that this worker holds */
  stored(batch: readonly J[], held: ReadonlySet<string>): void
}

export interface AdmissionParts<J extends Job> {
  readonly clock: Clock
  readonly log: FastifyBaseLogger
  /** Without deadlines: the writer has its own. */
  readonly queue: Pick<Queue, 'admit'>
  readonly lease: Pick<WorkerLease, 'alive' | 'holding'>
  readonly capacity: Pick<Capacity, 'wanted'>
  readonly codec: JobCodec<J>
  readonly handler: Pick<JobHandler<J, never>, 'happened'>
  readonly texts: QueueTexts
  readonly owner: AdmissionOwner<J>
}

/** What the writer has under way, so that it is prepared once however often it is written. */
interface Prepared<J extends Job> {
  readonly from: readonly J[]
  readonly jobs: readonly J[]
  readonly rows: readonly Omit<NewJob, 'held'>[]
}

export class Admission<J extends Job> {
  readonly #parts: AdmissionParts<J>
  readonly #writer: BatchWriter<J, () => void>
  #prepared: Prepared<J> = { from: [], jobs: [], rows: [] }
  #stopped = false

  constructor(parts: AdmissionParts<J>) {
    const { clock, log, texts } = parts
    this.#parts = parts
    this.#writer = new BatchWriter({
      clock,
      log,
      write: (batch) => this.#write(batch),
      onWritten: (stored) => stored(),
      batchSize: 100,
      maxWaiting: 50_000,
      closeDeadlineMs: 5_000,
      timeout: texts.timeout,
      unwritten: () => texts.unavailable('admit'),
      failure: { code: texts.code, text: texts.failed.admit },
      loss: null
    })
  }

  /** @returns `false` if too many wait already */
  add(job: J): boolean {
    return this.#writer.add(job) !== Number.POSITIVE_INFINITY
  }

  /** Resolves when all jobs that were added are stored. Rejects with `unavailable` as soon as a write fails. */
  stored(): Promise<void> {
    return this.#writer.storedUpTo(this.#writer.added)
  }

  /** This worker runs nothing more: it stores what comes for others. */
  stop(): void {
    this.#stopped = true
  }

  /** Takes nothing more, and writes what waits while the deadline lasts. @returns how many could not be stored */
  close(): Promise<number> {
    return this.#writer.close()
  }

  async #write(from: readonly J[]): Promise<() => void> {
    const { queue, lease, capacity, owner } = this.#parts
    if (this.#prepared.from !== from) this.#prepared = this.#prepare(from)
    const { jobs, rows } = this.#prepared
    if (jobs.length === 0) return () => undefined
    const wanted = this.#stopped || !lease.alive ? null : capacity.wanted(jobs)
    const batch = rows.map((row, at) => ({ ...row, held: wanted?.has(jobs[at] as J) ?? false }))
    const held = await lease.holding((worker) => queue.admit(worker, batch))
    return () => owner.stored(jobs, new Set(held))
  }

  #prepare(from: readonly J[]): Prepared<J> {
    const { codec, handler } = this.#parts
    const [jobs, rows]: [J[], Omit<NewJob, 'held'>[]] = [[], []]
    for (const job of from) {
      const payload = codec.write(job)
      if (payload === null) {
        handler.happened('discarded', job)
        continue
      }
      job.id = codec.idOf(job)
      jobs.push(job)
      rows.push({ id: job.id, lane: job.lane, payload, ...(job.traceparent && { traceparent: job.traceparent }) })
    }
    return { from, jobs, rows }
  }
}
