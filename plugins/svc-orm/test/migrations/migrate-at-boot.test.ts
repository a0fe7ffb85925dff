/**
 * A boot that migrates, beside a driver that takes as long as the test says: Fastify's bound for a hook does not end it.
 * Whatever the machine does meanwhile, a hook that waits ends before its bound.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import Fastify from 'fastify'
import { memoryDatabase } from 'svc-stores/table'
import t, { type Test } from 'tap'
import type { MigrationRun } from '../../src/driver.ts'
import svcOrm from '../../src/index.ts'

const PLUGIN_TIMEOUT_MS = 100

interface Line {
  readonly msg: string
  readonly level: number
}

/** A driver whose run ends with `gate`; lines of the log as they come. */
function setting(t: Test, pluginTimeout: number) {
  const root = mkdtempSync(join(import.meta.dirname, 'boot-'))
  t.teardown(() => rmSync(root, { recursive: true, force: true }))
  let end: (names: readonly string[]) => void = () => undefined
  let fail: (error: Error) => void = () => undefined
  const gate = new Promise<readonly string[]>((resolve, reject) => {
    end = resolve
    fail = reject
  })
  const lines: Line[] = []
  let awaited: ((line: Line) => void) | null = null
  const write = (text: string) => {
    const line = JSON.parse(text) as Line
    lines.push(line)
    if (line.msg.startsWith('the boot is running')) awaited?.(line)
  }
  const database = memoryDatabase()
  const connector = Object.assign(database, {
    migrations: {
      executed: async () => [],
      count: async () => 0,
      run: ({ at }: MigrationRun) => {
        at?.('step one')
        return gate
      }
    }
  })
  const boot = async (isHeld = false) => {
    const fastify = Fastify({ pluginTimeout, logger: { stream: { write } } })
    t.teardown(() => fastify.close())
    const host = { name: 'a', root, mode: 'production' as const, checkOnly: false, importModule: async () => ({}) }
    fastify.decorate('appHost', host)
    await fastify.register(svcOrm, { migrations: { run: 'boot' } })
    fastify.orm.addConnector(connector)
    if (isHeld) fastify.orm.migrations.hold()
    let opened = 0
    fastify.addHook('onReady', async () => {
      opened += 1
    })
    await fastify.ready()
    return opened
  }
  const goesOn = () =>
    new Promise<Line>((resolve) => {
      awaited = resolve
    })
  return { boot, end, fail, goesOn, lines }
}

t.test('M6: a boot takes as long as its migration, and says how far it is', async (t) => {
  const { boot, end, goesOn, lines } = setting(t, PLUGIN_TIMEOUT_MS)
  const booted = boot()
  // More of them than fit into the bound of one hook.
  for (const _ of [1, 2, 3]) {
    t.match(await goesOn(), { level: 30, msg: 'the boot is running migrations: memory, step one' })
  }
  end(['20260101000000_slow'])
  t.equal(await booted, 1, 'what comes after it has waited')
  t.match(lines.at(-1), { msg: 'migrated 20260101000000_slow' })
})

t.test('M6: one that fails ends the boot, also after a while', async (t) => {
  const { boot, fail, goesOn } = setting(t, PLUGIN_TIMEOUT_MS)
  const ended = t.rejects(boot(), { message: 'no more' })
  await goesOn()
  await goesOn()
  fail(new Error('no more'))
  await ended
})

t.test('M6: a migration that ends at once, and an application without a bound', async (t) => {
  for (const pluginTimeout of [60_000, 0]) {
    const { boot, end, lines } = setting(t, pluginTimeout)
    end([])
    t.equal(await boot(), 1)
    t.notOk(lines.some(({ msg }) => msg.startsWith('the boot is running')))
  }
})

t.test('a boot that is to mend rows migrates nothing', async (t) => {
  const { boot, lines } = setting(t, PLUGIN_TIMEOUT_MS)
  t.equal(await boot(true), 1)
  t.notOk(lines.some(({ msg }) => /migrat/.test(msg)))
})
