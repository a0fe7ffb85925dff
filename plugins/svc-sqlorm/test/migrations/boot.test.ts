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
const PLUGIN_TIMEOUT_MS = 4000

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
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  return { released, release }
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
  return { boot, begun: begun.released, end: gate.release, runs: () => runs }
}

const GOES_ON = 'the boot is running migrations'

function bootTests(t: Test, newUrl: () => Promise<string | undefined>): void {
  t.test('M6: an instance migrates and another one waits, both for longer than a hook may take', async (t) => {
    const { boot, begun, end, runs } = await slowProject(t, await newUrl())
    const [log, waiting] = [new CapturedLog(), new CapturedLog()]
    const first = boot(log)
    await begun
    const second = boot(waiting)
    for (const _ of LINES) {
      const told = [log.next(GOES_ON), waiting.next(GOES_ON)]
      t.match(await Promise.all(told), [{ msg: /slow: slow work$/ }, { msg: /another instance is migrating$/ }])
    }
    end()
    const [{ orm }] = await Promise.all([first, second])
    t.equal(runs(), 1)
    t.ok(log.messages().includes('migrated 20260101000000_slow'))
    t.notOk(waiting.messages().some((text) => text.startsWith('migrated ')))
    t.match(await orm.repository('Person').create({ name: 'Ada' }), { name: 'Ada' })
  })
}

t.test('SQLite', async (t) => bootTests(t, async () => undefined))
await onPostgres(async (t, server) => bootTests(t, () => server.createDatabase()))
