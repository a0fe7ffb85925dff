/** Files that are locked, read-only, damaged, or in no folder: a clear answer each, and recovery where it can be. */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { CompiledQuery } from 'kysely'
import { defineEntity } from 'svc-orm'
import t, { type Test } from 'tap'
import { ManualClock } from '../support/manual-clock.ts'
import { sqlApp } from '../support/sql-app.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const NOTE = defineEntity({ name: 'Note', schema: { text: { type: 'text' } } })

async function bootError(t: Test, path: string): Promise<unknown> {
  const { fastify } = await sqlApp(t, `sqlite:${path}`, { entities: [NOTE] })
  return Promise.resolve(fastify.ready()).then(
    () => null,
    (error: unknown) => error
  )
}

t.test('a file that is no database stops the boot, and stays as it is', async (t) => {
  const path = join(temporaryFolder(t), 'app.db')
  writeFileSync(path, 'no database at all, '.repeat(300))
  t.match(await bootError(t, path), { name: 'BootError', code: 'SVC_SQLORM_DAMAGED' })
  t.equal(readFileSync(path, 'utf8').slice(0, 11), 'no database')
})

t.test('a folder where the file should be stops the boot', async (t) => {
  const path = join(temporaryFolder(t), 'app.db')
  mkdirSync(path)
  t.match(await bootError(t, path), {
    code: 'SVC_SQLORM_OPEN',
    problems: [{ at: 'svc-sqlorm.connectors.default.url' }]
  })
})

t.test('a file where the folder should be stops the boot', async (t) => {
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, 'data'), '')
  t.match(await bootError(t, join(folder, 'data', 'app.db')), { code: 'SVC_SQLORM_OPEN' })
})

t.test('a file that another process holds: writes wait, then 503, then work again', async (t) => {
  const path = join(temporaryFolder(t), 'app.db')
  const { fastify } = await sqlApp(t, `sqlite:${path}`, { entities: [NOTE], waitMs: 20 })
  await fastify.ready()
  const notes = fastify.orm.repository(NOTE)
  const other = new DatabaseSync(path)
  t.teardown(() => other.close())
  other.exec('begin immediate')
  const busy = { code: 'SVC_SQLORM_BUSY', statusCode: 503 }
  await t.rejects(notes.create({ text: 'a' }), busy)
  await t.rejects(
    notes.withTransaction((inside) => inside.create({ text: 'a' })),
    busy
  )
  t.equal(await notes.count(), 0, 'reading goes on')
  other.exec('commit')
  await notes.create({ text: 'b' })
  t.match(await notes.find(), [{ text: 'b' }])
})

t.test('a file that is held while the application starts: 503, until it is free', async (t) => {
  const path = join(temporaryFolder(t), 'app.db')
  const other = new DatabaseSync(path)
  t.teardown(() => other.close())
  other.exec('create table of_others (a text); begin exclusive')
  const clock = new ManualClock()
  const { fastify, log } = await sqlApp(t, `sqlite:${path}`, { entities: [NOTE], waitMs: 20, parts: { clock } })
  await fastify.ready()
  const notes = fastify.orm.repository(NOTE)
  await t.rejects(notes.find(), { code: 'SVC_ORM_UNAVAILABLE', statusCode: 503 })
  other.exec('commit')
  const up = log.next('is connected')
  clock.advance(500)
  await up
  t.equal((await notes.create({ text: 'a' })).text, 'a')
})

t.test('a file that is held for a moment while the application starts, as by another instance', async (t) => {
  const path = join(temporaryFolder(t), 'app.db')
  const other = new DatabaseSync(path)
  t.teardown(() => other.close())
  other.exec('begin exclusive')
  const { fastify } = await sqlApp(t, `sqlite:${path}`, { entities: [NOTE] })
  const ready = fastify.ready()
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
  other.exec('commit')
  await ready
  t.equal(fastify.orm.connectors()[0]?.connected, true)
  t.equal((await fastify.orm.repository(NOTE).create({ text: 'a' })).text, 'a')
})

t.test('a file that cannot be written is still read', async (t) => {
  const path = join(temporaryFolder(t), 'app.db')
  const before = await sqlApp(t, `sqlite:${path}`, { entities: [NOTE] })
  await before.fastify.ready()
  await before.fastify.orm.repository(NOTE).create({ text: 'a' })
  await before.fastify.close()
  // Root may write what nobody may: then SQLite itself is told to refuse.
  chmodSync(path, 0o444)
  const { fastify } = await sqlApp(t, `sqlite:${path}`, { entities: [NOTE] })
  await fastify.ready()
  await fastify.sqlorm.connection().run((db) => db.executeQuery(CompiledQuery.raw('pragma query_only = on')))
  const notes = fastify.orm.repository(NOTE)
  t.match(await notes.find(), [{ text: 'a' }])
  await t.rejects(notes.create({ text: 'b' }), { code: 'SVC_SQLORM_READ_ONLY', statusCode: 503 })
  await t.rejects(notes.delete({}), { code: 'SVC_SQLORM_READ_ONLY' })
  t.match(await fastify.orm.connectors()[0]?.health(), {
    connected: true,
    errorCount: 2,
    lastError: 'read-only (SQLite 8)'
  })
})

t.test('D10: a full disk is told as such; what stands is read, and room that is made is used', async (t) => {
  const { fastify } = await sqlApp(t, `sqlite:${temporaryFolder(t)}/app.db`, { entities: [NOTE] })
  await fastify.ready()
  const notes = fastify.orm.repository(NOTE)
  await notes.create({ text: 'a' })
  const pages = (most: number) =>
    fastify.sqlorm.connection().run((db) => db.executeQuery(CompiledQuery.raw(`pragma max_page_count = ${most}`)))
  await pages(1)
  const long = { text: 'x'.repeat(100_000) }
  const full = { code: 'SVC_SQLORM_FULL', statusCode: 503, message: /is full; nothing was written$/ }
  await t.rejects(notes.create(long), full)
  await t.rejects(
    notes.withTransaction((inside) => inside.create(long)),
    full
  )
  t.match(await notes.find(), [{ text: 'a' }])
  t.match(await fastify.orm.connectors()[0]?.health(), { connected: true, lastError: 'full (SQLite 13)' })
  await pages(1_000_000)
  t.equal((await notes.create(long)).text, long.text)
})

t.test('a file that is damaged while it is in use', async (t) => {
  const path = join(temporaryFolder(t), 'app.db')
  const before = await sqlApp(t, `sqlite:${path}`, { entities: [NOTE] })
  await before.fastify.ready()
  const { id } = await before.fastify.orm.repository(NOTE).create({ text: 'x'.repeat(20_000) })
  await before.fastify.close()
  const bytes = readFileSync(path)
  const { fastify } = await sqlApp(t, `sqlite:${path}`, { entities: [NOTE] })
  await fastify.ready()
  // All pages but the first, which holds the schema.
  writeFileSync(path, Buffer.concat([bytes.subarray(0, 4096), Buffer.alloc(bytes.length - 4096, 0xa5)]))
  await t.rejects(fastify.orm.repository(NOTE).find({ id }), { code: 'SVC_SQLORM_DAMAGED', statusCode: 503 })
})
