/** What waits in the queue of jobs, of all instances: for metrics, and for a health check that says when it waits too long. */
import { Degraded } from 'svc-kernel'
import type { QueueBacklog } from 'svc-kernel/plugin'
import type { Queue } from 'svc-queue/driver'
import { MAINTENANCE_LANE } from '../definitions/system-jobs.ts'
import type { JobQueue } from './job-queue.ts'

export interface JobBacklogParts {
  readonly queue: Pick<Queue, 'counts' | 'lanes' | 'pending'>
  readonly lateMs: JobQueue['lateMs']
  /** Lanes that definitions and options name. */
  readonly lanes: () => readonly string[]
  /** A job that has been due for longer, in ms, is late. */
  readonly lateAfterMs: number
}

/** Lanes that one read lists. Where there are more, each that has a name is asked for. */
const MOST_LISTED = 1000

/** Lanes that only bodies name may be any number: they are one. */
const OTHERS = '(other)'

export class JobBacklog {
  readonly #parts: JobBacklogParts

  constructor(parts: JobBacklogParts) {
    this.#parts = parts
  }

  /** Rejects if the queue cannot be reached. */
  async read(): Promise<QueueBacklog> {
    const { queue, lanes, lateMs: late } = this.#parts
    const [{ waiting }, lateMs, listed] = await Promise.all([
      queue.counts(),
      late(),
      queue.lanes?.list({ limit: MOST_LISTED }) ?? null
    ])
    const there = new Map(listed?.map((state) => [state.lane, state.waiting]))
    const isWhole = waiting === 0 || (listed !== null && listed.length < MOST_LISTED)
    const counts = new Map<string, number>()
    let others = waiting
    for (const lane of [MAINTENANCE_LANE, ...lanes()]) {
      const count = there.get(lane) ?? (isWhole ? 0 : (await queue.pending(lane, 1)).waiting)
      others -= count
      if (lane !== MAINTENANCE_LANE) counts.set(lane, count)
    }
    // Jobs move while they are counted.
    return { lateMs, lanes: counts.set(OTHERS, Math.max(0, others)) }
  }

  /** Rejects if the queue cannot be reached. @throws Degraded while a job is late; never of a queue that cannot say */
  async check(): Promise<void> {
    const { lateAfterMs } = this.#parts
    const lateMs = (await this.#parts.lateMs()) ?? 0
    if (lateMs <= lateAfterMs) return
    throw new Degraded(`a job has been due for ${seconds(lateMs)} s; more than ${seconds(lateAfterMs)} s is late`)
  }
}

function seconds(ms: number): string {
  return String(Math.floor(ms / 1000))
}
