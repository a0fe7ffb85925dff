/** A worker whose handler notes what happens, with jobs that the test ends. */
import { inMemory } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import type { Test } from 'tap'
import {
  type Attempt,
  type Job,
  type JobCodec,
  type JobEvent,
  type JobHandler,
  type Queue,
  Worker,
  type WorkerLimits
} from '../../src/index.ts'
import type { HeldJob } from '../../src/queue.ts'
import { aJob, jobsStore, listeningLog, settle, TEXTS } from './jobs.ts'

export const DONE: Attempt = { verdict: 'done', health: 'quick', delayMs: null }
export const FAILED: Attempt = { verdict: 'failed', health: 'quick', delayMs: null }
export const LATER: Attempt = { verdict: 'retry', health: 'unproven', delayMs: 5_000 }

const LIMITS = { maxQueue: 1000, maxConcurrent: 8 }

/** Notes what happens; attempts stay open until the test ends them, or get `answer`. */
export class Recorder implements JobHandler<Job, Attempt>, JobCodec<Job> {
  readonly events: [event: JobEvent, id: string][] = []
  readonly open: { readonly job: Job; end(attempt: Attempt): void; fail(error: Error): void }[] = []
  readonly recorded: string[] = []
  readonly withdrawals: string[] = []
  readonly errors: unknown[] = []
  answer: ((job: Job) => Attempt) | null = null
  bursts = 0
  recordsAside = false
  leasesLost = 0
  /** Until it is over, the end of a job is being recorded. */
  recording: Promise<void> = Promise.resolve()

  attempt(job: Job): Promise<Attempt> {
    if (this.answer !== null) return Promise.resolve(this.answer(job))
    return new Promise((resolve, reject) => this.open.push({ job, end: resolve, fail: reject }))
  }

  async record(job: Job): Promise<void> {
    await this.recording
    this.recorded.push(String(job.id))
  }

  leaseLost(): void {
    this.leasesLost += 1
  }

  happened(event: JobEvent, job: Job): void {
    this.events.push([event, String(job.id)])
  }

  withdrawn(job: Job): void {
    this.withdrawals.push(String(job.id))
  }

  impossible(_job: Job, error: unknown): void {
    this.errors.push(error)
  }

  roomAgain(): void {
    this.bursts += 1
  }

  idOf({ id }: Job): string {
    return String(id)
  }

  write({ id }: Job): string | null {
    return id === 'unwritable' ? null : JSON.stringify({ id })
  }

  read({ id, lane, payload, attempts }: HeldJob): Job | null {
    return payload === '"unreadable"' ? null : { ...aJob(lane, id), attempts }
  }

  unreadable({ id }: HeldJob): void {
    this.errors.push(id)
  }

  count(event: JobEvent): number {
    return this.events.filter(([name]) => name === event).length
  }
}

export interface Given {
  readonly clock?: ManualClock
  readonly queue?: Queue
  readonly limits?: Partial<WorkerLimits>
}

export function aWorker(t: Test, { clock = new ManualClock(), queue, limits = {} }: Given = {}) {
  const { log, lines } = listeningLog()
  const handler = new Recorder()
  const shared = queue === undefined ? null : { queue, codec: handler, texts: TEXTS }
  const worker = new Worker<Job, Attempt>({ handler, limits: { ...LIMITS, ...limits }, shared, clock, log })
  const close = async () => {
    const stopping = worker.stop(1_000)
    await settle()
    clock.advance(1_000)
    await stopping
    await worker.close()
  }
  t.teardown(close)
  return { worker, handler, clock, lines, close }
}

/** Lets this many seconds pass, one by one. */
export async function pass(clock: ManualClock, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    clock.advance(1_000)
    await settle()
  }
}

/** Outcomes of a moment are written. */
export async function written(clock: ManualClock): Promise<void> {
  await settle()
  clock.advance(10)
  await settle()
}

/** A queue that notes calls, is away where a test says so, and waits before it answers. */
export function watchedQueue(clock: ManualClock) {
  const kept = inMemory(jobsStore, { clock })
  const calls: [name: string, given: readonly unknown[]][] = []
  const gates = new Map<string, Promise<void>>()
  const state = { away: false }
  const queue = new Proxy(kept, {
    get: (target, name: keyof Queue) => {
      const call = target[name]
      if (typeof call !== 'function') return call
      return async (...given: unknown[]) => {
        calls.push([name, given])
        if (state.away) throw new Error('away')
        const answer = await (call as (...given: unknown[]) => unknown).apply(target, given)
        await gates.get(name)
        return answer
      }
    }
  })
  return { queue, calls, gates, state }
}
