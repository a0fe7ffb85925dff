/** Instances of an application that look at one schedule, each with its clock and its release. */
import Fastify from 'fastify'
import { ManualClock } from 'svc-stores/conformance'
import { memoryDatabase } from 'svc-stores/table'
import { JobRegistry } from '../../src/definitions/job-registry.ts'
import { ScheduleLooks } from '../../src/schedules/schedule-looks.ts'
import type { ScheduleOptions } from '../../src/schedules/schedule-options.ts'
import { ScheduleRegistry } from '../../src/schedules/schedule-registry.ts'
import { TableSchedules } from '../../src/schedules/table-schedules.ts'

export const NAME = 'report'

export interface Line {
  readonly code?: string
  readonly level: string
}

export interface Instance {
  readonly clock: ManualClock
  readonly lines: Line[]
  readonly store: TableSchedules
  /** How often it heard that a job was stored, and the ids of those that were cancelled. */
  readonly added: number
  readonly cancelled: readonly string[]
  look(): Promise<number>
}

const log = (lines: Line[]) => {
  const { log: silent } = Fastify()
  const write = (level: string) => (line: { code?: string }) => void lines.push({ ...line, level })
  return { ...silent, info: write('info'), warn: write('warn'), error: write('error'), debug: write('debug') }
}

/** One database, and what happens in it at the true time. */
export class Instances {
  readonly true = new ManualClock()
  readonly #database = memoryDatabase({ name: 'default' })
  readonly store = new TableSchedules(this.#database, { clock: this.true })

  /** @param ahead how far its clock is ahead of the true time, ms */
  async start(cron: string, options: ScheduleOptions, ahead = 0): Promise<Instance> {
    const clock = new ManualClock(this.true.now() + ahead)
    const jobs = new JobRegistry({ retries: 0, timeoutS: 60 })
    jobs.add(NAME, {}, () => undefined)
    const registry = new ScheduleRegistry(jobs)
    registry.add(NAME, cron, options)
    await registry.seal(async (name, body) => {
      return { id: '', name, lane: name, body, uniqueKey: null, traceparent: null, cause: null, delayMs: 0 }
    })
    const store = new TableSchedules(this.#database, { clock })
    const lines: Line[] = []
    const heard = { added: 0, cancelled: [] as string[] }
    const looks = new ScheduleLooks({
      registry,
      store,
      clock,
      log: log(lines) as never,
      added: () => {
        heard.added += 1
      },
      cancelled: (id) => void heard.cancelled.push(id)
    })
    this.#clocks.add(clock)
    return Object.assign(heard, { clock, lines, store, look: () => looks.look() })
  }

  readonly #clocks = new Set<ManualClock>()

  advance(ms: number): void {
    this.true.advance(ms)
    for (const clock of this.#clocks) clock.advance(ms)
  }

  async record() {
    const [record] = await this.store.list()
    if (record === undefined) throw new Error('no schedule')
    return record
  }

  /** Jobs that wait in the queue. */
  async open(): Promise<readonly string[]> {
    const { next } = await this.store.jobs.queue.pending(NAME, 10_000)
    const jobs = await this.store.jobs.load(next.map(({ id }) => id))
    return jobs.filter(({ endedAt }) => endedAt === null).map(({ id }) => id)
  }

  /** Every job ends. */
  async finish(): Promise<void> {
    await this.store.jobs.end(await this.open(), { state: 'done', attempts: 1, reason: null })
  }

  /** Which of these slots have a job, by the ids of all jobs. */
  async slots(): Promise<readonly number[]> {
    const jobs = await this.store.jobs.list({ name: NAME }, 10_000)
    return jobs.map(({ id }) => Number.parseInt(id.slice(0, 13).replace('-', ''), 16)).sort((a, b) => a - b)
  }
}
