/** What the commands use of svc-jobs, `fastify.jobs`: jobs and schedules in the database of the application. */
import type { FastifyInstance } from 'fastify'
import { type AuditPort, decoratorOf } from 'svc-kernel'
import { CommandError } from '../errors.ts'

export interface ListedJob {
  readonly id: string
  readonly name: string
  readonly lane: string
  readonly state: string
  readonly attempts: number
  readonly interruptions: number
  readonly reason: string | null
  readonly progress: { readonly value: number; readonly text: string | null } | null
  /** Epoch ms, as all of these. */
  readonly addedAt: number
  readonly dueAt: number
  readonly startedAt: number | null
  readonly endedAt: number | null
  readonly cause: { readonly user: string | null; readonly requestId: string | null } | null
}

export interface ListedSchedule {
  readonly name: string
  readonly cron: string
  readonly zone: string
  readonly declared: boolean
  readonly job: string | null
  readonly paused: boolean
  readonly next: readonly number[]
  readonly lastSlot: number | null
  readonly lastJob: { readonly id: string; readonly state: string } | null
}

export interface ListedLane {
  readonly lane: string
  readonly paused: boolean
  readonly waiting: number
  readonly running: number
  readonly oldestMs: number | null
  readonly concurrent: number | null
  readonly rate: { readonly max: number; readonly perS: number } | null
}

export interface JobsView {
  /** Those that a job can be in. */
  readonly states: readonly string[]
  list(query: {
    readonly state?: string
    readonly name?: string
    readonly system?: boolean
    readonly limit: number
  }): Promise<{
    readonly items: readonly ListedJob[]
    readonly next: string | null
  }>
  /** With a masked body. */
  masked(id: string): Promise<ListedJob & { readonly body: unknown }>
  add(name: string, body: unknown): Promise<{ readonly id: string; readonly name: string; readonly added: boolean }>
  retry(id: string): Promise<void>
  /** Adds a job that runs those again which match. */
  redrive(filter: {
    readonly state: 'failed' | 'parked'
    readonly name?: string
    readonly reason?: string
  }): Promise<{ readonly id: string; readonly name: string }>
  cancel(id: string): Promise<void>
  readonly lanes: {
    list(query: { readonly limit: number; readonly after?: string; readonly system?: boolean }): Promise<{
      readonly items: readonly ListedLane[]
      readonly next: string | null
    }>
    pause(lane: string): Promise<void>
    resume(lane: string): Promise<void>
  }
  readonly schedules: {
    list(query?: { readonly system?: boolean }): Promise<readonly ListedSchedule[]>
    pause(name: string): Promise<void>
    resume(name: string): Promise<void>
    runNow(name: string): Promise<{ readonly id: string; readonly name: string }>
  }
}

const MORE = 'npx svc docs background-jobs'

/** @throws CommandError SVC_JOB_NONE without svc-jobs, SVC_JOB_VOLATILE where jobs end with their process */
export function jobsOf(fastify: FastifyInstance): JobsView {
  const jobs = decoratorOf(fastify as unknown as { jobs: JobsView }, 'jobs')
  if (jobs === null) {
    const message = 'this application has no jobs: svc-jobs is not among its modules'
    throw new CommandError({ code: 'SVC_JOB_NONE', message, fix: 'npx svc module:add jobs', more: MORE })
  }
  const { stores } = fastify as unknown as { stores: { selections: ReadonlyMap<string, string | null> } }
  if (stores.selections.get('jobs') === 'memory') {
    throw new CommandError({
      code: 'SVC_JOB_VOLATILE',
      message: 'jobs are stored in the memory of each process: this command sees none of a running server',
      at: 'svc-jobs.store',
      fix: 'npx svc module:add sql, or use the admin routes of the running server',
      more: MORE
    })
  }
  return jobs
}

/** Writes a change into the journal, if the application has one. @param resource id of the job, or name of the schedule or lane */
export function auditChange(fastify: FastifyInstance, action: string, resource: string): void {
  const audit = decoratorOf(fastify as unknown as { audit: AuditPort }, 'audit')
  audit?.record({ category: 'config', action, outcome: 'success', actor: null, resource, userAgent: 'svc jobs' })
}
