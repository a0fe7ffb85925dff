/** Reloads one at a time; what fails is undone; edits that arrive meanwhile make one more. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Application } from 'svc-host'
import t from 'tap'
import type { Generation } from '../../src/dev/generation.ts'
import { Reloader, type ReloaderParts } from '../../src/dev/reloader.ts'

/** Parts that record what happens to them; each import waits until it is let go. */
function recorder() {
  const events: string[] = []
  const imports: Array<{ pass(): void; fail(error: Error): void }> = []
  let told = (): void => undefined
  const generation = { retire: async () => void events.push('retired') } as unknown as Generation
  const parts: ReloaderParts = {
    renew() {
      events.push('renew')
      return () => void events.push('undo')
    },
    importApplication: () =>
      new Promise((resolve, reject) => {
        imports.push({ pass: () => resolve({} as Application), fail: reject })
        told()
      }),
    open: async () => generation,
    onReady: (_next, files, tookMs) => void events.push(`ready ${files.join(' ')} ${tookMs}`),
    onFailure: (error, files) => void events.push(`failed ${(error as Error).message} ${files.join(' ')}`),
    now: () => 0
  }
  async function nextImport() {
    while (imports.length === 0) await new Promise<void>((resolve) => (told = resolve))
    return imports.shift() as (typeof imports)[number]
  }
  return { events, parts, nextImport, generation }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await nextTurn()
}

t.test('edits close together are one reload', async (t) => {
  const { events, parts, nextImport } = recorder()
  const reloader = new Reloader(parts)
  reloader.changed('a')
  reloader.changed('b')
  reloader.changed('a')
  const running = await nextImport()
  running.pass()
  await until(() => events.length === 2)
  t.strictSame(events, ['renew', 'ready a b 0'])
  await reloader.stop()
})

t.test('an edit during a reload makes one more, after it', async (t) => {
  const { events, parts, nextImport } = recorder()
  const reloader = new Reloader(parts)
  reloader.changed('a')
  const first = await nextImport()
  reloader.changed('b')
  reloader.changed('c')
  first.pass()
  const second = await nextImport()
  t.strictSame(events, ['renew', 'ready a 0', 'renew'])
  second.pass()
  await until(() => events.length === 4)
  t.equal(events.at(-1), 'ready b c 0')
  await reloader.stop()
})

t.test('what fails is undone and reported; the next edit starts anew', async (t) => {
  const { events, parts, nextImport } = recorder()
  const reloader = new Reloader(parts)
  reloader.changed('a')
  const broken = await nextImport()
  broken.fail(new Error('boom'))
  await until(() => events.length === 3)
  t.strictSame(events, ['renew', 'undo', 'failed boom a'])
  reloader.changed('a')
  const mended = await nextImport()
  mended.pass()
  await until(() => events.length === 5)
  t.equal(events.at(-1), 'ready a 0')
  await reloader.stop()
})

t.test('the first generation: its failure is thrown, and undone', async (t) => {
  const { events, parts, nextImport, generation } = recorder()
  const reloader = new Reloader(parts)
  const failing = reloader.first()
  const refused = t.rejects(failing, /boom/)
  ;(await nextImport()).fail(new Error('boom'))
  await refused
  t.strictSame(events, ['renew', 'undo'])
  const good = reloader.first()
  ;(await nextImport()).pass()
  t.equal(await good, generation)
})

t.test('edits that arrive before the first generation serves are one reload, after it', async (t) => {
  const { events, parts, nextImport } = recorder()
  const reloader = new Reloader(parts)
  const loading = reloader.first()
  reloader.changed('a')
  ;(await nextImport()).pass()
  await loading
  reloader.changed('b')
  // An edit of another one that came later has settled: so have these.
  const other = recorder()
  new Reloader(other.parts).changed('c')
  await other.nextImport()
  t.strictSame(events, ['renew'])
  reloader.serving()
  ;(await nextImport()).pass()
  await until(() => events.length === 3)
  t.strictSame(events, ['renew', 'renew', 'ready a b 0'])
  await reloader.stop()
})

t.test('a stop waits for the reload that runs, which is thrown away', async (t) => {
  const { events, parts, nextImport } = recorder()
  const reloader = new Reloader(parts)
  reloader.changed('a')
  const running = await nextImport()
  const stopped = reloader.stop()
  reloader.changed('b')
  running.pass()
  await stopped
  t.strictSame(events, ['renew', 'retired'])
})
