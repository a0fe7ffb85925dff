/** A boot that migrates, under a bound for hooks that is shorter than the migration, or than the wait for another instance. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineEntity } from 'svc-orm'
import t, { type Test } from 'tap'
import { CapturedLog } from '../support/captured-log.ts'
import { project } from '../support/migrated-project.ts'
import { onPostgres } from '../support/on-postgres.ts'

const Person = defineEntity({ name: 'Person', schema: { name: { type: 'string' } } })

/** Fastify takes no longer for a hook; the migration begins to run, and ends when the test says so. */
const PLUGIN_TIMEOUT_MS = 1000

/** Lines that are waited for: together they are longer than a hook may take. */
const LINES = [1, 2]

const SLOW = `export default {
  async up(m) {
    await m.createTable('Person', { columns: [{ name: 'id', type: 'id' }, { name: 'name', type: 'text' }] })
    await m.step('slow work', () => globalThis.svcSlowMigration())
  }
}
`

declare global {
  var svcSlowMigration: () => Promise<void>
}

function lever() {
  let release: () => void = () => undefined
  let fail: (error: Error) => void = () => undefined
  const released = new Promise<void>((resolve, reject) => {
    release = resolve
    fail = reject
  })
  return { released, release, fail }
}

async function slowProject(t: Test, url?: string) {
  const made = project(t, url)
  mkdirSync(made.folder)
  writeFileSync(join(made.folder, '20260101000000_slow.ts'), SLOW)
  const [begun, gate] = [lever(), lever()]
  let runs = 0
  globalThis.svcSlowMigration = async () => {
    runs += 1
    begun.release()
    await gate.released
  }
  const boot = (log: CapturedLog, pluginTimeout = PLUGIN_TIMEOUT_MS) =>
    made.app([Person], { opened: true, run: 'boot', mode: 'production', pluginTimeout, log })
  return { boot, begun: begun.released, end: gate.release, fail: gate.fail, runs: () => runs }
}

const GOES_ON = 'this boot goes on with its migrations'

function bootTests(t: Test, newUrl: () => Promise<string | undefined>): void {
  t.test('M6: a boot takes as long as its migration, and says how far it is', async (t) => {
    const { boot, begun, end, runs } = await slowProject(t, await newUrl())
    const log = new CapturedLog()
    const booted = boot(log)
    await begun
    // Each is written when a hook has come to its end, and the migration has not.
    for (const _ of LINES) {
      const { msg } = await log.next(GOES_ON)
      t.match(msg, /goes on with its migrations: default, 20260101000000_slow: slow work$/)
    }
    end()
    const { orm } = await booted
    t.equal(runs(), 1)
    t.ok(log.messages().includes('migrated 20260101000000_slow'))
    t.match(await orm.repository('Person').create({ name: 'Ada' }), { name: 'Ada' })
  })

  t.test('M6: so does one that waits for another instance', async (t) => {
    const { boot, begun, end, runs } = await slowProject(t, await newUrl())
    const first = boot(new CapturedLog())
    await begun
    const log = new CapturedLog()
    const second = boot(log)
    for (const _ of LINES) t.match(await log.next(GOES_ON), { msg: /another instance migrates$/ })
    end()
    await Promise.all([first, second])
    t.equal(runs(), 1)
    t.notOk(log.messages().some((text) => text.startsWith('migrated ')))
  })

  t.test('M6: one that fails ends the boot, also after a while', async (t) => {
    const { boot, fail } = await slowProject(t, await newUrl())
    const log = new CapturedLog()
    const booted = boot(log)
    const ended = t.rejects(booted, { code: 'SVC_ORM_MIGRATION_FAILED', message: /slow work: no more/ })
    await log.next(GOES_ON)
    await log.next(GOES_ON)
    fail(new Error('no more'))
    await ended
  })
}

t.test('SQLite', async (t) => bootTests(t, async () => undefined))
await onPostgres(async (t, server) => bootTests(t, () => server.createDatabase()))
