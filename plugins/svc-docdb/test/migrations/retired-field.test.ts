/** Documents while a field leaves the code: what the version before writes stays until the field leaves the database. */
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import Fastify from 'fastify'
import svcOrm, { defineEntity, type EntityDefinition } from 'svc-orm'
import t from 'tap'
import svcDocdb from '../../src/index.ts'
import { documents } from '../support/documents.ts'

const { uri } = await documents(t)

const dir = mkdtempSync(join(import.meta.dirname, 'retired-'))
t.teardown(() => rmSync(dir, { recursive: true, force: true }))

const FIRST = { first: { type: 'string', nullable: true } } as const

async function instance(schema: EntityDefinition['schema']) {
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  const entities = [defineEntity({ name: 'Person', schema })]
  await fastify.register(svcOrm, { drift: 'refuse', migrations: { dir }, parts: { entities } })
  await fastify.register(svcDocdb, { connectors: { svc: { uri } } })
  await fastify.ready()
  const { migrations } = fastify.orm
  const release = async (name: string) => {
    const written = await migrations.diff(name)
    await migrations.migrate()
    return written?.steps
  }
  return { people: fastify.orm.repository('Person'), release, fastify }
}

t.test('I5: a retired field of documents', async (t) => {
  const older = await instance({ name: { type: 'string' }, ...FIRST })
  t.strictSame(await older.release('first'), ['create Person'])
  await older.people.create({ name: 'Ada Lovelace', first: 'Ada' })
  const newer = await instance({ name: { type: 'string', retired: true }, ...FIRST })
  t.strictSame(await newer.release('retire'), ['change Person.name from text to text, may be null'])
  await newer.people.create({ first: 'Alan' })
  await newer.people.updateOne({ first: 'Ada' }, { first: 'Augusta' })
  await older.people.create({ name: 'Grace Hopper', first: 'Grace' })
  t.strictSame(
    (await newer.people.find({}, { order: [['first', 'ASC']] })).map(({ id: _, ...row }) => row),
    [{ first: 'Alan' }, { first: 'Augusta' }, { first: 'Grace' }]
  )
  t.match(await older.people.findOne({ first: 'Augusta' }), { name: 'Ada Lovelace' }, 'its value has stayed')
  await older.fastify.close()
  const last = await instance(FIRST)
  t.strictSame(await last.release('drop'), ['drop Person.name'])
  await newer.people.create({ first: 'Edsger' })
  t.equal(await last.people.count(), 4)
})
