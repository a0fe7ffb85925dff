/** How long a boot waits for its migrations, by a clock of the test, and which of their errors end it. */
import { EventEmitter, once } from 'node:events'
import { mock } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { BootError, type Problem } from 'svc-kernel'
import t from 'tap'
import { migrateAtBoot } from '../../src/migrations/migrate-at-boot.ts'
import type { Migrations, RunOptions } from '../../src/migrations/migrations.ts'
import { problemsOf } from '../support/migrated-project.ts'

const HOUR_MS = 3_600_000
const NONE = async () => []

/** The hooks that a boot runs one after the other, and what they log. */
function boot(pluginTimeout: number | undefined, migrate: Migrations['migrate']) {
  const lines: unknown[] = []
  const hooks: (() => Promise<void>)[] = []
  const told = new EventEmitter()
  const tell = (...given: unknown[]) => {
    lines.push(given)
    told.emit('line')
  }
  const log = { info: tell, warn: tell }
  const fastify = {
    initialConfig: pluginTimeout === undefined ? {} : { pluginTimeout },
    log,
    addHook: (_name: string, hook: () => Promise<void>) => hooks.push(hook)
  }
  migrateAtBoot(fastify as unknown as FastifyInstance, { migrate } as Migrations)
  const run = async () => {
    for (const hook of hooks) await hook()
  }
  return { hooks, lines, told, run }
}

const failing = (problems: readonly Problem[]) => async () => {
  throw new BootError(problems)
}
const NEWER: Problem = { code: 'SVC_ORM_MIGRATION_UNKNOWN', message: 'the database is newer', fix: 'deploy' }
const EDITED: Problem = { code: 'SVC_ORM_MIGRATION_EDITED', message: 'it was edited', fix: 'restore' }

t.test('a hook waits four fifths of its bound; there are enough of them for four hours', async (t) => {
  // 4 h / (0.8 * 1 h) = 5 hooks that wait, beside the one that begins and the one that ends.
  t.equal(boot(HOUR_MS, NONE).hooks.length, 7)
  t.equal(boot(10_000, NONE).hooks.length, 1802)
  t.equal(boot(undefined, NONE).hooks.length, 1802, 'the bound of Fastify is 10 s')
  t.equal(boot(10, NONE).hooks.length, 5002, 'but there are not more than 5000')
  t.equal(boot(0, NONE).hooks.length, 2, 'without a bound one waits for all')
})

t.test('M6: a boot without end is refused once it has waited for all it may', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const { hooks, lines } = boot(5 * HOUR_MS, ({ at } = {}) => {
    at?.('main', 'step one')
    return new Promise(() => undefined)
  })
  t.equal(hooks.length, 3)
  const [start, wait, end] = hooks
  await start?.()
  let isOver = false
  const waited = wait?.().then(() => {
    isOver = true
  })
  mock.timers.tick(4 * HOUR_MS - 1)
  await Promise.resolve()
  t.notOk(isOver)
  mock.timers.tick(1)
  await waited
  t.strictSame(lines, [['the boot is running migrations: main, step one']])
  t.match(await problemsOf((async () => end?.())()), [
    {
      code: 'SVC_ORM_MIGRATION_LONG',
      message: 'the migrations take longer than the boot may wait: main, step one',
      at: 'svc-orm.migrations.run',
      got: 'boot',
      fix: /^run npx svc orm:migrate before the instances start/
    }
  ])
})

t.test('without a bound the boot waits as long as it takes, and says how far it is', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const ends: (() => void)[] = []
  const { hooks, lines, told } = boot(0, () => new Promise((resolve) => ends.push(() => resolve([]))))
  const [start, end] = hooks
  await start?.()
  const ended = end?.()
  for (const _ of [1, 2]) {
    const line = once(told, 'line')
    mock.timers.tick(8000)
    await line
    await setImmediate()
  }
  t.strictSame(lines, Array(2).fill(['the boot is running migrations: begins']))
  for (const end of ends) end()
  await ended
  t.equal(lines.length, 2)
})

t.test('a database that a newer version has migrated is a warning; anything else ends the boot', async (t) => {
  const newer = boot(0, failing([NEWER, NEWER]))
  await newer.run()
  t.match(newer.lines, [[{ code: NEWER.code }], [{ code: NEWER.code }]])
  for (const bound of [0, HOUR_MS]) {
    t.match(await problemsOf(boot(bound, failing([EDITED])).run()), [EDITED])
    t.match(await problemsOf(boot(bound, failing([NEWER, EDITED])).run()), [NEWER, EDITED])
    const broken = () => Promise.reject(new RangeError('broken'))
    await t.rejects(boot(bound, broken).run(), RangeError)
  }
})

t.test('what ran is logged, by connector', async (t) => {
  const ran = async ({ progress }: RunOptions = {}) => {
    progress?.('1000 rows')
    return [
      { connector: 'main', names: ['a', 'b'] },
      { connector: 'log', names: [] }
    ]
  }
  const { run, lines } = boot(HOUR_MS, ran)
  await run()
  t.strictSame(lines, [['1000 rows'], [{ connector: 'main' }, 'migrated a'], [{ connector: 'main' }, 'migrated b']])
})
