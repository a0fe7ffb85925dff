/** Opens the schedules of an application: in the database of its jobs, on every instance that runs jobs. */
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { BootError, type Clock } from 'svc-kernel'
import type { JobRegistry } from '../definitions/job-registry.ts'
import type { JobsConfig, SvcJobsParts } from '../options.ts'
import { openStore } from '../records/open-store.ts'
import { ScheduleLooks } from './schedule-looks.ts'
import { type PrepareJob, ScheduleRegistry } from './schedule-registry.ts'
import { Schedules } from './schedules.ts'
import { scheduleStore } from './table-schedules.ts'

export interface OpenSchedulesParts {
  readonly options: Pick<JobsConfig, 'store' | 'run'>
  readonly stores: SvcJobsParts['stores']
  readonly registry: JobRegistry
  readonly clock: Clock
  readonly log: FastifyBaseLogger
  readonly added: () => void
  readonly cancelled: (id: string) => void
}

export interface OpenedSchedules {
  readonly registry: ScheduleRegistry
  readonly schedules: Schedules
  /** Says how jobs are made; called before the start. */
  prepareBy(prepare: PrepareJob): void
  /** Checks what was declared, and looks for slots from now on. @throws BootError */
  start(): Promise<void>
  stop(): Promise<void>
  /** Makes the slots that are due now. Never rejects. */
  look(): Promise<unknown>
}

export function openSchedules(fastify: FastifyInstance, parts: OpenSchedulesParts): OpenedSchedules {
  const { options, stores } = parts
  const registry = new ScheduleRegistry(parts.registry)
  const { store } = openStore(fastify, scheduleStore, options.store, stores?.schedules)
  let prepare: PrepareJob = () => Promise.reject(new Error('no jobs'))
  const looks = new ScheduleLooks({ ...parts, registry, store })
  return {
    registry,
    schedules: new Schedules({ ...parts, registry, store }),
    prepareBy: (given) => {
      prepare = given
    },
    start: async () => {
      await registry.seal(prepare)
      checkSameStore(fastify, registry)
      if (options.run) looks.start()
    },
    stop: () => looks.stop(),
    look: () => looks.look()
  }
}

/** @throws BootError (SVC_JOBS_SCHEDULE_STORE) where slots would be made beside jobs of another database */
function checkSameStore({ stores }: FastifyInstance, { size }: ScheduleRegistry): void {
  const [schedules, jobs] = [stores.selections.get('schedules'), stores.selections.get('jobs')]
  if (size === 0 || schedules === jobs) return
  const message = `schedules are stored in ${schedules}, and jobs in ${jobs}`
  const fix = 'pass parts.stores.schedules beside parts.stores.jobs'
  throw new BootError([{ code: 'SVC_JOBS_SCHEDULE_STORE', message, expected: 'one database for both', fix }])
}
