/** How many statements an operation costs: never one per row. */
import { defineEntity } from 'svc-orm'
import t from 'tap'
import { sqlApp } from './support/sql-app.ts'

const Author = defineEntity({
  name: 'Author',
  schema: { name: { type: 'string' } },
  relations: { articles: { type: 'one-to-many', target: 'Article', mappedBy: 'author' } }
})

const Article = defineEntity({
  name: 'Article',
  schema: { title: { type: 'string' } },
  relations: {
    author: { type: 'many-to-one', target: 'Author' },
    comments: { type: 'one-to-many', target: 'Comment', mappedBy: 'article' }
  }
})

const Comment = defineEntity({
  name: 'Comment',
  schema: { text: { type: 'string' } },
  relations: { article: { type: 'many-to-one', target: 'Article' }, by: { type: 'many-to-one', target: 'Author' } }
})

t.test('N+1: what is found in any number, with what belongs to it, is a statement per relation', async (t) => {
  const { fastify, log } = await sqlApp(t, 'sqlite::memory:', { entities: [Author, Article, Comment], debug: true })
  await fastify.ready()
  const authors = fastify.orm.repository('Author')
  const articles = fastify.orm.repository('Article')
  const comments = fastify.orm.repository('Comment')
  const people = await authors.createMany(Array.from({ length: 10 }, (_, index) => ({ name: `a${index}` })))
  const by = (index: number) => people[index % people.length]?.id
  const texts = Array.from({ length: 2100 }, (_, index) => ({ title: `t${index}`, authorId: by(index) }))
  const written = await articles.createMany(texts)
  await comments.createMany(written.map(({ id }, index) => ({ text: 'c', articleId: id, byId: by(index + 1) })))
  const statements = async (work: () => Promise<unknown>) => {
    const from = log.lines.length
    await work()
    return log.lines.length - from
  }

  const two = { author: true, comments: true }
  t.equal(await statements(() => articles.find({}, { include: two })), 3)
  t.equal(await statements(() => articles.find({}, { limit: 100, relations: ['author', 'comments'] })), 3)
  const deep = { author: true, comments: { include: { by: true } } }
  t.equal(await statements(() => articles.find({}, { include: deep })), 4)
  t.equal(await statements(() => articles.find({ 'author.name': 'a1', comments: { 'by.name': 'a2' } })), 1)
  t.equal(await statements(() => articles.updateMany({ 'author.name': 'a1' }, { title: 'x' })), 1)
  t.equal(await statements(() => articles.groupBy({}, { by: ['authorId'], measures: { n: { count: true } } })), 1)
  const measures = { n: { count: true }, some: { countDistinct: 'title', where: { title: { $like: 't1%' } } } } as const
  const groups = { by: ['authorId'], measures, having: { n: { $gt: 1 } } } as const
  t.equal(await statements(() => articles.groupBy({}, groups as never)), 1)
  const all = articles.stream({}, { include: { author: true } })
  t.equal(
    await statements(async () => {
      for await (const _ of all);
    }),
    6,
    'three parts, and the authors of each'
  )
})

t.test('numbers of related rows are counted with the rows on SQLite', async (t) => {
  const { fastify, log } = await sqlApp(t, 'sqlite::memory:', { entities: [Author, Article, Comment], debug: true })
  await fastify.ready()
  const authors = fastify.orm.repository('Author')
  const articles = fastify.orm.repository('Article')
  const people = await authors.createMany([{ name: 'c' }, { name: 'a' }, { name: 'b' }, { name: 'd' }])
  const by = (name: string) => people.find((each) => each.name === name)?.id
  const titles = { a: ['x'], b: ['x', 'y', 'y'], c: ['y', 'y'] }
  for (const [name, all] of Object.entries(titles))
    await articles.createMany(all.map((title) => ({ title, authorId: by(name) })))
  const counts = { articles: true, y: { relation: 'articles', where: { title: 'y', 'author.name': { $ne: 'c' } } } }
  const asked = async (options: object, criteria: Readonly<Record<string, unknown>> = {}) => {
    const from = log.lines.length
    const rows = (await authors.find(criteria, { counts, ...options } as never)) as unknown as Counted[]
    const numbers = rows.map((row) => [row.name, row.counts.articles, row.counts.y])
    return { statements: log.lines.length - from, numbers }
  }
  type Counted = { readonly name: string; readonly counts: Readonly<Record<string, number>> }
  const descending = [['name', 'DESC']]
  t.strictSame(await asked({ order: [['name', 'ASC']] }), {
    statements: 1,
    numbers: [
      ['a', 1, 0],
      ['b', 3, 2],
      ['c', 2, 0],
      ['d', 0, 0]
    ]
  })
  const page = { order: descending, limit: 2, offset: 1, select: ['name'] }
  t.strictSame(await asked(page, { name: { $ne: 'b' } }), {
    statements: 1,
    numbers: [
      ['c', 2, 0],
      ['a', 1, 0]
    ]
  })
  const first = await authors.page({}, { order: descending, limit: 3, counts } as never)
  const rest = await authors.page({}, { order: descending, after: first.next, counts } as never)
  t.strictSame(
    [...first.items, ...rest.items].map((row) => (row as unknown as Counted).counts.articles),
    [0, 2, 3, 1]
  )
  const one = await authors.findOne({ id: by('b') }, { counts } as never)
  t.strictSame({ ...(one as unknown as Counted).counts }, { articles: 3, y: 2 })
})
