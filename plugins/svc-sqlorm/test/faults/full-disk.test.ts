/** A database that answers and takes no writes: on a full disk, on a server that is read-only. Reads go on, and it recovers. */
import { CompiledQuery } from 'kysely'
import { defineEntity } from 'svc-orm'
import t, { type Test } from 'tap'
import { ManualClock } from '../support/manual-clock.ts'
import { onPostgres } from '../support/on-postgres.ts'
import { onSmallDisk, type SmallDisk } from '../support/small-disk.ts'
import { type SqlApp, sqlApp } from '../support/sql-app.ts'

const NOTE = defineEntity({ name: 'Note', schema: { text: { type: 'text' } } })

const FULL = { code: 'SVC_SQLORM_FULL', statusCode: 503 }
const READ_ONLY = { code: 'SVC_SQLORM_READ_ONLY', statusCode: 503 }

function check({ fastify }: SqlApp): Promise<unknown> {
  const [, ask] = [...fastify.healthChecks.entries()][0] ?? []
  return Promise.resolve(ask?.())
}

/** Waits for what follows a timer, which a manual clock cannot. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < 2000; turn += 1) {
    if (await holds()) return
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  throw new Error('never')
}

async function recovers(t: Test, app: SqlApp, clock: ManualClock): Promise<void> {
  await until(async () => {
    clock.advance(1000)
    return check(app).then(
      () => true,
      () => false
    )
  })
  t.equal(app.log.messages(50).length, 1, 'one line when it began, however many writes were refused')
  t.equal(app.log.messages().filter((message) => message.includes('accepts writes again')).length, 1)
}

async function fullDisk(t: Test, disk: SmallDisk): Promise<void> {
  const clock = new ManualClock()
  const app = await sqlApp(t, `sqlite:${disk.folder}/app.db`, { entities: [NOTE], parts: { clock } })
  await app.fastify.ready()
  const notes = app.fastify.orm.repository(NOTE)
  await check(app)
  let written = 0
  const fill = async () => {
    for (; written < 2000; written += 1) await notes.create({ text: 'x'.repeat(8000) })
  }
  await t.rejects(fill(), FULL)
  for (let time = 0; time < 5; time += 1) await t.rejects(notes.create({ text: 'x'.repeat(100_000) }), FULL)
  t.equal(await notes.count(), written, 'reads go on')
  t.equal(app.fastify.orm.connectors()[0]?.connected, true, 'it is no outage')
  await t.rejects(check(app), FULL, 'and readiness says so')
  clock.advance(1000)
  await until(async () => clock.armed > 0)
  await t.rejects(check(app), FULL, 'a probe that fails as well changes nothing')
  disk.enlarge()
  await recovers(t, app, clock)
  await notes.create({ text: 'x'.repeat(100_000) })
  const tables = CompiledQuery.raw("select name from sqlite_master where name = 'svc_write_probe'")
  const { rows } = await app.fastify.sqlorm.connection().run((db) => db.executeQuery(tables))
  t.strictSame(rows, [], 'the probe leaves nothing behind')
  await app.fastify.close()
}

t.test('R3: SQLite on a full disk', (t) => onSmallDisk(t, 1024, (disk) => fullDisk(t, disk)))

await onPostgres(async (t, server) => {
  await t.test('R3: PostgreSQL that is read-only', async (t) => {
    const url = await server.createDatabase()
    const clock = new ManualClock()
    const app = await sqlApp(t, url, { entities: [NOTE], parts: { clock }, poolSize: 1 })
    await app.fastify.ready()
    const notes = app.fastify.orm.repository(NOTE)
    const set = (value: 'on' | 'off') =>
      app.fastify.sqlorm
        .connection()
        .run((db) => db.executeQuery(CompiledQuery.raw(`set default_transaction_read_only = ${value}`)))
    await notes.create({ text: 'a' })
    await check(app)
    await set('on')
    await check(app)
    for (let time = 0; time < 5; time += 1) await t.rejects(notes.create({ text: 'b' }), READ_ONLY)
    t.equal(await notes.count(), 1)
    await t.rejects(check(app), READ_ONLY)
    await set('off')
    await recovers(t, app, clock)
    await notes.create({ text: 'c' })
    await app.fastify.close()
  })

  await t.test('R3: a server that was killed answers no check, and one that is back does', async (t) => {
    const app = await sqlApp(t, await server.createDatabase(), { entities: [NOTE] })
    await app.fastify.ready()
    await check(app)
    await server.kill()
    await t.rejects(check(app), { code: 'SVC_ORM_UNAVAILABLE' })
    await server.start()
    await until(async () => {
      return check(app).then(
        () => true,
        () => false
      )
    })
    await app.fastify.close()
  })

  await t.test('R3: a server that is not there at boot is looked for by each check', async (t) => {
    const url = await server.createDatabase()
    await server.kill()
    const clock = new ManualClock()
    const app = await sqlApp(t, url, { entities: [NOTE], parts: { clock } })
    await app.fastify.ready()
    await t.rejects(check(app), { code: 'SVC_ORM_UNAVAILABLE' })
    await t.rejects(check(app), { code: 'SVC_ORM_UNAVAILABLE' })
    await server.start()
    await until(async () =>
      check(app).then(
        () => true,
        () => false
      )
    )
    await app.fastify.orm.repository(NOTE).create({ text: 'a' })
    t.equal(app.log.messages(50).length, 1, 'told once')
    await app.fastify.close()
  })
})
