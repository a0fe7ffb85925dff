/**
 * The leases of workers. A worker counts its own heartbeats; another one has expired when its count did not change over
 * several of them. No time is compared, so clocks that differ, or are set, free nothing. Jobs under a name without a row
 * were written after that worker had left or expired, and are freed when they are seen.
 */
import { atLeast, type Database, not, type Table, type TablePlan } from 'svc-stores/table'
import { MISSED_HEARTBEATS } from '../queue.ts'

interface Row {
  readonly id: string
  /** Heartbeats, counted up; `EXPIRED` once another worker missed them. */
  readonly beat: number
}

const EXPIRED = -1

interface Watch {
  beat: number
  /** Heartbeats of the watcher without one of the other. */
  missed: number
}

/** The jobs, as far as leases concern them. */
export interface HeldJobs {
  /** The workers that hold any. */
  workers(): Promise<readonly string[]>
  /** Frees what a worker holds. */
  release(worker: string): Promise<unknown>
}

export class WorkerTable {
  readonly #table: Table<Row>
  readonly #jobs: HeldJobs
  /** By worker of this process, what it saw of the others. */
  readonly #seen = new Map<string, Map<string, Watch>>()

  constructor(database: Database, names: Omit<TablePlan, 'columns'>, jobs: HeldJobs) {
    this.#table = database.table({
      ...names,
      columns: [
        { name: 'id', type: 'text' },
        { name: 'beat', type: 'integer' }
      ]
    })
    this.#jobs = jobs
  }

  /** @returns `false` if the worker has expired */
  async heartbeat(worker: string): Promise<boolean> {
    const seen = this.#seen.get(worker)
    if (seen === undefined) {
      if ((await this.#table.insertNew([{ id: worker, beat: 0 }])) === 0) return false
      this.#seen.set(worker, new Map())
      return true
    }
    if ((await this.#table.update({ id: worker, beat: atLeast(0) }, { add: { beat: 1 } })) === 0) {
      this.#seen.delete(worker)
      return false
    }
    await this.#watch(worker, seen)
    return true
  }

  async leave(worker: string): Promise<void> {
    this.#seen.delete(worker)
    await this.#jobs.release(worker)
    await this.#table.delete({ id: worker })
  }

  async #watch(worker: string, seen: Map<string, Watch>): Promise<void> {
    // Holders first: a worker has its row before it holds anything.
    const holders = await this.#jobs.workers()
    const others = await this.#table.find({ id: not(worker) })
    const known = new Set(others.map(({ id }) => id))
    for (const holder of holders) if (holder !== worker && !known.has(holder)) await this.#jobs.release(holder)
    for (const id of seen.keys()) if (!known.has(id)) seen.delete(id)
    for (const { id, beat } of others) {
      const watch = seen.get(id) ?? { beat, missed: -1 }
      watch.missed = watch.beat === beat ? watch.missed + 1 : 0
      watch.beat = beat
      seen.set(id, watch)
      if (beat === EXPIRED || watch.missed >= MISSED_HEARTBEATS) await this.#expire({ id, beat })
    }
  }

  /** Marked first: a worker that is only late finds out before it continues. Any other may finish what one that dies here began. */
  async #expire({ id, beat }: Row): Promise<void> {
    if (beat !== EXPIRED && (await this.#table.update({ id, beat }, { set: { beat: EXPIRED } })) === 0) return
    await this.#jobs.release(id)
    await this.#table.delete({ id, beat: EXPIRED })
  }
}
