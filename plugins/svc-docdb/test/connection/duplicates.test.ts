/** Documents that a new unique index contradicts: the application says so, and does not take more of them. */

import { startDocumentEngine } from 'svc-docdb-embedded'
import type { BootError } from 'svc-kernel'
import { defineEntity, type EntitySource } from 'svc-orm'
import { userStore } from 'svc-security/stores'
import { ManualClock } from 'svc-stores/conformance'
import t, { type Test } from 'tap'
import { application } from '../support/application.ts'
import { documents } from '../support/documents.ts'

const Before = defineEntity({
  name: 'Member',
  schema: { email: { type: 'string' }, team: { type: 'string' }, nick: { type: 'string', nullable: true } }
})

const After = defineEntity({
  name: 'Member',
  schema: {
    email: { type: 'string', unique: true },
    team: { type: 'string' },
    nick: { type: 'string', nullable: true, unique: true }
  },
  indexes: [{ fields: ['team', 'email'], unique: true }]
})

async function started(t: Test, uri: string, ...entities: EntitySource[]) {
  const fastify = await application(t, { options: { connectors: { svc: { uri } } }, entities })
  await fastify.ready()
  return fastify
}

t.test('D6: unique over duplicates refuses the boot, as on SQL', async (t) => {
  const { uri } = await documents(t)
  const before = await started(t, uri, Before)
  const members = before.orm.repository(Before)
  await members.createMany([
    { email: 'secret@example.org', team: 'a' },
    { email: 'secret@example.org', team: 'b' },
    { email: 'secret@example.org', team: 'c' },
    { email: 'other@example.org', team: 'a' }
  ])
  await before.close()

  const refused = (await started(t, uri, After).catch((error: unknown) => error)) as BootError
  t.match(refused, { name: 'BootError', code: 'SVC_DOCDB_DUPLICATES' })
  t.match(
    refused.problems,
    [
      {
        code: 'SVC_DOCDB_DUPLICATES',
        message: /^the unique index on email cannot be created: documents of Member /,
        at: 'entity Member, on connector svc',
        got: /^3 documents that share 1 value, for example the one with id [0-9a-f]{24}$/,
        expected: 'no two documents with the same email',
        fix: /email/,
        more: /docs svc-docdb$/
      }
    ],
    'of three unique indexes the one is named that is contradicted'
  )
  t.equal(refused.problems.length, 1)
  t.notMatch(String(refused), /secret/, 'no value is shown')

  const [, id = ''] = /id ([0-9a-f]{24})/.exec(refused.message) ?? []
  const again = await started(t, uri, Before)
  t.match(await again.orm.repository(Before).findOne({ id }), { email: 'secret@example.org' })
  await again.orm.repository(Before).delete({ email: 'secret@example.org' })
  await again.close()
  const after = await started(t, uri, After)
  await t.rejects(after.orm.repository(After).create({ email: 'other@example.org', team: 'z' }), {
    code: 'SVC_ORM_UNIQUE'
  })
})

t.test('D6: a store of the framework too', async (t) => {
  const { uri } = await documents(t)
  const raw = await started(t, uri)
  await raw.mongo.db?.collection('User').insertMany([{ identifier: 'ann' }, { identifier: 'ann' }])
  await raw.close()
  const fastify = await application(t, { options: { connectors: { svc: { uri } } } })
  fastify.stores.select(userStore, 'docdb')
  const refused = (await fastify.ready().then(undefined, (error: unknown) => error)) as BootError
  t.match(refused.problems, [{ code: 'SVC_DOCDB_DUPLICATES', at: /User/, got: /^2 documents that share 1 value/ }])
  t.notMatch(String(refused), /ann\b/)
})

t.test('D6: a server that comes later with duplicates is not written to until they are gone', async (t) => {
  const file = `${t.testdir({})}/members.db`
  const first = await startDocumentEngine({ file })
  const uri = `mongodb://127.0.0.1:${first.port}/members?replicaSet=rs0`
  const before = await started(t, uri, Before)
  await before.orm.repository(Before).createMany([
    { email: 'secret@example.org', team: 'a' },
    { email: 'secret@example.org', team: 'b' }
  ])
  await before.close()
  await first.close()

  const lines: string[] = []
  const clock = new ManualClock()
  const options = { connectors: { svc: { uri, selectionTimeoutMs: 200 } } }
  const late = await application(t, { options, parts: { clock }, entities: [After], lines })
  await late.ready()
  const engine = await startDocumentEngine({ file, port: first.port })
  t.teardown(() => engine.close())
  const members = late.orm.repository(After)
  await t.rejects(members.create({ email: 'new@example.org', team: 'a' }), { code: 'SVC_ORM_UNAVAILABLE' })
  clock.advance(1000)
  await t.rejects(members.find(), { code: 'SVC_ORM_UNAVAILABLE' })
  t.match(lines.join(''), /SVC_DOCDB_DUPLICATES/)
  t.notMatch(lines.join(''), /secret/)

  const repair = await started(t, uri, Before)
  await repair.orm.repository(Before).delete({ team: 'b' })
  await repair.close()
  t.match(await members.create({ email: 'new@example.org', team: 'a' }), { team: 'a' })
  await late.close()
})
