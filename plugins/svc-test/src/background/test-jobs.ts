/** Jobs of an application in a test: they run when the test says so, at times that it chooses. */
import type { FastifyInstance } from 'fastify'
import { decoratorOf } from 'svc-kernel'
import type { ManualClock } from 'svc-stores/conformance'
import { CannotAdvance, CannotDrain, JobsFailed, TooManyJobs, UnknownJobName } from '../errors.ts'
import { spanMs } from './span.ts'

/** An attempt that a test has made. */
export interface RanJob {
  readonly id: string
  /** `null`: its record is gone. */
  readonly name: string | null
  /** As it was added. */
  readonly body: unknown
  /** From 1. */
  readonly attempt: number
  readonly result: 'done' | 'retried' | 'failed' | 'parked' | 'released' | 'withdrawn'
  /** Why it did not end well. */
  readonly reason: string | null
}

/** What a drain does about failures. */
export interface DrainOptions {
  /** Attempts that fail, and jobs that are parked, are returned in place of an error. Default `false`. */
  readonly allowFailures?: boolean
}

/** `fastify.jobs`, as far as tests use it. */
interface JobsView {
  readonly names: readonly string[]
  drain(options: { readonly limit: number }): Promise<readonly RanJob[]>
  list(query: { readonly state: 'waiting'; readonly limit: number; readonly before?: string }): Promise<{
    readonly items: readonly { readonly dueAt: number }[]
    readonly next: string | null
  }>
  readonly schedules: { list(): Promise<readonly { readonly next: readonly number[] }[]> }
}

/** More in one drain is a job that adds itself. */
const MOST = 1000
/** Moments at which something is due, in one advance. */
const MOST_MOMENTS = 10_000
const PAGE = 1000

const FAULTS = ['retried', 'failed', 'parked']

/** The jobs of one application. */
export class TestJobs {
  readonly #jobs: JobsView
  readonly #clock: ManualClock | undefined
  #done: readonly RanJob[] = []

  constructor(jobs: JobsView, clock: ManualClock | undefined) {
    this.#jobs = jobs
    this.#clock = clock
  }

  /**
   * Runs the jobs and the slots of schedules that are due, and what they add, one after the other, until none is left.
   *
   * @throws JobsFailed naming every attempt that failed and every job that was parked, once all have run; TooManyJobs
   */
  async drain({ allowFailures = false }: DrainOptions = {}): Promise<readonly RanJob[]> {
    const made = await this.#drained()
    if (!allowFailures) refuseFailures(made)
    return made
  }

  /** The attempts at jobs of this name that a drain has made and that are done, oldest first. @throws UnknownJobName */
  ran(name: string): readonly RanJob[] {
    const { names } = this.#jobs
    if (!names.includes(name)) throw new UnknownJobName(name, names.join(', ') || 'none')
    return this.#done.filter((job) => job.name === name)
  }

  /**
   * Moves the clock that was given to `buildApp`, and drains at each moment on the way at which a job or a slot is due.
   *
   * @param span `90s`, `15m`, `1h` or `7d`
   * @throws NoSpan, CannotAdvance, and as `drain`
   */
  async advance(span: string, { allowFailures = false }: DrainOptions = {}): Promise<readonly RanJob[]> {
    const ms = spanMs(span)
    const clock = this.#clock
    if (clock === undefined) throw new CannotAdvance()
    const end = clock.now() + ms
    const made = [...(await this.#drained())]
    for (let moments = 0; clock.now() < end; moments += 1) {
      if (moments === MOST_MOMENTS) throw new TooManyJobs(`${MOST_MOMENTS} moments`, span)
      clock.advance((await this.#nextDue(clock.now(), end)) - clock.now())
      made.push(...(await this.#drained()))
    }
    if (!allowFailures) refuseFailures(made)
    return made
  }

  async #drained(): Promise<readonly RanJob[]> {
    const made = await this.#jobs.drain({ limit: MOST })
    this.#done = [...this.#done, ...made.filter(({ result }) => result === 'done')]
    if (made.length === MOST) throw new TooManyJobs(`${MOST} jobs`, made.at(-1)?.name ?? 'unknown')
    return made
  }

  /** @returns epoch ms of what is due first after `now`; `end` where nothing is before it */
  async #nextDue(now: number, end: number): Promise<number> {
    let first = end
    const note = (at: number) => {
      if (at > now && at < first) first = at
    }
    for (const { next } of await this.#jobs.schedules.list()) for (const slot of next) note(slot)
    for (let before: string | null | undefined; before !== null; ) {
      const page = await this.#jobs.list({ state: 'waiting', limit: PAGE, ...(before !== undefined && { before }) })
      for (const { dueAt } of page.items) note(dueAt)
      before = page.next
    }
    return first
  }
}

function refuseFailures(made: readonly RanJob[]): void {
  const failed = made.filter(({ result }) => FAULTS.includes(result))
  if (failed.length === 0) return
  const lines = failed.map(({ id, name, attempt, result, reason }) => {
    return `${name ?? 'unknown'} (${id}), attempt ${attempt}, ${result}: ${reason ?? 'no reason'}`
  })
  throw new JobsFailed(lines.join('; '))
}

/** Applications that `buildApp` built, with their clocks. */
const built = new WeakMap<object, { readonly clock: ManualClock | undefined }>()
const opened = new WeakMap<object, TestJobs>()

export function keepClock(app: FastifyInstance, clock: ManualClock | undefined): void {
  built.set(app.server, { clock })
}

/** The jobs of an application that `buildApp` built. @throws CannotDrain for another one, or one without svc-jobs */
export function jobsOf(app: FastifyInstance): TestJobs {
  const known = opened.get(app.server)
  if (known !== undefined) return known
  const parts = built.get(app.server)
  const jobs = decoratorOf(app as unknown as { jobs: JobsView }, 'jobs')
  if (parts === undefined || jobs === null) throw new CannotDrain()
  const made = new TestJobs(jobs, parts.clock)
  opened.set(app.server, made)
  return made
}
