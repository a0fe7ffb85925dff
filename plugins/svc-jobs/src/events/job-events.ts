/**
 * What happens to jobs, for listeners of this process. An end is told by the process that ran the last attempt, once it is
 * stored. A listener that fails is logged, and changes nothing for its job or for other listeners.
 */
import type { FastifyBaseLogger } from 'fastify'
import type { JobCause } from 'svc-kernel'
import type { BatchRecord } from '../records/batch-record.ts'
import type { JobRecord } from '../records/job-record.ts'

/** A job that has ended. */
export interface EndedJob extends Pick<JobRecord, 'id' | 'name' | 'state' | 'attempts' | 'reason'> {
  readonly cause: JobCause | null
}

/** What listeners get, by the name of the event. */
export interface JobEventMap {
  readonly done: EndedJob
  readonly failed: EndedJob
  readonly parked: EndedJob
  /** A batch: its jobs have all ended, and some are not done. */
  readonly stuck: BatchRecord
}

/** What may be listened to. */
export type JobEventName = keyof JobEventMap

/** What it returns is not waited for. */
export type JobListener<Name extends JobEventName> = (what: JobEventMap[Name]) => unknown

export class JobEvents {
  readonly #log: FastifyBaseLogger
  readonly #listeners = new Map<JobEventName, Set<JobListener<never>>>()

  constructor(log: FastifyBaseLogger) {
    this.#log = log
  }

  /** @returns ends it */
  on<Name extends JobEventName>(event: Name, listener: JobListener<Name>): () => void {
    const listeners = this.#listeners.get(event) ?? new Set()
    this.#listeners.set(event, listeners)
    // An object of its own, so that one function may listen twice.
    const own: JobListener<Name> = (what) => listener(what)
    listeners.add(own)
    return () => void listeners.delete(own)
  }

  emit<Name extends JobEventName>(event: Name, what: JobEventMap[Name]): void {
    for (const listener of this.#listeners.get(event) ?? []) void this.#tell(event, listener as JobListener<Name>, what)
  }

  /** Of batches that have changed, those that are stuck. */
  stuck(batches: readonly BatchRecord[]): void {
    for (const batch of batches) if (batch.state === 'stuck') this.emit('stuck', batch)
  }

  async #tell<Name extends JobEventName>(
    event: Name,
    listener: JobListener<Name>,
    what: JobEventMap[Name]
  ): Promise<void> {
    try {
      await listener(what)
    } catch (error) {
      this.#log.error({ err: error, code: 'SVC_JOBS_LISTENER', event, id: what.id }, 'a listener of jobs failed')
    }
  }
}
