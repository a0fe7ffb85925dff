/**
 * svc-jobs: work that runs later, at least once, also after a crash. The application's database has the jobs, beside what
 * they belong to.
 *
 * Decorates  fastify.jobs
 * Routes     below /svc/jobs/api, for ROLE_SVC_ADMIN
 * Hooks      onReady: ends the definitions, starts the worker, looks for slots of schedules; preClose: stops taking jobs and
 *            making slots; onClose: gives back what it holds
 * Needs      nothing (svc-kernel and svc-stores are added when absent)
 */
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { appHost, type Clock, definePlugin, ensureKernel, readOptions, systemClock } from 'svc-kernel'
import { Worker } from 'svc-queue'
import { ensureStores } from 'svc-stores'
import { jobRoutes } from './admin/jobs.routes.ts'
import { laneRoutes } from './admin/lanes.routes.ts'
import { scheduleRoutes } from './admin/schedules.routes.ts'
import { JobRegistry } from './definitions/job-registry.ts'
import { MAINTENANCE_LANE } from './definitions/system-jobs.ts'
import { JobEvents } from './events/job-events.ts'
import { Jobs } from './jobs.ts'
import { LaneLimits } from './lanes/lane-limits.ts'
import { Lanes } from './lanes/lanes.ts'
import { checkMaintenance } from './maintenance/maintenance-health.ts'
import { isSharedBy, MaintenanceJobs } from './maintenance/maintenance-jobs.ts'
import { defineOperations } from './operations/define-operations.ts'
import { JobCauses } from './operations/job-cause.ts'
import { type JobsConfig, optionsSchema, type SvcJobsOptions, type SvcJobsParts } from './options.ts'
import { progressChannel } from './progress/progress-channel.ts'
import { openStore } from './records/open-store.ts'
import { jobStore } from './records/table-jobs.ts'
import { REDRIVE, redriveOptions, redriveWork } from './redrive/redrive.ts'
import { Cancellations } from './running/cancellations.ts'
import { JobBacklog } from './running/job-backlog.ts'
import { JobDrain } from './running/job-drain.ts'
import { openJobQueue } from './running/job-queue.ts'
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
const SYSTEM_LANES = { [MAINTENANCE_LANE]: { concurrent: 1 } }
/** How long attempts may go on once the application stops, ms: a server has ten seconds by default, and their rows are written after that. */
const STOP_MS = 8_000
/** After that of it their signals are aborted, ms. */
const UNTOLD_MS = 5_000
/** Fastify ends a start after ten seconds, and a queue that is silent delays jobs only: it is asked again, ms. */
const LONGEST_START_MS = 5_000

