/**
 * Outcomes of jobs on their way into the shared queue, many in one batch. A batch that could not be written is written later,
 * under the name by which the worker held its jobs. Nobody knows whether such a write took place, so the worker takes
 * another name: no write that is late, or repeated, frees what it is handed out from then on.
 */
import type { Clock } from 'svc-kernel'
import type { OutcomeBatch, Queue, Retry } from '../queue.ts'
import type { WorkerLease } from './worker-lease.ts'

/** How long an outcome waits for others, ms: that much more runs twice when the process is killed. */
const GATHERED_MS = 10
/** If a write takes long, outcomes wait for so many times as long: most of the time is left for running jobs. */
const GATHERED_WRITES = 4
const LONGEST_GATHERED_MS = 50
const BATCH = 100
const RETRY_MS = 1_000

export interface OutcomeOwner {
  settled(outcomes: OutcomeBatch): void
  failed(operation: 'settle', error: unknown): void
}

export interface OutcomeParts {
  readonly clock: Clock
  readonly queue: Pick<Queue, 'settle'>
  readonly lease: Pick<WorkerLease, 'worker' | 'doubt'>
  readonly owner: OutcomeOwner
}

/** What is to be written under one name. */
interface Batch {
  readonly ended: string[]
  readonly retried: Retry[]
  readonly released: string[]
  /** Called once it is written. */
  readonly written: (() => void)[]
}

export class Outcomes {
  readonly #parts: OutcomeParts
  /** By the name of the worker, oldest first. */
  #batches = new Map<string, Batch>()
  #gatheredMs = GATHERED_MS
  #timer: unknown = null
  #writing: Promise<void> | null = null

  constructor(parts: OutcomeParts) {
    this.#parts = parts
  }

  ended(id: string): void {
    this.#current.ended.push(id)
    this.#soon()
  }

  /** Of a job that is held under the name of this moment. */
  retried(retry: Retry): void {
    this.#current.retried.push(retry)
    this.#soon()
  }

  /** Of a job that is held under the name of this moment. */
  released(id: string): void {
    this.#current.released.push(id)
    this.#soon()
  }

  /** Writes what waits. @throws what the write throws */
  async flush(): Promise<void> {
    await this.#writing
    this.#stopTimer()
    if (this.#size > 0) await this.#write()
  }

  get #current(): Batch {
    return this.#batchOf(this.#parts.lease.worker)
  }

  #batchOf(worker: string): Batch {
    const batch = this.#batches.get(worker) ?? { ended: [], retried: [], released: [], written: [] }
    this.#batches.set(worker, batch)
    return batch
  }

  get #size(): number {
    let size = 0
    for (const batch of this.#batches.values()) size += sizeOf(batch)
    return size
  }

  #soon(): void {
    if (this.#writing !== null) return
    if (this.#size >= BATCH) this.#begin()
    else this.#timer ??= this.#parts.clock.setTimeout(() => this.#begin(), this.#gatheredMs)
  }

  #begin(): void {
    this.#stopTimer()
    this.#writing ??= this.#write()
      .then(
        () => 0,
        (error: unknown) => {
          this.#parts.owner.failed('settle', error)
          return RETRY_MS
        }
      )
      .then((pause) => {
        this.#writing = null
        if (this.#size === 0) return
        if (pause === 0) this.#soon()
        else this.#timer ??= this.#parts.clock.setTimeout(() => this.#begin(), pause)
      })
  }

  async #write(): Promise<void> {
    const batches = this.#batches
    this.#batches = new Map()
    const { clock, queue, owner } = this.#parts
    const began = clock.now()
    try {
      for (const [worker, { ended, retried, released, written }] of batches) {
        const outcomes = { ended, retried, released }
        await queue.settle(worker, outcomes)
        batches.delete(worker)
        owner.settled(outcomes)
        for (const tell of written) tell()
      }
    } catch (error) {
      this.#putBack(batches)
      throw error
    }
    const wanted = (clock.now() - began) * GATHERED_WRITES
    this.#gatheredMs = Math.min(Math.max(wanted, GATHERED_MS), LONGEST_GATHERED_MS)
  }

  /** Before what came since. */
  #putBack(batches: Map<string, Batch>): void {
    const { lease } = this.#parts
    const since = this.#batches
    const [failed] = batches.keys()
    this.#batches = batches
    for (const [worker, later] of since) {
      const { ended, retried, released, written } = this.#batchOf(worker)
      ended.push(...later.ended)
      retried.push(...later.retried)
      released.push(...later.released)
      written.push(...later.written)
    }
    if (failed === lease.worker) lease.doubt(new Promise<void>((resolve) => this.#current.written.push(resolve)))
  }

  #stopTimer(): void {
    if (this.#timer !== null) this.#parts.clock.clearTimeout(this.#timer)
    this.#timer = null
  }
}

function sizeOf({ ended, retried, released }: Batch): number {
  return ended.length + retried.length + released.length
}
