/** What a killed process, a removal or a failing place leaves, and what becomes of it. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inMemory } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import t, { type Test } from 'tap'
import { DiskContent } from '../../src/content/disk-content.ts'
import type { FileContent } from '../../src/index.ts'
import { fileStore } from '../../src/stores.ts'
import { filesApp } from '../support/files-app.ts'

function place(t: Test): { content: DiskContent; left: () => string[] } {
  const folder = mkdtempSync(join(tmpdir(), 'svc-files-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const left = () =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
  return { content: new DiskContent(folder), left }
}

const killed = new Error('killed')

t.test('a kill at any step leaves no stored file without content, and the purge leaves nothing', async (t) => {
  for (const step of ['reserve', 'resize', 'complete', 'write before', 'write after']) {
    const clock = new ManualClock()
    const { content, left } = place(t)
    const store = inMemory(fileStore, { clock })
    // From this step on the process does nothing more.
    let dead = false
    const dies = <Call extends (...given: never[]) => unknown>(at: boolean, call: Call, after = false) =>
      (async (...given: Parameters<Call>) => {
        if (dead || (at && !after)) {
          dead = true
          throw killed
        }
        const result = await call(...given)
        if (at) dead = true
        if (dead) throw killed
        return result
      }) as unknown as Call
    const mortalStore = new Proxy(store, {
      get: (target, name) => dies(name === step, (Reflect.get(target, name) as () => unknown).bind(target))
    })
    const mortalContent: FileContent = {
      write: dies(step.startsWith('write'), content.write.bind(content), step === 'write after'),
      read: content.read.bind(content),
      remove: dies(false, content.remove.bind(content)),
      check: () => content.check()
    }
    const options = { quota: { scopeBytes: 50 } }
    const before = await filesApp(t, {
      options,
      parts: { clock, content: mortalContent, stores: { files: mortalStore } }
    })
    const acme = before.app.files.in('acme')
    await t.rejects(
      acme.put([Buffer.from('text')], { name: 'a', maxBytes: 100 }),
      { message: /killed|not available/ },
      step
    )
    const after = await filesApp(t, { options, parts: { clock, content, stores: { files: store } } })
    t.strictSame(await after.app.files.in('acme').list(), [], step)
    clock.advance(86_400_000)
    await after.app.files.purge()
    t.strictSame([left(), await store.used('acme'), await store.removed(clock.now(), undefined, 9)], [[], 0, []], step)
  }
})

t.test('a removed file cannot be found at once, and its content goes with the purge', async (t) => {
  const clock = new ManualClock()
  const { app, onDisk } = await filesApp(t, { options: { removedS: 60 }, parts: { clock } })
  const acme = app.files.in('acme')
  const { id } = await acme.put([Buffer.from('text')], { name: 'a' })
  t.equal(await acme.remove(id), true)
  t.equal(await acme.remove(id), false)
  t.equal(await acme.get(id), null)
  await t.rejects(acme.stream(id), { code: 'SVC_FILES_NOT_FOUND' })
  t.equal(await app.files.purge(), 0)
  t.strictSame(onDisk(), [id])
  clock.advance(60_000)
  t.equal(await app.files.purge(), 1)
  t.strictSame(onDisk(), [])
})

t.test(
  'a file that is removed and purged while it is opened is not found; one whose content is gone is an error',
  async (t) => {
    const { content } = place(t)
    let before: () => Promise<unknown> = async () => undefined
    const read: FileContent['read'] = async (id, range) => {
      await before()
      return content.read(id, range)
    }
    const parts = {
      content: {
        write: content.write.bind(content),
        read,
        remove: content.remove.bind(content),
        check: content.check.bind(content)
      }
    }
    const { app } = await filesApp(t, { parts })
    const acme = app.files.in('acme')
    const download = async (id: string) => {
      const answer = await app.inject({ url: `/files/${id}`, headers: { 'x-scope': 'acme' } })
      return [answer.statusCode, answer.json().code]
    }
    const removed = await acme.put([Buffer.from('text')], { name: 'a' })
    before = async () => {
      await acme.remove(removed.id)
      await app.files.purge()
    }
    t.strictSame(await download(removed.id), [404, 'SVC_FILES_NOT_FOUND'])
    const lost = await acme.put([Buffer.from('text')], { name: 'b' })
    before = () => content.remove(lost.id)
    t.strictSame(await download(lost.id), [500, 'SVC_FILES_CONTENT_MISSING'])
  }
)

t.test('a staged file that is not kept is purged, and cannot be kept then', async (t) => {
  const clock = new ManualClock()
  const { app, onDisk } = await filesApp(t, { options: { pendingS: 60 }, parts: { clock } })
  const acme = app.files.in('acme')
  const { id } = await acme.stage([Buffer.from('text')], { name: 'a' })
  clock.advance(59_999)
  t.equal(await app.files.purge(), 0)
  clock.advance(1)
  t.equal(await app.files.purge(), 1)
  t.strictSame(onDisk(), [])
  await t.rejects(acme.keep(id), { code: 'SVC_FILES_NOT_FOUND' })
})

t.test('one file that cannot be removed keeps no other, and is tried again', async (t) => {
  const { content, left } = place(t)
  const stuck = new Set<string>()
  const remove = (id: string) => (stuck.has(id) ? Promise.reject(new Error('busy')) : content.remove(id))
  const parts = {
    content: {
      write: content.write.bind(content),
      read: content.read.bind(content),
      remove,
      check: content.check.bind(content)
    }
  }
  const { app } = await filesApp(t, { parts })
  const acme = app.files.in('acme')
  const files = await Promise.all(Array.from({ length: 250 }, () => acme.put([Buffer.from('a')], { name: 'a' })))
  for (const { id } of files.slice(0, 120)) stuck.add(id)
  for (const { id } of files) await acme.remove(id)
  t.equal(await app.files.purge(), 130)
  t.equal(left().length, 120)
  stuck.clear()
  t.equal(await app.files.purge(), 120)
  t.strictSame(left(), [])
})

t.test('the purge runs by itself', async (t) => {
  const clock = new ManualClock()
  const { app, onDisk } = await filesApp(t, { options: { purgeS: 600 }, parts: { clock } })
  await app.ready()
  const { id } = await app.files.in('acme').put([Buffer.from('text')], { name: 'a' })
  await app.files.in('acme').remove(id)
  clock.advance(600_000)
  while (onDisk().length > 0) await new Promise((done) => setImmediate(done))
  t.strictSame(onDisk(), [])
})
