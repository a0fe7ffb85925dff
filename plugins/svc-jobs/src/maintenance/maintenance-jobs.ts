/**
 * Maintenance tasks as jobs: one schedule for each, so that one instance runs each slot. A task whose records are not in
 * the database of jobs stays on the timer of each instance, as what one of them does would not be done for the others.
 */
import type { FastifyInstance } from 'fastify'
import type { MaintenanceTask } from 'svc-stores'
import type { JobRegistry } from '../definitions/job-registry.ts'
import { MAINTENANCE_LANE, systemName } from '../definitions/system-jobs.ts'
import type { ScheduleRegistry } from '../schedules/schedule-registry.ts'

/** A failure is soon tried again, and the next slot comes anyway. */
const RETRIES = 3
/** A first purge after a long time may remove millions of records. */
const TIMEOUT_S = 3_600

export interface MaintenanceJobsParts {
  readonly registry: JobRegistry
  readonly schedules: ScheduleRegistry
  /** Whether instances share the database of jobs, and jobs wait in it. */
  readonly isShared: boolean
}

/** @param driver of the store of jobs. What a ready store shares with others is not known. */
export function isSharedBy(driver: string | null): boolean {
  return driver !== null && driver !== 'memory' && driver !== 'parts'
}

export class MaintenanceJobs {
  readonly #fastify: FastifyInstance
  readonly #parts: MaintenanceJobsParts

  constructor(fastify: FastifyInstance, parts: MaintenanceJobsParts) {
    this.#fastify = fastify
    this.#parts = parts
    fastify.maintenance.runBy(this)
  }

  takes({ store }: MaintenanceTask): boolean {
    const { selections } = this.#fastify.stores
    const bricks = ['schedules', store ?? '']
    return this.#parts.isShared && bricks.every((brick) => selections.get(brick) === selections.get('jobs'))
  }

  /** Called once all tasks are declared. */
  define(): void {
    const { registry, schedules } = this.#parts
    const { maintenance } = this.#fastify
    for (const task of maintenance.tasks.filter((each) => this.takes(each))) {
      const name = systemName(task.name)
      registry.addSystem(name, { lane: MAINTENANCE_LANE, retries: RETRIES, timeoutS: TIMEOUT_S }, async (_, job) => {
        const count = await maintenance.run(task.name, job.signal)
        // One that ends early goes on in the next attempt.
        job.signal.throwIfAborted()
        if (count > 0) job.log.debug({ count }, `the maintenance task ${task.name} is done`)
      })
      schedules.addSystem(name, `@every ${task.everyS}s`, { zone: 'UTC' })
    }
  }
}
