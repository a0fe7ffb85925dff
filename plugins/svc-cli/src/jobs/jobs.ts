/**
 * `svc jobs`: jobs and schedules in the database of the application, beside its servers. The application boots, opens no
 * port and runs no job: what a command adds or retries is run by an instance that runs jobs.
 */
import type { FastifyInstance } from 'fastify'
import { inspectApp } from '../application/inspect-app.ts'
import { auditChange, type JobsView, jobsOf, type ListedLane } from '../application/jobs-view.ts'
import { CommandError } from '../errors.ts'
import type { AppOptions } from '../options.ts'
import { print, printJson } from '../output.ts'
import { jobsText, jobText, lanesText, schedulesText } from './jobs-text.ts'

interface JsonOptions extends AppOptions {
  json?: true
}

interface SystemOptions extends JsonOptions {
  /** Those of maintenance tasks. */
  system?: boolean
}

export interface ListJobsOptions extends SystemOptions {
  state?: string
  name?: string
  limit: string
}

const MOST = 1000

/** @throws CommandError SVC_JOB_ARGUMENT (2), and as all of these SVC_JOB_NONE, SVC_JOB_VOLATILE */
export async function listJobs({
  state,
  name,
  system = false,
  limit: given,
  json,
  ...options
}: ListJobsOptions): Promise<void> {
  const limit = /^\d{1,4}$/.test(given) ? Number(given) : 0
  if (limit < 1 || limit > MOST) throw wrongArgument('--limit', given, `1 to ${MOST}`, '--limit 50')
  const query = { limit, system, ...(state !== undefined && { state }), ...(name !== undefined && { name }) }
  const { items, next } = await withJobs(options, 'list', (jobs) => {
    if (state === undefined || jobs.states.includes(state)) return jobs.list(query)
    throw wrongArgument('--state', state, jobs.states.join(' | '), '--state failed')
  })
  if (json === true) printJson(items)
  else if (items.length === 0) print('no jobs')
  else print(jobsText(items) + (next === null ? '' : `\nthe newest ${limit}; --limit shows more`))
}

/** @throws CommandError SVC_JOBS_NOT_FOUND */
export async function showJob(id: string, { json, ...options }: JsonOptions): Promise<void> {
  const job = await withJobs(options, `show ${id}`, (jobs) => jobs.masked(id))
  if (json === true) printJson(job)
  else print(jobText(job))
}

export interface RunJobOptions extends JsonOptions {
  /** JSON. */
  body?: string
}

/**
 * Adds the job of a schedule; with a body, or without such a schedule, a job of that name.
 *
 * @throws CommandError SVC_JOB_ARGUMENT (2), SVC_JOBS_UNKNOWN, SVC_JOBS_BODY, SVC_JOBS_SCHEDULE_BUSY
 */
export async function runJob(name: string, { body: text, json, ...options }: RunJobOptions): Promise<void> {
  const body = text === undefined ? undefined : bodyOf(text)
  const job = await withJobs(options, `run ${name}`, async (jobs, fastify) => {
    const kinds = body === undefined ? [false, true] : []
    const schedules = await Promise.all(kinds.map((system) => jobs.schedules.list({ system })))
    const isSchedule = schedules.flat().some((schedule) => schedule.declared && schedule.name === name)
    const added = isSchedule
      ? { ...(await jobs.schedules.runNow(name)), added: true }
      : await jobs.add(name, body ?? {})
    if (added.added) auditChange(fastify, isSchedule ? 'schedule.run' : 'job.run', isSchedule ? name : added.id)
    return added
  })
  if (json === true) printJson({ id: job.id, name: job.name, added: job.added })
  else if (job.added) print(`added job ${job.id} (${job.name}); npx svc jobs show ${job.id} tells what becomes of it`)
  else print(`no job was added: ${job.id} has the same unique key and has not ended`)
}

export interface RetryJobsOptions extends AppOptions {
  state?: 'failed' | 'parked'
  name?: string
  reason?: string
}

/**
 * A job, or with a state all that match, by a job that an instance runs.
 *
 * @throws CommandError SVC_JOB_ARGUMENT (2), SVC_JOBS_NOT_FOUND, SVC_JOBS_STATE, SVC_JOBS_KEY
 */
export async function retryJobs(
  id: string | undefined,
  { state, name, reason, ...options }: RetryJobsOptions
): Promise<void> {
  if (id !== undefined && (state ?? name ?? reason) === undefined) {
    await withJobs(options, `retry ${id}`, async (jobs, fastify) => {
      await jobs.retry(id)
      auditChange(fastify, 'job.retried', id)
    })
    print(`job ${id} is due again`)
  } else if (id === undefined && state !== undefined) {
    const filter = { state, ...(name !== undefined && { name }), ...(reason !== undefined && { reason }) }
    const job = await withJobs(options, `retry --state ${state}`, async (jobs, fastify) => {
      const added = await jobs.redrive(filter)
      auditChange(fastify, 'job.redriven', added.id)
      return added
    })
    print(`added job ${job.id} (${job.name}), which runs them again; npx svc jobs show ${job.id} tells how many`)
  } else {
    const got = `${id ?? 'no id'}, ${state ?? 'no state'}`
    throw wrongArgument('--state', got, 'the id of a job, or a state', 'npx svc jobs retry --state failed')
  }
}

