/**
 * svc-jobs: work that runs later, at least once, also after a crash. Jobs are kept in the application's database, beside
 * what they belong to.
 *
 * Decorates  fastify.jobs
 * Routes     below /svc/jobs/api, for ROLE_SVC_ADMIN
 * Hooks      onReady: ends the definitions, starts the worker, looks for slots of schedules; preClose: stops taking jobs and
 *            making slots; onClose: gives back what it holds
 * Needs      nothing (svc-kernel and svc-stores are added when absent)
 */
import type { FastifyPluginAsync } from 'fastify'
import { definePlugin, ensureKernel, readOptions, systemClock } from 'svc-kernel'
import { Worker, type WorkerLimits } from 'svc-queue'
import { ensureStores } from 'svc-stores'
import { runPurge } from 'svc-stores/plugin'
import { jobRoutes } from './admin/jobs.routes.ts'
import { scheduleRoutes } from './admin/schedules.routes.ts'
import { JobRegistry } from './definitions/job-registry.ts'
import { Jobs } from './jobs.ts'
import { type JobsConfig, optionsSchema, type SvcJobsOptions, type SvcJobsParts } from './options.ts'
import { jobStore } from './records/table-jobs.ts'
import { Cancellations } from './running/cancellations.ts'
import { JobRunner } from './running/job-runner.ts'
import { JOB_TEXTS } from './running/job-texts.ts'
import { openSchedules } from './schedules/open-schedules.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Present if svc-jobs is registered. */
    jobs: Jobs
  }
}

const PURGE_INTERVAL_S = 600
/** How long attempts may go on once the application stops, ms. */
const STOP_MS = 10_000
/** After that of it their signals are aborted, ms. */
const UNTOLD_MS = 7_000

const backgroundJobs: FastifyPluginAsync<SvcJobsOptions & { parts?: SvcJobsParts }> = async (fastify, given) => {
  await ensureKernel(fastify)
  const options = readOptions<JobsConfig>('svc-jobs', optionsSchema, given)
  const { clock = systemClock, stores } = given.parts ?? {}
  await ensureStores(fastify, { clock })
  const log = fastify.log.child({ plugin: 'svc-jobs' })
  const { store } = fastify.stores.select(jobStore, options.store, stores?.jobs)
  if (store === null) throw new Error('no store')
  const registry = new JobRegistry(options)
  const runner = new JobRunner({ store, registry, clock, log })
  const { maxConcurrent } = options
  const worker = new Worker({
    name: 'jobs',
    handler: runner,
    limits: { maxQueue: maxConcurrent * 10, maxConcurrent, ...laneLimits(options) },
    shared: { queue: store.queue, codec: runner, texts: JOB_TEXTS },
    clock,
    log
  })
  const cancellations = new Cancellations({ store, runner, clock, log })
  const storeWithin = (tx: Parameters<Jobs['within']>[0]) => fastify.stores.within(jobStore, tx)
  const added = () => worker.look()
  const cancelled = (id: string) => cancellations.abort(id)
  const slots = openSchedules(fastify, { options, stores, registry, clock, log, added, cancelled })
  const jobs = new Jobs({ registry, schedules: slots, store, storeWithin, clock, added, cancelled })
  fastify.decorate('jobs', jobs)
  jobRoutes(fastify, jobs)
  scheduleRoutes(fastify, jobs.schedules)
  fastify.queueDepths.add('jobs', () => worker.waiting + worker.running)
  fastify.addHook('onReady', async () => {
    registry.seal()
    if (options.run) {
      await worker.start()
      cancellations.start()
    }
    await slots.start()
  })
  fastify.addHook('preClose', async () => {
    await slots.stop()
    cancellations.stop()
    const told = clock.setTimeout(() => runner.interrupt(), UNTOLD_MS)
    await worker.stop(STOP_MS)
    clock.clearTimeout(told)
  })
  fastify.addHook('onClose', async () => {
    await runner.release()
    await worker.close()
  })
  runPurge(fastify, {
    name: 'jobs',
    intervalS: PURGE_INTERVAL_S,
    sweep: () => store.purge(clock.now() - options.keepS * 1000),
    clock
  })
}

/** Lanes without a limit cost nothing. */
function laneLimits({ lanes }: JobsConfig): Pick<WorkerLimits, 'most'> {
  const most = new Map(Object.entries(lanes).map(([lane, { concurrent }]) => [lane, concurrent]))
  return most.size === 0 ? {} : { most: (lane) => most.get(lane) ?? Number.POSITIVE_INFINITY }
}

export default definePlugin(backgroundJobs, {
  name: 'svc-jobs',
  optionsSchema,
  after: ['svc-stores', 'svc-docdb', 'svc-sqlorm']
})

export type { BodyOf, JobOptions, JobWork, RunningJob } from './definitions/job-definition.ts'
export { FinalJobFailure } from './errors.ts'
export type { AddedJob, AddOptions, JobAdder, JobListing, JobPage, Jobs } from './jobs.ts'
export type { JobCause } from './operations/job-cause.ts'
export type { SvcJobsOptions, SvcJobsParts } from './options.ts'
export type { CatchUp, Overlap, ScheduleOptions } from './schedules/schedule-options.ts'
export type { ScheduleState, Schedules } from './schedules/schedules.ts'