const backgroundJobs: FastifyPluginAsync<SvcJobsOptions & { parts?: SvcJobsParts }> = async (fastify, given) => {
  await ensureKernel(fastify)
  const options = readOptions<JobsConfig>('svc-jobs', optionsSchema, given)
  const { clock = systemClock, stores, queue: own } = given.parts ?? {}
  await ensureStores(fastify, { clock })
  const log = fastify.log.child({ plugin: 'svc-jobs' })
  const { store, driver } = openStore(fastify, jobStore, options.store, stores?.jobs)
  const registry = new JobRegistry(options)
  const causes = new JobCauses(fastify)
  const events = new JobEvents(log)
  const added = () => queue.added()
  const isShared = own === undefined && isSharedBy(driver)
  const laneLimits = new LaneLimits(isShared ? { ...SYSTEM_LANES, ...options.lanes } : options.lanes)
  const runner = new JobRunner({
    store,
    registry,
    causes,
    clock,
    log,
    app: fastify.server,
    isLimited: (lane) => laneLimits.of(lane)?.concurrent !== undefined,
    events,
    admitted: added,
    progressed: progressChannel(fastify)
  })
  const { maxConcurrent } = options
  const run = options.run && runsByItself(fastify)
  const look = () => worker.look()
  const queue = openJobQueue({ own, store, driver, options, clock, log, look })
  const worker = new Worker({
    name: 'jobs',
    handler: runner,
    limits: { maxQueue: maxConcurrent * 10, maxConcurrent, lanes: laneLimits.all },
    shared: { queue: queue.queue, codec: runner, texts: JOB_TEXTS },
    clock,
    log
  })
  const cancellations = new Cancellations({ store, runner, clock, log })
  const storeWithin = (tx: Parameters<Jobs['within']>[0]) => fastify.stores.within(jobStore, tx)
  const cancelled = (id: string) => cancellations.abort(id)
  const slots = openSchedules(fastify, { options: { ...options, run }, stores, registry, clock, log, added, cancelled })
  const lanes = new Lanes({ control: queue.queue.lanes, limits: laneLimits, resumed: added })
  const drain = new JobDrain({ queue: queue.queue, runner, look: slots.look, limits: laneLimits, clock })
  const adding = { registry, causes, store, storeWithin, clock, added }
  const jobs = new Jobs({ ...adding, lanes, schedules: slots, events, drain, cancelled })
  fastify.decorate('jobs', jobs)
  fastify.jobOperations.run()
  jobRoutes(fastify, jobs)
  laneRoutes(fastify, lanes)
  scheduleRoutes(fastify, jobs.schedules)
  const backlog = new JobBacklog({
    queue: queue.queue,
    lateMs: () => queue.lateMs(),
    lanes: () => [...new Set([...registry.lanes, ...laneLimits.names])],
    lateAfterMs: options.lateAfterS * 1000
  })
  fastify.queueDepths.add(
    'jobs',
    () => worker.waiting + worker.running,
    () => backlog.read()
  )
  fastify.healthChecks.add('jobs', () => backlog.check())
  const maintenance = new MaintenanceJobs(fastify, { registry, schedules: slots.registry, isShared })
  const lateAfterMs = options.lateAfterS * 1000
  if (isShared) {
    const watched = { store, schedules: slots.schedules, clock, lateAfterMs }
    fastify.healthChecks.add('maintenance jobs', () => checkMaintenance(watched))
  }
  fastify.addHook('onReady', async () => {
    maintenance.define()
    registry.add(REDRIVE, redriveOptions, redriveWork(jobs))
    defineOperations(fastify, registry, slots.registry)
    registry.seal()
    if (run) cancellations.start()
    const starts = [run && worker.start(), runsByItself(fastify) && queue.start()]
    await startedSoon(Promise.all(starts), clock)
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
    await queue.stop()
    await worker.close()
  })
  fastify.maintenance.declare({
    name: 'jobs',
    store: jobStore.brick,
    everyS: PURGE_INTERVAL_S,
    clock,
    work: (signal) => store.purge(clock.now() - options.keepS * 1000, signal)
  })
}

/** Resolves once all of it has started, or when a start may take no longer. */
function startedSoon(starting: Promise<unknown>, clock: Clock): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = clock.setTimeout(resolve, LONGEST_START_MS)
    starting.then(() => resolve(), reject).finally(() => clock.clearTimeout(timer))
  })
}

/** A command and a test boot an application without running its jobs. */
function runsByItself(fastify: FastifyInstance): boolean {
  const { checkOnly, command = false, manualJobs = false } = appHost(fastify)
  return !(checkOnly || command || manualJobs)
}

export default definePlugin(backgroundJobs, {
  name: 'svc-jobs',
  optionsSchema,
  after: ['svc-stores', 'svc-docdb', 'svc-sqlorm']
})

export type { BodyOf, CurrentJob, JobCause } from 'svc-kernel'
export type { AddedJob, AddOptions } from './adding/added-job.ts'
export type { AddedBatch, BatchJob, BatchOptions } from './adding/batches.ts'
export type { AddOneOptions, JobAdder } from './adding/store-adder.ts'
export type { JobOptions, JobWork, RunningJob } from './definitions/job-definition.ts'
export { FinalJobFailure } from './errors.ts'
export type { EndedJob, JobEventMap, JobEventName, JobListener } from './events/job-events.ts'
export type { JobListing, JobPage, Jobs, ShownJob } from './jobs.ts'
export type { Lane, LanePage, Lanes } from './lanes/lanes.ts'
export type { SvcJobsOptions, SvcJobsParts } from './options.ts'
export type { BatchRecord, BatchState } from './records/batch-record.ts'
export type { JobProgress } from './records/job-record.ts'
export type { JobCounts } from './records/job-store.ts'
export type { MaskedJob } from './records/masked-job.ts'
export type { RedriveFilter } from './redrive/redrive.ts'
export type { DrainedAttempt } from './running/job-drain.ts'
export type { CatchUp, Overlap, ScheduleOptions } from './schedules/schedule-options.ts'
export type { ScheduleState, Schedules } from './schedules/schedules.ts'
export type { StepWork } from './steps/job-steps.ts'
