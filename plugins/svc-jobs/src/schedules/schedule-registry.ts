/** The schedules that a release declares: read while plugins register, and checked together before the start. */
import { BootError, type Problem } from 'svc-kernel'
import { readableError } from 'svc-kernel/plugin'
import type { JobRegistry } from '../definitions/job-registry.ts'
import { isSystemName } from '../definitions/system-jobs.ts'
import type { NewRecord } from '../records/job-store.ts'
import { readCalendar } from './calendar.ts'
import type { SlotRules } from './schedule-move.ts'
import { CATCH_UPS, OVERLAPS, type ScheduleOptions } from './schedule-options.ts'
import { textOf } from './schedule-record.ts'

/** A schedule with every default filled in. */
export interface Schedule extends SlotRules {
  readonly name: string
  readonly cron: string
  readonly zone: string
  /** The job of a slot, but for its id. */
  readonly job: NewRecord
}

interface Declaration {
  readonly name: string
  readonly cron: string
  readonly options: ScheduleOptions
  /** Where the code has it, as far as that is known. */
  readonly at: string | undefined
}

/** Makes the job of a schedule, as `jobs.add` would store it. @throws InvalidJobBody */
export type PrepareJob = (name: string, body: unknown, as?: string) => Promise<NewRecord>

export class ScheduleRegistry {
  readonly #jobs: JobRegistry
  readonly #declared: Declaration[] = []
  #schedules: ReadonlyMap<string, Schedule> = new Map()
  readonly #system = new Set<string>()
  #sealed = false

  constructor(jobs: JobRegistry) {
    this.#jobs = jobs
  }

  get size(): number {
    return this.#declared.length
  }

  /** By name, once they are checked. */
  get all(): readonly Schedule[] {
    return [...this.#schedules.values()]
  }

  find(name: string): Schedule | undefined {
    return this.#schedules.get(name)
  }

  /** What is wrong with it is said by `seal`. @throws BootError (SVC_JOBS_SCHEDULE) after the start */
  add(name: string, cron: string, options: ScheduleOptions, at?: string): void {
    const late = { message: 'it is declared after the start', fix: 'declare schedules while plugins register' }
    if (this.#sealed) throw new BootError([problem({ name, at }, late)])
    this.#declared.push({ name, cron, options: { ...options }, at })
  }

  /** Of a maintenance task. */
  addSystem(name: string, cron: string, options: ScheduleOptions): void {
    this.#system.add(name)
    this.add(name, cron, options)
  }

  /** Declarations end. @throws BootError (SVC_JOBS_SCHEDULE) with the problems of all */
  async seal(prepare: PrepareJob): Promise<void> {
    this.#sealed = true
    const schedules = new Map<string, Schedule>()
    const problems: Problem[] = []
    for (const declaration of this.#declared) {
      const faults: Fault[] = []
      const { name } = declaration
      if (!/^[\w.:-]{1,100}$/.test(name)) faults.push({ message: 'a name has 1 to 100 letters, digits and . : - _' })
      if (isSystemName(name) && !this.#system.has(name))
        faults.push({ message: 'its name is one of a maintenance task' })
      if (schedules.has(name)) faults.push({ message: 'another schedule has this name', fix: SEVERAL })
      const schedule = await this.#read(declaration, prepare, faults)
      if (schedule !== null) schedules.set(name, schedule)
      problems.push(...faults.map((fault) => problem(declaration, fault)))
    }
    if (problems.length > 0) throw new BootError(problems)
    this.#schedules = schedules
  }

  async #read(declaration: Declaration, prepare: PrepareJob, faults: Fault[]): Promise<Schedule | null> {
    const { name, cron, options } = declaration
    const { zone, job: jobName = name, body = {}, catchUp = 'latest', overlap = 'skip' } = options
    const calendar = readCalendar(cron, zone)
    if ('message' in calendar) faults.push(calendar)
    if (!CATCH_UPS.includes(catchUp)) faults.push(notOneOf('catchUp', catchUp, CATCH_UPS))
    if (!OVERLAPS.includes(overlap)) faults.push(notOneOf('overlap', overlap, OVERLAPS))
    const job = await this.#job(jobName, () => prepare(jobName, body, options.as), faults)
    if (job === null || 'message' in calendar) return null
    const text = { cron: cron.trim().replace(/\s+/g, ' '), zone }
    return { name, ...text, text: textOf(text), catchUp, overlap, job, calendar }
  }

  async #job(name: string, prepare: () => Promise<NewRecord>, faults: Fault[]): Promise<NewRecord | null> {
    if (this.#jobs.find(name) === undefined) {
      const expected = this.#jobs.names.join(' | ') || 'a job that fastify.jobs.define defines'
      faults.push({
        message: `no job is named "${name}"`,
        expected,
        fix: 'define the job, or name it in the option job'
      })
      return null
    }
    try {
      return await prepare()
    } catch (error) {
      faults.push({ message: readableError(error).message, fix: 'correct the option body' })
      return null
    }
  }
}

const SEVERAL = 'give each schedule a name, and name the job in the option job'

type Fault = Pick<Problem, 'message' | 'expected' | 'fix' | 'got'>

function notOneOf(option: string, got: unknown, expected: readonly string[]): Fault {
  return { message: `the option ${option} is not valid`, got: JSON.stringify(got), expected: expected.join(' | ') }
}

function problem({ name, at }: Pick<Declaration, 'name' | 'at'>, { message, ...rest }: Fault): Problem {
  return {
    code: 'SVC_JOBS_SCHEDULE',
    message: `the schedule "${name}": ${message}`,
    at,
    ...rest,
    more: 'npx svc docs schedules'
  }
}