/** @throws CommandError SVC_JOBS_NOT_FOUND, SVC_JOBS_STATE */
export async function cancelJob(id: string, options: AppOptions): Promise<void> {
  await withJobs(options, `cancel ${id}`, async (jobs, fastify) => {
    await jobs.cancel(id)
    auditChange(fastify, 'job.cancelled', id)
  })
  print(`job ${id} is cancelled; an attempt that runs is told within a second`)
}

export async function listSchedules({ system = false, json, ...options }: SystemOptions): Promise<void> {
  const schedules = await withJobs(options, 'schedules', (jobs) => jobs.schedules.list({ system }))
  if (json === true) printJson(schedules)
  else if (schedules.length === 0) print('no schedules')
  else print(schedulesText(schedules))
}

/** Lanes that have jobs, are paused, or are named in the options. */
export async function listLanes({ system = false, json, ...options }: SystemOptions): Promise<void> {
  const lanes = await withJobs(options, 'lanes', async (jobs) => {
    const found: ListedLane[] = []
    for (let after: string | null | undefined; after !== null; ) {
      const page = await jobs.lanes.list({ limit: MOST, system, ...(after !== undefined && { after }) })
      found.push(...page.items)
      after = page.next
    }
    return found
  })
  if (json === true) printJson(lanes)
  else if (lanes.length === 0) print('no lanes')
  else print(lanesText(lanes))
}

export interface PauseOptions extends AppOptions {
  lane?: string
}

/** Of a schedule, or of a lane with `--lane`. @throws CommandError SVC_JOB_ARGUMENT (2), SVC_JOBS_SCHEDULE_NOT_FOUND, SVC_JOBS_LANE */
export async function pauseJobs(schedule: string | undefined, options: PauseOptions): Promise<void> {
  const { kind, name } = await paused('pause', schedule, options)
  print(
    `${kind} ${name} is paused: ${kind === 'lane' ? 'no instance begins a job of it' : 'its slots get no job'} until it is resumed`
  )
}

/** As `pauseJobs`. */
export async function resumeJobs(schedule: string | undefined, options: PauseOptions): Promise<void> {
  const { kind, name } = await paused('resume', schedule, options)
  print(`${kind} ${name} is resumed`)
}

async function paused(change: 'pause' | 'resume', schedule: string | undefined, { lane, ...options }: PauseOptions) {
  const name = lane ?? schedule
  if (name === undefined || (lane !== undefined && schedule !== undefined)) {
    throw wrongArgument(
      '--lane',
      `${schedule ?? 'no schedule'}, ${lane ?? 'no lane'}`,
      'a schedule or a lane',
      `npx svc jobs ${change} --lane mail`
    )
  }
  const kind = lane === undefined ? 'schedule' : 'lane'
  await withJobs(options, `${change} ${name}`, async (jobs, fastify) => {
    await (kind === 'lane' ? jobs.lanes[change](name) : jobs.schedules[change](name))
    auditChange(fastify, `${kind}.${change}d`, name)
  })
  return { kind, name }
}

function withJobs<Result>(
  options: AppOptions,
  command: string,
  work: (jobs: JobsView, fastify: FastifyInstance) => Promise<Result>
): Promise<Result> {
  return inspectApp(options, `svc jobs ${command}`, async ({ register }) => {
    const fastify = await register()
    await fastify.ready()
    try {
      return await work(jobsOf(fastify), fastify)
    } catch (error) {
      throw refusalOf(error)
    }
  })
}

/** What helps after a refusal of svc-jobs. */
const FIXES: Readonly<Record<string, string>> = {
  SVC_JOBS_NOT_FOUND: 'npx svc jobs list shows the jobs; those that have ended go after svc-jobs.keepS',
  SVC_JOBS_STATE:
    'npx svc jobs show <id> tells its state; failed, parked and cancelled jobs are retried, all that have not ended are cancelled',
  SVC_JOBS_KEY: 'wait until the other job has ended, or cancel it',
  SVC_JOBS_UNKNOWN: 'correct the name',
  SVC_JOBS_BODY: `--body '{"key":"value"}', as the schema of the job says; of retry, a --name and a --reason that are not empty`,
  SVC_JOBS_SCHEDULE_NOT_FOUND: 'npx svc jobs schedules shows the schedules',
  SVC_JOBS_SCHEDULE_BUSY: 'wait until its job has ended, or cancel it',
  SVC_JOBS_LANE: 'npx svc jobs lanes shows the lanes',
  SVC_QUEUE_LANES: 'pause schedules, or use a driver that has lanes',
  SVC_JOBS_UNAVAILABLE: 'start the database, or correct its address'
}

function refusalOf(error: unknown): unknown {
  const { code, message = '' } = error as { code?: string; message?: string }
  const fix = code === undefined ? undefined : FIXES[code]
  if (code === undefined || fix === undefined) return error
  return new CommandError({ code, message, fix }, 1, { cause: error })
}

function bodyOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw wrongArgument('--body', text.slice(0, 64), 'JSON', `--body '{"key":"value"}'`)
  }
}

function wrongArgument(at: string, got: string, expected: string, fix: string): CommandError {
  return new CommandError({ code: 'SVC_JOB_ARGUMENT', message: `${at} is not valid`, at, got, expected, fix }, 2)
}
