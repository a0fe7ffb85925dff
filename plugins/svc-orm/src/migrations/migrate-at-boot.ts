/**
 * The migrations of an application that runs them as it boots: before its databases open, and once for all instances. A
 * boot takes as long as they do: Fastify bounds each hook of it by `pluginTimeout`, so they are waited for by one hook
 * after the other, each of which says how far they are.
 */
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { BootError } from 'svc-kernel'
import { warnProblem } from 'svc-kernel/plugin'
import type { Migrations } from './migrations.ts'

/** Of Fastify, where the application says nothing. */
const PLUGIN_TIMEOUT_MS = 10_000
const LONGEST_MS = 4 * 3_600_000
const MOST_HOOKS = 5000

/** Adds hooks: call it after the hook that makes the entities known, and before those that open databases. */
export function migrateAtBoot(fastify: FastifyInstance, migrations: Migrations): void {
  const { pluginTimeout = PLUGIN_TIMEOUT_MS } = fastify.initialConfig
  const sliceMs = Math.ceil((pluginTimeout > 0 ? pluginTimeout : PLUGIN_TIMEOUT_MS) * 0.8)
  const run = new BootMigrations(migrations, fastify.log)
  fastify.addHook('onReady', async () => run.start())
  const hooks = pluginTimeout > 0 ? Math.min(Math.ceil(LONGEST_MS / sliceMs), MOST_HOOKS) : 0
  for (let hook = 0; hook < hooks; hook += 1) fastify.addHook('onReady', () => run.wait(sliceMs))
  fastify.addHook('onReady', async () => {
    if (hooks > 0) return run.end()
    while (!run.isOver) await run.wait(sliceMs)
  })
}

class BootMigrations {
  readonly #migrations: Migrations
  readonly #log: FastifyBaseLogger
  #running: Promise<void> = Promise.resolve()
  #at = 'begins'
  isOver = false

  constructor(migrations: Migrations, log: FastifyBaseLogger) {
    this.#migrations = migrations
    this.#log = log
  }

  start(): void {
    if (this.#migrations.isHeld) {
      this.isOver = true
      return
    }
    this.#running = migrateLogged(this.#migrations, this.#log, (at) => {
      this.#at = at
    }).finally(() => {
      this.isOver = true
    })
    // It is the hooks after this one that fail with it.
    this.#running.catch(() => undefined)
  }

  /** Until it is over, or this time is; then says how far it is. @throws BootError */
  async wait(ms: number): Promise<void> {
    if (this.isOver) return this.#running
    let timer: NodeJS.Timeout | undefined
    const slice = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, ms)
    })
    try {
      await Promise.race([this.#running, slice])
    } finally {
      clearTimeout(timer)
    }
    if (!this.isOver) this.#log.info(`the boot is running migrations: ${this.#at}`)
  }

  /** @throws BootError where it is not over */
  end(): Promise<void> {
    if (this.isOver) return this.#running
    throw new BootError([
      {
        code: 'SVC_ORM_MIGRATION_LONG',
        message: `the migrations take longer than the boot may wait: ${this.#at}`,
        at: 'svc-orm.migrations.run',
        got: 'boot',
        fix: 'run npx svc orm:migrate before the instances start, or set pluginTimeout: 0'
      }
    ])
  }
}

/**
 * A database that a newer version has migrated ends no boot: while instances are replaced, one of the version before may
 * start again. What would break it is refused as drift.
 *
 * @throws BootError
 */
async function migrateLogged(
  migrations: Migrations,
  log: FastifyBaseLogger,
  reached: (at: string) => void
): Promise<void> {
  try {
    const at = (connector: string, what: string) => reached(`${connector}, ${what}`)
    const ran = await migrations.migrate({ progress: (text) => log.info(text), at })
    for (const { connector, names } of ran) for (const name of names) log.info({ connector }, `migrated ${name}`)
  } catch (error) {
    if (!(error instanceof BootError) || error.problems.some(({ code }) => code !== 'SVC_ORM_MIGRATION_UNKNOWN'))
      throw error
    for (const problem of error.problems) warnProblem(log, problem)
  }
}
