/** Unique among the present rows of a scope: each scope has its own, and a deleted row gives its value free there. */
import Fastify from 'fastify'
import t from 'tap'
import svcOrm, { defineEntity } from '../../src/index.ts'

const Page = defineEntity({
  name: 'Page',
  scope: 'organization',
  schema: { slug: { type: 'string', unique: 'present' }, title: { type: 'string' } },
  indexes: [{ fields: [{ field: 'title', fold: true }], unique: true }],
  softDelete: true
})

t.test('values, upserts and folded text are unique per scope', async (t) => {
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  await fastify.register(svcOrm, { memory: true, parts: { entities: [Page] } })
  await fastify.ready()
  const pages = fastify.orm.repository(Page)
  const within = <T>(organization: string, work: () => T) => fastify.orm.withScope({ organization }, work)
  const first = await within('a', () => pages.create({ slug: 's', title: 'Ada' }))
  const other = await within('b', () => pages.create({ slug: 's', title: 'ADA' }))
  await t.rejects(
    within('a', () => pages.create({ slug: 's', title: 'x' })),
    { code: 'SVC_ORM_UNIQUE' }
  )
  await t.rejects(
    within('a', () => pages.create({ slug: 't', title: 'aDa' })),
    { code: 'SVC_ORM_UNIQUE' }
  )
  t.equal((await within('b', () => pages.findOne({ title: { $ieq: 'ada' } })))?.id, other.id)
  await within('a', () => pages.delete({ slug: 's' }))
  const again = await within('a', () => pages.upsert({ slug: 's' }, { title: 'Bob' }))
  t.not(again.id, first.id)
  t.equal((await within('a', () => pages.upsert({ slug: 's' }, { title: 'Eve' }))).id, again.id)
  t.equal((await within('b', () => pages.upsert({ slug: 's' }, { title: 'Eve' }))).id, other.id)
  await t.rejects(
    within('a', () => pages.restore({ id: first.id })),
    { code: 'SVC_ORM_UNIQUE' }
  )
})
