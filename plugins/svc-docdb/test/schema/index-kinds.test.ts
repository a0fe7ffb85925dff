/** Indexes of some documents, of folded text and of other kinds: what is made, what finds use, and what a boot tells. */
import mongoose from 'mongoose'
import { defineEntity, type EntityDefinition } from 'svc-orm'
import t from 'tap'
import { application } from '../support/application.ts'
import { documents } from '../support/documents.ts'

const Paper = defineEntity({
  name: 'Paper',
  schema: {
    slug: { type: 'string', unique: 'present' },
    state: { type: 'string' },
    serial: { type: 'bigint', nullable: true },
    title: { type: 'string', nullable: true },
    tags: { type: 'string', array: true, nullable: true }
  },
  indexes: [
    { fields: ['serial'], unique: true, where: { state: 'open', serial: { $gte: '5' } } },
    { fields: [{ field: 'title', fold: true }] },
    { fields: ['title'], method: 'trigram' },
    { fields: ['tags'], method: 'gin' }
  ],
  softDelete: true
})

const { uri } = await documents(t)
const client = new mongoose.mongo.MongoClient(uri)
t.teardown(() => client.close())
const papers = client.db().collection('Paper')

async function started(t: Parameters<typeof application>[0], entity: EntityDefinition = Paper) {
  const lines: string[] = []
  const fastify = await application(t, { options: { connectors: { svc: { uri } } }, entities: [entity], lines })
  await fastify.ready()
  return { fastify, told: lines.map((line) => JSON.parse(line) as { code?: string; msg: string }) }
}

t.test('each is made as it is said, and a second boot finds all of them', async (t) => {
  const { fastify, told } = await started(t)
  const made = (await papers.listIndexes().toArray()).map(({ key, unique, partialFilterExpression }) => {
    return [Object.keys(key).join(), unique === true, JSON.stringify(partialFilterExpression ?? null)]
  })
  t.strictSame(made.sort(), [
    ['_id', false, 'null'],
    ['serial', true, '{"state":{"$eq":"open"},"serial":{"$gte":5}}'],
    ['slug', true, '{"deletedAt":{"$eq":null}}'],
    ['tags', false, 'null'],
    ['titleFolded', false, 'null']
  ])
  t.strictSame(
    told.filter(({ code }) => code === 'SVC_DOCDB_METHOD').map(({ msg }) => msg.slice(0, 46)),
    ['Paper (title): documents have no trigram index']
  )
  await fastify.close()
  const again = await started(t)
  t.strictSame(await again.fastify.orm.connectors()[0]?.schema?.differences(), [])
  await again.fastify.close()
})

t.test('finds use them', async (t) => {
  const { fastify } = await started(t)
  const rows = fastify.orm.repository(Paper)
  await rows.createMany(
    Array.from({ length: 50 }, (_, n) => ({ slug: `s${n}`, state: 'shut', title: `T${n}`, tags: ['x'] }))
  )
  const plan = async (filter: object) => JSON.stringify(await papers.find(filter).explain())
  const explains = await plan({}).catch(() => null)
  if (explains === null) return t.comment('THIS ENGINE DOES NOT EXPLAIN ITS PLANS')
  const Long = mongoose.mongo.Long
  for (const [filter, name] of [
    [{ slug: 's7', deletedAt: { $eq: null } }, 'slug'],
    [{ serial: { $eq: Long.fromNumber(7), $gte: Long.fromNumber(5) }, state: { $eq: 'open' } }, 'serial'],
    [{ titleFolded: { $eq: 't7' } }, 'titleFolded'],
    [{ tags: { $in: ['y'] } }, 'tags']
  ] as const)
    t.match(await plan(filter), new RegExp(`"IXSCAN".*${name}`), name)
  t.match(await plan({ slug: 's7' }), /COLLSCAN/, 'all documents')
  await fastify.close()
})

t.test('documents of before a field was folded, and an index of others that is left, are told', async (t) => {
  await papers.insertMany([
    { slug: 'old', state: 'shut', title: 'Old' },
    { slug: 'older', state: 'shut' }
  ])
  const { schema, indexes } = Paper
  const changed = { ...Paper, schema: { ...schema, slug: { type: 'string' } }, indexes: indexes.slice(1) } as const
  const { fastify } = await started(t, changed)
  const differences = await fastify.orm.connectors()[0]?.schema?.differences()
  t.match(differences?.map(({ code, message, breaks }) => [code, message, breaks]).sort(), [
    ['SVC_ORM_INDEX_LEFT', /^Paper \(serial\)/, false],
    ['SVC_ORM_INDEX_LEFT', /^Paper \(slug\)/, false],
    ['SVC_ORM_REQUIRED_COLUMN', /^Paper\.titleFolded, the folded text of title, is missing in 1 of/, true]
  ])
})
