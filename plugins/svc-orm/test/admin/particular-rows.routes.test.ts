/** Rows that administrators may not take for what they look like, or put where they please: once encrypted ones, and trees. */
import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { SecretBox } from 'svc-kernel/plugin'
import t from 'tap'
import { defineEntity } from '../../src/index.ts'
import { adminApplication } from '../support/admin-application.ts'

const ROWS = { admin: { rows: true, write: true } }

async function call(
  fastify: FastifyInstance,
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  values?: object
) {
  const headers = { 'x-roles': 'ROLE_SVC_ADMIN,ROLE_SVC_DATA,ROLE_SVC_DATA_WRITE' }
  const url = `/svc/orm/api/${path}`
  const answer = await fastify.inject({ method, url, headers, ...(values && { payload: { values } }) })
  return { status: answer.statusCode, text: answer.body, body: answer.body === '' ? null : answer.json() }
}

t.test('a field that is no longer sealed: its boxes leave neither a list, nor a row, nor the journal', async (t) => {
  const Patient = defineEntity({
    name: 'Patient',
    schema: { name: { type: 'string' }, diagnosis: { type: 'text', nullable: true } }
  })
  const { fastify, events } = await adminApplication(t, ROWS, [Patient])
  await fastify.ready()
  // As the release that sealed the field has stored it.
  const box = new SecretBox(randomBytes(32), 'svc-orm/sealed-field').seal('"a cough"')
  const patients = fastify.orm.repository(Patient)
  const { id } = await patients.create({ name: 'Ada', diagnosis: box })
  await patients.create({ name: 'Bob', diagnosis: 'a cold' })
  const list = await call(fastify, 'GET', 'entities/Patient/rows')
  t.strictSame(
    list.body.items.map(({ values }: { values: Record<string, unknown> }) => [values.name, values.diagnosis]).sort(),
    [
      ['Ada', '[sealed]'],
      ['Bob', 'a cold']
    ]
  )
  const path = `entities/Patient/rows/${id}`
  const row = await call(fastify, 'GET', path)
  t.strictSame([row.body.values.name, row.body.masked], ['Ada', ['diagnosis']])
  t.notOk('diagnosis' in row.body.values, 'what is shown may be written back, and a box is not')
  const renamed = await call(fastify, 'PATCH', path, { name: 'Eve' })
  t.strictSame([renamed.status, renamed.body.masked], [200, ['diagnosis']])
  t.equal((await patients.findOne({ id }))?.diagnosis, box, 'it stays as it was')
  const replaced = await call(fastify, 'PATCH', path, { diagnosis: 'a cold' })
  t.equal(replaced.body.values.diagnosis, 'a cold')
  t.match(events.at(-1)?.metadata, { before: { diagnosis: '[sealed]' }, after: { diagnosis: 'a cold' } })
  await patients.updateOne({ id }, { diagnosis: box })
  t.equal((await call(fastify, 'DELETE', path)).status, 204)
  t.match(events.at(-1)?.metadata, { before: { diagnosis: '[sealed]' } })
  t.notMatch(JSON.stringify([list, row, renamed, replaced, events]), /gcm1/)
})

t.test('a tree: it is shown as one, and no row comes below itself', async (t) => {
  const Folder = defineEntity({
    name: 'Folder',
    schema: { name: { type: 'string' } },
    relations: { parent: { type: 'many-to-one', target: 'Folder', nullable: true } },
    tree: 'parent'
  })
  const { fastify, events } = await adminApplication(t, ROWS, [Folder])
  await fastify.ready()
  t.equal((await call(fastify, 'GET', 'entity/Folder')).body.tree, 'parentId')
  const create = async (name: string, parentId: string | null) =>
    (await call(fastify, 'POST', 'entities/Folder/rows', { name, parentId })).body.values.id
  const root = await create('root', null)
  const below = await create('below', root)
  const moved = await call(fastify, 'PATCH', `entities/Folder/rows/${root}`, { parentId: below })
  t.match([moved.status, moved.body.code], [409, 'SVC_ORM_TREE_CYCLE'])
  t.equal((await call(fastify, 'DELETE', `entities/Folder/rows/${root}`)).status, 409, 'a row is below it')
  t.equal((await call(fastify, 'PATCH', `entities/Folder/rows/${below}`, { parentId: null })).status, 200)
  t.equal((await call(fastify, 'DELETE', `entities/Folder/rows/${root}`)).status, 204)
  t.strictSame(
    events.map(({ metadata }) => metadata?.change),
    ['create', 'create', 'update', 'delete'],
    'what was refused is no change'
  )
})
