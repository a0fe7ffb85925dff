/** The runner of an application's sources, while their files change. */
import { EventEmitter, once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { type ModuleRunner, openModuleRunner } from '../../src/application/module-runner.ts'
import { createdApp, write } from '../support/sandbox.ts'

/** A runner of a created application, and what its watcher says. */
async function watched(t: Test, files: Readonly<Record<string, string>>) {
  const root = await createdApp(t)
  for (const [path, text] of Object.entries(files)) await write(root, path, text)
  const changes = new EventEmitter()
  const runner = await openModuleRunner(root, (_event, path) => changes.emit(path))
  t.teardown(() => runner.close())
  await watching(changes, join(root, 'probe.ts'))
  return { root, runner, changes }
}

/** The watcher reports nothing before it has looked at every folder: it is ready once it reports a file that is written over and over. */
async function watching(changes: EventEmitter, probe: string): Promise<void> {
  let isReported = false
  changes.once(probe, () => {
    isReported = true
  })
  for (let text = 0; !isReported; text += 1) {
    writeFileSync(probe, String(text))
    await new Promise(setImmediate)
  }
}

t.test('what is edited, added or removed before the watcher is ready is reported', async (t) => {
  const root = await createdApp(t)
  for (const name of ['edited', 'removed', 'untouched']) await write(root, `lib/deep/${name}.ts`, 'export {}')
  const reported = new Set<string>()
  const runner = await openModuleRunner(root, (_event, path) => reported.add(path))
  t.teardown(() => runner.close())
  const path = (name: string) => join(root, 'lib/deep', `${name}.ts`)
  await Promise.all(['edited', 'removed', 'untouched'].map((name) => runner.importModule(path(name))))
  for (const name of ['edited', 'added']) writeFileSync(path(name), 'export const edited = true')
  rmSync(path('removed'))
  const missed = () => ['added', 'edited', 'removed'].filter((name) => !reported.has(path(name)))
  while (missed().length > 0) await new Promise(setImmediate)
  t.notOk(reported.has(path('untouched')))
  runner.forget()
  t.match(await runner.importModule(path('edited')), { edited: true })
})

/** Modules of the application tell through this, and wait for what the test gives. */
const told = globalThis as { ranAt?: string[]; goOn?: Promise<unknown> }

t.test('a file that changes amid a load runs once in it, and anew in the next', async (t) => {
  const shared = (when: string) => `globalThis.ranAt.push('${when}')\nexport const shared = {}`
  const { root, runner, changes } = await watched(t, {
    'lib/shared.ts': shared('before'),
    'lib/first.ts': "export { shared } from './shared.ts'\nawait globalThis.goOn",
    'lib/second.ts': "export { shared } from './shared.ts'",
    'lib/both.ts':
      "export const { shared: one } = await import('./first.ts')\nexport const { shared: two } = await import('./second.ts')"
  })
  told.ranAt = []
  const gate = new EventEmitter()
  told.goOn = once(gate, 'open')
  const loading = load(runner, root)
  while (told.ranAt.length === 0) await new Promise(setImmediate)
  const changed = once(changes, join(root, 'lib/shared.ts'))
  await write(root, 'lib/shared.ts', shared('after'))
  await changed
  gate.emit('open')
  const { one, two } = await loading
  t.equal(one, two)
  t.strictSame(told.ranAt, ['before'])
  runner.forget()
  await load(runner, root)
  t.strictSame(told.ranAt, ['before', 'after'])
})

const load = (runner: ModuleRunner, root: string) => runner.importModule(join(root, 'lib/both.ts'))

t.test('a change within the silence of the watcher: reported once more, unless a load has read it', async (t) => {
  const { root, runner, changes } = await watched(t, { 'read.ts': '', 'unread.ts': '' })
  await runner.importApplication()
  const [read, unread] = [join(root, 'read.ts'), join(root, 'unread.ts')]
  const reports: string[] = []
  changes.on(read, () => reports.push(read)).once(read, () => writeFileSync(read, 'of two writes'))
  const reported = once(changes, read)
  writeFileSync(read, 'of one write')
  await reported
  await runner.importApplication()

  changes.once(unread, () => writeFileSync(unread, 'of two writes'))
  const first = once(changes, unread)
  writeFileSync(unread, 'of one write')
  await first
  await once(changes, unread)
  t.strictSame(reports, [read])
})

t.test(
  'a change after its report and before the next load: that load runs it, or a report of it follows',
  async (t) => {
    const value = (text: string) => `export const value = '${text}'`
    const { root, runner, changes } = await watched(t, { 'value.ts': value('none') })
    const path = join(root, 'value.ts')
    const loaded = async () => {
      runner.forget()
      return (await runner.importModule(path)).value
    }
    t.equal(await loaded(), 'none')
    const reported = once(changes, path)
    writeFileSync(path, value('first'))
    await reported
    t.equal(await loaded(), 'first')
    // Vite invalidates what it has compiled a little after the report.
    t.equal(await loaded(), 'first')
    const again = once(changes, path)
    writeFileSync(path, value('second'))
    const [, seen] = await Promise.all([runner.importApplication(), loaded()])
    if (seen === 'first') await again
    t.equal(seen === 'first' ? await loaded() : seen, 'second')
  }
)
