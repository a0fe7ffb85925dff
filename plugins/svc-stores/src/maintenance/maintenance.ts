/**
 * `fastify.maintenance`: what packages do again and again to their records. Each instance does it on a timer, unless
 * svc-jobs runs it as a job, once for all instances. A close waits for the work that runs, since databases close after it.
 */
import type { FastifyInstance } from 'fastify'
import { PeriodicPurge } from '../records/periodic-purge.ts'
import { checkTask, type MaintenanceTask, refuseLate } from './maintenance-task.ts'

/** Runs tasks in place of the timers of each instance. */
export interface MaintenanceRunner {
  /** Asked once the application starts. `true`: no timer runs the task. */
  takes(task: MaintenanceTask): boolean
}

/** `fastify.maintenance`: declares maintenance tasks. */
export class Maintenance {
  readonly #fastify: FastifyInstance
  readonly #tasks = new Map<string, MaintenanceTask>()
  readonly #running = new Map<string, Set<Promise<number>>>()
  #runner: MaintenanceRunner | null = null
  #started = false

  constructor(fastify: FastifyInstance) {
    this.#fastify = fastify
  }

  /** Those that are declared. */
  get tasks(): readonly MaintenanceTask[] {
    return [...this.#tasks.values()]
  }

  /** Called while plugins register. @throws BootError (SVC_STORE_MAINTENANCE) */
  declare(task: MaintenanceTask): void {
    const fastify = this.#fastify
    if (this.#started) refuseLate(task)
    checkTask(task, new Set(this.#tasks.keys()))
    const { name, everyS: intervalS, clock, code } = task
    this.#tasks.set(name, task)
    const sweep = (signal: AbortSignal) => this.run(name, signal)
    const text = { name: name.replaceAll('-', ' '), code }
    const timer = new PeriodicPurge({ ...text, intervalS, sweep, clock, log: fastify.log })
    fastify.addHook('onReady', async () => {
      if (this.#runner?.takes(task) !== true) timer.start()
    })
    // Before the database of its records closes, which was registered before.
    fastify.addHook('onClose', async () => {
      await timer.stop()
      await Promise.allSettled(this.#running.get(name) ?? [])
    })
  }

  /** Called by the package that has a better way than timers, while it registers. */
  runBy(runner: MaintenanceRunner): void {
    this.#runner = runner
  }

  /** Declarations end. */
  start(): void {
    this.#started = true
  }

  /** Runs a task once. @returns how many records it changed */
  async run(name: string, signal: AbortSignal): Promise<number> {
    const task = this.#tasks.get(name)
    if (task === undefined) throw new Error(`no maintenance task is named "${name}"`)
    const running = this.#running.get(name) ?? new Set()
    this.#running.set(name, running)
    const run = task.work(signal)
    running.add(run)
    try {
      return await run
    } finally {
      running.delete(run)
    }
  }
}
