/** Rows that a request has read: which reads they answer, and what ends that. */
import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { fastify as createFastify } from 'fastify'
import t, { type Test } from 'tap'
import svcOrm, { defineEntity, type NewOf, type OrmPort, type Repository, type RowOf } from '../../src/index.ts'

const Author = defineEntity({ name: 'Author', schema: { name: { type: 'string' } } })
const Book = defineEntity({
  name: 'Book',
  schema: {
    isbn: { type: 'string', unique: true },
    title: { type: 'string' },
    sold: { type: 'integer', default: 0 },
    tags: { type: 'string', array: true },
    extra: { type: 'json', nullable: true },
    due: { type: 'date', nullable: true }
  },
  relations: { author: { type: 'many-to-one', target: 'Author' } },
  indexes: [{ fields: ['title', 'sold'], unique: true }],
  softDelete: true
})

interface Asked {
  readonly orm: OrmPort
  readonly books: Repository<RowOf<typeof Book>, NewOf<typeof Book>>
  readonly id: string
  /** How many operations the work asks of the database. */
  readonly counted: (work: () => Promise<unknown>) => Promise<number>
}

/** Runs each piece of work in a request of its own, on one book. */
async function inRequests(
  t: Test,
  works: readonly ((asked: Asked) => Promise<unknown>)[],
  headers: Record<string, string> = {}
): Promise<void> {
  const fastify = createFastify()
  t.teardown(() => fastify.close())
  await fastify.register(svcOrm, { memory: true, parts: { entities: [Author, Book] } })
  fastify.get<{ Params: { work: string } }>('/:work', ({ params }) => works[Number(params.work)]?.(asked))
  await fastify.ready()
  const { orm } = fastify
  const author = await orm.repository(Author).create({ name: 'Le Guin' })
  const books = orm.repository(Book)
  const values = { isbn: 'i1', title: 'Omelas', tags: ['a'], extra: { deep: [1] }, due: new Date(5) }
  const { id } = await books.create({ ...values, authorId: author.id })
  const total = () => orm.flow().view().total
  const counted: Asked['counted'] = async (work) => {
    const before = total()
    await work()
    return total() - before
  }
  const asked: Asked = { orm, books, id, counted }
  for (const index of works.keys()) {
    const { statusCode, body } = await fastify.inject({ url: `/${index}`, headers })
    t.equal(statusCode, 200, body)
  }
}

/** Runs work as if no request were served. */
const outside = AsyncLocalStorage.snapshot()

const CACHED = { cache: 'request' } as const

t.test('a row is read once in a request, by whichever key, and anew in the next one', (t) =>
  inRequests(t, [
    async ({ books, id, counted }) => {
      t.equal(await counted(() => books.findOne({ isbn: 'i1' }, CACHED)), 1)
      for (const key of [{ isbn: 'i1' }, { id }, { title: 'Omelas', sold: 0 }]) {
        t.equal(await counted(async () => t.match(await books.findOne(key, CACHED), { id, title: 'Omelas' })), 0)
      }
      t.equal(await counted(() => books.findOne({ title: 'Omelas', sold: 1 }, CACHED)), 1, 'another row')
      t.equal(await counted(() => books.findOne({ id })), 1, 'a read that does not ask for it')
    },
    async ({ books, id, counted }) => t.equal(await counted(() => books.findOne({ id }, CACHED)), 1)
  ])
)

t.test('each reader has a copy of its own', (t) =>
  inRequests(t, [
    async ({ books, id }) => {
      for (let time = 0; time < 3; time += 1) {
        const row = await books.findOne({ id }, CACHED)
        assert(row !== null)
        t.match(row, { title: 'Omelas', tags: ['a'], extra: { deep: [1] }, due: new Date(5) })
        Object.assign(row, { title: 'changed' })
        row.tags.push('b')
        row.due?.setTime(9)
        Object.assign(row.extra ?? {}, { deep: [] })
      }
    }
  ])
)

t.test('relations are loaded each time, and are no part of what is kept', (t) =>
  inRequests(t, [
    async ({ books, orm, id }) => {
      const related = { ...CACHED, relations: ['author'] } as const
      t.match(await books.findOne({ id }, related), { author: { name: 'Le Guin' } })
      t.notOk('author' in ((await books.findOne({ id }, CACHED)) ?? {}))
      await orm.repository(Author).create({ name: 'new rows make none stale' })
      t.match(await books.findOne({ id }, { ...CACHED, include: { author: true } }), { author: { name: 'Le Guin' } })
    }
  ])
)

