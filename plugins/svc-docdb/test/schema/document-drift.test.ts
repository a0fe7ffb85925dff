/** What a boot tells of documents that stand and differ from the entities. */
import mongoose from 'mongoose'
import { defineEntity, type EntityDefinition } from 'svc-orm'
import t from 'tap'
import { application } from '../support/application.ts'
import { documents } from '../support/documents.ts'

const Thing = defineEntity({
  name: 'Thing',
  schema: {
    sku: { type: 'string' },
    stars: { type: 'integer', nullable: true },
    tags: { type: 'string', array: true, nullable: true },
    at: { type: 'date', nullable: true },
    free: { type: 'json', nullable: true }
  }
})

const { uri } = await documents(t)
const client = new mongoose.mongo.MongoClient(uri)
t.teardown(() => client.close())
const things = client.db().collection('Thing')

async function told(t: Parameters<typeof application>[0]) {
  const lines: string[] = []
  const options = { connectors: { svc: { uri } } }
  const fastify = await application(t, { options, entities: [Thing], lines, mode: 'production' })
  await fastify.ready()
  const differences = await fastify.orm.connectors()[0]?.schema?.differences()
  const kept = fastify.bootWarnings.map(({ code }) => code)
  await fastify.close()
  const logged = lines.map((line) => JSON.parse(line)).filter(({ code }) => code?.startsWith('SVC_ORM_'))
  return { logged, differences, kept }
}

t.test('nothing is told of what fits', async (t) => {
  await things.insertMany([
    { sku: 'a', stars: 1, tags: ['x'], at: new Date(0), free: { a: 1 } },
    { sku: 'b', free: [1] }
  ])
  t.strictSame(await told(t), { logged: [], differences: [], kept: [] })
})

t.test('a value of another type, a required field that is absent, a unique index that nobody declares', async (t) => {
  await things.insertMany([
    { stars: 'many', tags: ['x', 1] },
    { sku: null, at: 5 }
  ])
  await things.createIndex({ sku: 1, stars: 1 }, { unique: true, name: 'old' })
  const { logged, differences, kept } = await told(t)
  t.strictSame(
    logged.map(({ code, msg }) => [code, msg.split(' ')[0]]),
    [
      ['SVC_ORM_SCHEMA', '5'],
      ['SVC_ORM_COLUMN_NULL', 'Thing.sku'],
      ['SVC_ORM_COLUMN_TYPE', 'Thing.stars'],
      ['SVC_ORM_COLUMN_TYPE', 'Thing.tags'],
      ['SVC_ORM_COLUMN_TYPE', 'Thing.at'],
      ['SVC_ORM_INDEX_LEFT', 'Thing']
    ]
  )
  t.strictSame(
    kept,
    logged.slice(1).map(({ code }) => code),
    'with the warnings of the boot'
  )
  t.match(logged[1]?.msg, / 2 of 4 sampled documents/)
  t.equal(differences?.length, 5)
  t.ok(differences?.every(({ breaks }) => !breaks))
})

t.test('the oldest and the newest documents are looked at, and no more', async (t) => {
  await things.deleteMany({})
  const _id = (n: number) => new mongoose.mongo.ObjectId(n.toString(16).padStart(24, '0'))
  await things.insertMany(Array.from({ length: 300 }, (_, n) => ({ _id: _id(n), sku: n === 150 ? 5 : 'a', stars: n })))
  t.strictSame(
    (await told(t)).logged.map(({ code }) => code),
    ['SVC_ORM_INDEX_LEFT']
  )
  await things.updateOne({ _id: _id(299) }, { $set: { sku: 5 } })
  t.match((await told(t)).logged[1]?.msg, /^Thing\.sku .* 1 of 100 sampled documents/)
})

t.test('a field that was renamed is told; an entity that was renamed does not begin anew', async (t) => {
  await things.deleteMany({})
  await things.dropIndexes()
  await things.insertOne({ sku: 'a' })
  const options = { connectors: { svc: { uri } } }
  const renamed = (definition: EntityDefinition) => application(t, { options, entities: [definition] })
  const field = await renamed(defineEntity({ name: 'Thing', schema: { code: { type: 'string', was: 'sku' } } }))
  await field.ready()
  t.match(await field.orm.connectors()[0]?.schema?.differences(), [
    { code: 'SVC_ORM_RENAMED', message: /^Thing\.code is still named sku in 1 of 1/ }
  ])
  await field.close()
  const entity = defineEntity({ name: 'Item', was: 'Thing', schema: { sku: { type: 'string', unique: true } } })
  const refused = await renamed(entity)
  await t.rejects(async () => refused.ready(), { code: 'SVC_ORM_RENAMED' })
  t.strictSame(await client.db().listCollections({ name: 'Item' }).toArray(), [], 'nothing was made')
  await client.db().collection<{ sku: string }>('Item').insertOne({ sku: 'b' })
  const later = await renamed(entity)
  await later.ready()
})
