/** Rows of an application that an older version wrote: changed, counted, refused where they are unique, deleted. */
import type { Test } from 'tap'
import type { OlderApp } from './older-app.ts'
import type { OlderRecords } from './vectors.ts'

export async function entitiesWriteOn(t: Test, { fastify }: OlderApp, { ids }: OlderRecords): Promise<void> {
  const authors = fastify.orm.repository('Author')
  const articles = fastify.orm.repository('Article')
  const taken = (...fields: string[]) => ({ code: 'SVC_ORM_UNIQUE', statusCode: 409, fields })

  await t.rejects(authors.create({ email: 'ada@shop.example' }), taken('email'))
  await t.rejects(authors.updateOne({ id: ids.max }, { email: 'ada@shop.example' }), taken('email'))
  await t.rejects(articles.create({ slug: 'first', authorId: ids.ada }), taken('authorId', 'slug'))
  t.match(await authors.upsert({ email: 'ada@shop.example' }, { name: 'another' }), {
    id: ids.ada,
    name: 'Ada Ünicode'
  })

  const first = { slug: 'first', authorId: ids.ada }
  await articles.updateOne(first, { reads: 1, settings: { 'a.b': [{ $x: null }] }, days: [], formerId: null })
  await articles.increment(first, 'reads', 41)
  await articles.updateMany({ slug: 'first' }, { tags: ['old', 'new'], $max: { publishedAt: '2026-02-01T00:00:00Z' } })
  t.match(await articles.findOne(first, { relations: ['author', 'former'] }), {
    reads: 42,
    rating: -0.1,
    settings: { 'a.b': [{ $x: null }] },
    days: [],
    tags: ['old', 'new'],
    publishedAt: new Date('2026-02-01T00:00:00Z'),
    author: { id: ids.ada, born: new Date('1815-12-10T00:00:00.123Z') },
    former: null
  })
  t.equal(await articles.count({ tags: 'old' }), 2)
  const undone = articles.withTransaction(async (inside) => {
    await inside.delete({})
    throw new Error('undone')
  })
  await t.rejects(undone, { message: 'undone' })
  t.equal(await articles.count(), 4)
  t.equal(await articles.delete({ authorId: ids.max }), 1)
  const { id } = await articles.create({ slug: 'third', authorId: ids.max, tags: ['news'] })
  t.same(
    (await articles.find({}, { order: [['id', 'ASC']] })).map(({ slug }) => slug),
    ['first', 'second', 'First', 'third'],
    'new ids follow the old ones'
  )
  t.ok(await articles.deleteOne({ id }))
}