const CHANGES: Readonly<Record<string, (asked: Asked) => Promise<unknown>>> = {
  updateOne: ({ books, id }) => books.updateOne({ id }, { title: 'new' }),
  updateMany: ({ books }) => books.updateMany({}, { title: 'new' }),
  increment: ({ books, id }) => books.increment({ id }, 'sold'),
  delete: ({ books, id }) => books.delete({ id }),
  deleteOne: ({ books, id }) => books.deleteOne({ id }),
  findOneAndDelete: ({ books, id }) => books.findOneAndDelete({ id }),
  'a transaction': ({ books, id }) => books.withTransaction((inside) => inside.updateOne({ id }, { title: 'new' })),
  'another entity': ({ orm }) => orm.repository(Author).updateMany({}, { name: 'new' })
}

t.test('the first change of a row ends it', async (t) => {
  for (const [name, change] of Object.entries(CHANGES)) {
    await t.test(name, (t) =>
      inRequests(t, [
        async (asked) => {
          const { books, id, counted } = asked
          const before = await books.findOne({ id }, CACHED)
          await change(asked)
          const now = await books.findOne({ id })
          t.strictSame(await books.findOne({ id }, CACHED), now)
          if (name !== 'another entity') t.notSame(now, before)
          t.equal(await counted(() => books.findOne({ id }, CACHED)), 1, 'for the rest of the request')
        }
      ])
    )
  }
})

t.test('a read that a change overtakes is not kept', (t) =>
  inRequests(t, [
    async ({ books, id }) => {
      const reading = books.findOne({ id }, CACHED)
      await books.updateOne({ id }, { title: 'new' })
      await reading
      t.match(await books.findOne({ id }, CACHED), { title: 'new' })
    }
  ])
)

t.test('a transaction, deleted rows and refresh ask the database', (t) =>
  inRequests(t, [
    async ({ books, id, counted }) => {
      await books.findOne({ id }, CACHED)
      t.equal(await counted(() => books.withTransaction((inside) => inside.findOne({ id }, CACHED))), 1)
      t.equal(await counted(() => books.withDeleted().findOne({ id }, CACHED)), 1)
      t.equal(await counted(() => books.findOne({ id }, { cache: 'refresh' })), 1)
      t.equal(await counted(() => books.findOne({ id }, CACHED)), 0)
    }
  ])
)

t.test('what others change meanwhile is seen by refresh, and from then on', (t) =>
  inRequests(t, [
    async ({ books, id }) => {
      await books.findOne({ id }, CACHED)
      await outside(() => books.updateOne({ id }, { title: 'new' }))
      t.match(await books.findOne({ id }, CACHED), { title: 'Omelas' })
      t.match(await books.findOne({ id }, { cache: 'refresh' }), { title: 'new' })
      t.match(await books.findOne({ id }, CACHED), { title: 'new' })
    }
  ])
)

t.test('outside of a request, and over a WebSocket, nothing is kept', async (t) => {
  const twice = async ({ books, id, counted }: Asked) => {
    await books.findOne({ id }, CACHED)
    t.equal(await counted(() => books.findOne({ id }, CACHED)), 1)
  }
  await inRequests(t, [(asked) => outside(() => twice(asked))])
  await inRequests(t, [twice], { upgrade: 'websocket' })
})

t.test('a request that walks through many rows keeps the first hundred', (t) =>
  inRequests(t, [
    async ({ books, orm, counted }) => {
      const ids: string[] = []
      const { id: authorId } = await orm.repository(Author).create({ name: 'many' })
      for (let number = 0; number < 101; number += 1) {
        const values = { isbn: `n${number}`, title: `t${number}`, tags: [], authorId }
        ids.push((await books.create(values)).id)
      }
      for (const id of ids) await books.findOne({ id }, CACHED)
      t.equal(await counted(() => books.findOne({ id: ids[99] as string }, CACHED)), 0)
      t.equal(await counted(() => books.findOne({ id: ids[100] as string }, CACHED)), 1)
    }
  ])
)

t.test('what names no single row, and what leaves fields out, is refused', (t) =>
  inRequests(t, [
    async ({ books }) => {
      for (const criteria of [{}, { title: 'Omelas' }, { isbn: { $in: ['i1'] } }, { isbn: ['i1'] }]) {
        await t.rejects(books.findOne(criteria, CACHED), { code: 'SVC_ORM_CRITERIA' })
      }
      await t.rejects(books.findOne({ isbn: 'i1' }, { cache: 'for ever' as never }), {
        code: 'SVC_ORM_OPTIONS',
        message: /request, refresh/
      })
      for (const other of [{ select: ['title'] }, { order: [['id', 'ASC']] }, { offset: 1 }, { lock: 'update' }]) {
        await t.rejects(books.findOne({ isbn: 'i1' }, { ...CACHED, ...other } as never), { code: 'SVC_ORM_OPTIONS' })
      }
      await t.rejects(books.find({}, CACHED as never), { code: 'SVC_ORM_OPTIONS' })
    }
  ])
)
