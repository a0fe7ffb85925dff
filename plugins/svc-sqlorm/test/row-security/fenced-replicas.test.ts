/** Reads of a standby under policies: what they see, and a role of the standby that passes them. */
import { setImmediate } from 'node:timers/promises'
import Fastify from 'fastify'
import svcOrm, { defineEntity } from 'svc-orm'
import type { ReplicaHealth } from 'svc-stores/table'
import t, { type Test } from 'tap'
import svcSqlorm from '../../src/index.ts'
import { CapturedLog } from '../support/captured-log.ts'
import { fencedDatabase } from '../support/fenced-database.ts'
import { onPostgres } from '../support/on-postgres.ts'
import { Standby } from '../support/replicated.ts'

t.setTimeout(240_000)

const Note = defineEntity({
  name: 'Note',
  scope: 'organization',
  schema: { title: { type: 'string' } }
})

async function application(t: Test, url: string, replica: string) {
  const log = new CapturedLog()
  const fastify = Fastify({ logger: log.logger })
  t.teardown(() => fastify.close())
  await fastify.register(svcOrm, { parts: { entities: [Note] } })
  await fastify.register(svcSqlorm, {
    connectors: { default: { url, replicas: [replica], rowSecurity: true, poolSize: 3 } }
  })
  await fastify.ready()
  const { orm } = fastify
  const health = async () => (await orm.connectors()[0]?.health())?.replicas?.[0] as ReplicaHealth
  const within = <T>(organization: string, work: () => Promise<T>) => orm.withScope({ organization }, work)
  const read = <T>(organization: string, work: () => Promise<T>) => orm.onReplicas(() => within(organization, work))
  return { fastify, orm, log, health, within, read, notes: orm.repository(Note) }
}

await onPostgres(async (t, server) => {
  const standbyServer = await server.standby()
  const { url, asSuperuser } = await fencedDatabase(server)
  const { username } = new URL(url)
  const standby = new Standby(standbyServer, server.url(new URL(url).pathname.slice(1)))
  const replica = new URL(standby.url)
  replica.username = username
  // It has the database and its role.
  await standby.caughtUp()

  await t.test('a caller sees the rows of its scope, on the standby and beside others', async (t) => {
    const { orm, within, read, notes, health } = await application(t, url, String(replica))
    await within('a', () => notes.create({ title: 'of a' }))
    await within('b', () => notes.create({ title: 'of b' }))
    await standby.caughtUp()
    await standby.pause()
    t.teardown(() => standby.resume())
    await within('a', () => notes.create({ title: 'later' }))
    t.match(await health(), { reading: true })
    t.equal(await within('a', () => notes.count()), 2)
    const both = Array.from({ length: 40 }, (_, number) => (number % 3 === 0 ? 'a' : 'b'))
    const seen = await Promise.all(both.map((each) => read(each, () => notes.find())))
    t.strictSame(
      seen.map((rows) => rows.map(({ title }) => title)),
      both.map((each) => [`of ${each}`])
    )
    t.strictSame(await read('a', async () => (await notes.findOne({ title: 'of b' })) ?? null), null)
    t.strictSame(await read('b', () => notes.groupBy({}, { by: ['title'] })), [{ title: 'of b' }])
    const all = await orm.acrossScopes('the test compares', () => orm.onReplicas(() => notes.count()))
    t.equal(all, 2, 'across scopes, the standby shows both')
    await t.rejects(
      orm.onReplicas(() => notes.count()),
      { code: 'SVC_ORM_NO_SCOPE' }
    )
    t.equal(await read('b', () => notes.count()), 1, 'a refused read leaves the connection usable')
  })

  await t.test('a standby whose role passes policies gets no reads', async (t) => {
    const boss = new URL(standby.url)
    const { fastify, within, read, notes, health } = await application(t, url, String(boss))
    t.match(await health(), { reading: false, reason: 'its role passes every policy' })
    t.match(fastify.bootWarnings, [{ code: 'SVC_SQLORM_REPLICA_OUT' }])
    await within('a', () => notes.create({ title: 'newest' }))
    t.equal(await read('a', () => notes.count({ title: 'newest' })), 1, 'the primary answers')
  })

  await t.test('also where the role passes them later', async (t) => {
    const { within, log, notes, read } = await application(t, url, String(replica))
    let found = false
    void log.next('no longer go to the replica').then(() => {
      found = true
    })
    await asSuperuser(`alter role ${username} bypassrls`)
    while (!found) await setImmediate()
    t.match(log.lines.at(-1), { reason: 'its role passes every policy' })
    await within('a', () => notes.create({ title: 'newest of all' }))
    t.equal(await read('a', () => notes.count({ title: 'newest of all' })), 1)
  })
})
