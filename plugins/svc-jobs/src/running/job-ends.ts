/** Stores what became of attempts, and how jobs have ended: those of one turn together, again until it is stored, and then says so. */
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from 'svc-kernel'
import type { JobEvents } from '../events/job-events.ts'
import { shownCause } from '../operations/job-cause.ts'
import type { JobRecord } from '../records/job-record.ts'
import type { Ending, JobStore } from '../records/job-store.ts'
import { Gathered } from './gathered.ts'

export interface JobEndsParts {
  readonly store: Pick<JobStore, 'end'>
  readonly clock: Clock
  readonly log: FastifyBaseLogger
  /** Default: nobody listens. */
  readonly events?: JobEvents | undefined
  /** Jobs that waited for others wait for workers now. */
  readonly admitted?: (() => void) | undefined
}

interface Ended {
  readonly id: string
  readonly ending: Ending
  /** Epoch ms, where the record does not say so. */
  readonly begunAt: number | undefined
}

/** Attempts that began within so many ms are said to have begun with the first of them. */
const ONE_BEGIN_MS = 100

/** When the end of a job is written again that could not be stored, ms. */
const WRITE_AGAIN_MS = 1_000

export class JobEnds {
  readonly #parts: JobEndsParts
  /** Answers whether the job ended so. */
  readonly #ended: Gathered<Ended, boolean>
  #released = false

  constructor(parts: JobEndsParts) {
    this.#parts = parts
    this.#ended = new Gathered((jobs) => this.#write(jobs))
  }

  /** Once the application stops it never resolves: the queue hands the job out again. */
  async store(record: JobRecord, ending: Ending, begunAt?: number): Promise<void> {
    const { id, name } = record
    const { events } = this.#parts
    const isEnded = await this.again(id, () => this.#ended.get({ id, ending, begunAt }))
    const { state, attempts, reason } = ending
    if (isEnded && !record.system)
      events?.emit(state, { id, name, state, attempts, reason, cause: shownCause(record.cause) })
  }

  release(): void {
    this.#released = true
  }

  /** Until it is stored; once the application stops it never resolves. */
  async again<T>(id: string, write: () => Promise<T>): Promise<T> {
    const { clock, log } = this.#parts
    for (;;) {
      try {
        return await write()
      } catch (error) {
        log.error({ err: error, code: 'SVC_JOBS_STORE', job: id }, 'what became of an attempt could not be stored')
      }
      await new Promise<void>((resolve) => clock.setTimeout(() => this.#released || resolve(), WRITE_AGAIN_MS))
    }
  }

  async #write(jobs: readonly Ended[]): Promise<readonly boolean[]> {
    const { store, events, admitted } = this.#parts
    const missed = new Set<string>()
    // One write for all that are alike.
    const alike = ({ ending, begunAt }: Ended) =>
      JSON.stringify([ending, begunAt === undefined ? null : Math.floor(begunAt / ONE_BEGIN_MS)])
    for (const group of Map.groupBy(jobs, alike).values()) {
      const ids = group.map(({ id }) => id)
      const { ending } = group[0] as Ended
      const begun = group.flatMap(({ begunAt }) => begunAt ?? [])
      const ends = await store.end(ids, begun.length === 0 ? ending : { ...ending, startedAt: Math.min(...begun) })
      for (const id of ends.missed) missed.add(id)
      events?.stuck(ends.batches)
      if (ends.batches.some(({ state, next }) => state === 'done' && next !== null)) admitted?.()
    }
    return jobs.map(({ id }) => !missed.has(id))
  }
}
