/** The embedded engine on a full disk, as an application meets it. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { defineEntity } from 'svc-orm'
import { userStore } from 'svc-security/stores'
import t, { type Test } from 'tap'
import { application } from '../support/application.ts'
import { onSmallDisk, type SmallDisk } from '../support/small-disk.ts'

const Note = defineEntity({ name: 'Note', schema: { text: { type: 'text' } } })

const FULL = { code: 'SVC_DOCDB_FULL', statusCode: 503 }

t.test('R14: a full disk is 503 with a code of its own, and over when there is room', (t) =>
  onSmallDisk(t, 1024, (disk) => fullDisk(t, disk))
)

async function fullDisk(t: Test, disk: SmallDisk): Promise<void> {
  const options = { connectors: { svc: { embedded: true, file: 'documents/data.db' } } }
  const lines: string[] = []
  const fastify = await application(t, { options, entities: [Note], root: disk.folder, lines })
  const { store } = fastify.stores.select(userStore, 'docdb')
  await fastify.ready()
  const notes = fastify.orm.repository(Note)
  let written = 0
  const fill = async () => {
    for (; written < 1000; written += 1) await notes.create({ text: 'x'.repeat(8000) })
  }
  await t.rejects(fill(), FULL)
  const large = 'x'.repeat(400_000)
  await t.rejects(notes.createMany([{ text: large }, { text: large }]), FULL)
  await t.rejects(
    notes.withTransaction((inside) => inside.create({ text: large })),
    FULL
  )
  await t.rejects(Promise.resolve(store?.create({ identifier: 'ann', metadata: { large } })), FULL)
  t.equal(await notes.count(), written, 'what was refused is not there')
  t.equal(await store?.findByIdentifier('ann'), null)
  const ready = async () => [...fastify.healthChecks.entries()].find(([name]) => name === 'database svc')?.[1]()
  await t.rejects(ready(), FULL, 'R3: readiness says so')
  disk.enlarge()
  const isReady = () =>
    ready().then(
      () => true,
      () => false
    )
  for (let turn = 0; turn < 600 && !(await isReady()); turn += 1) await pause(50)
  await ready()
  const told = lines.filter((line) => line.includes('SVC_ORM_UNWRITABLE'))
  t.equal(told.length, 1, 'R3: one line, however many writes were refused')
  await notes.create({ text: large })
  await store?.create({ identifier: 'ann', metadata: { large } })
  t.equal(await notes.count(), written + 1)
  await fastify.close()
}

t.test('R14: a folder that is made for the data is for its owner alone', async (t) => {
  const root = t.testdir({ 'package.json': '{}' })
  const options = { connectors: { svc: { embedded: true, file: 'data/documents.db' } } }
  const fastify = await application(t, { options, entities: [Note], root })
  await fastify.ready()
  t.equal(statSync(join(root, 'data')).mode & 0o777, 0o700)
  t.equal(statSync(join(root, 'data/documents.db')).mode & 0o777, 0o600)
  await fastify.close()
})
