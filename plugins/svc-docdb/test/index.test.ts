/** The plugin on a real engine: repositories, native access, transactions, options and what they refuse. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fastifyMongodb from '@fastify/mongodb'
import type { BootError, Problem } from 'svc-kernel'
import { defineEntity } from 'svc-orm'
import { entityPlan } from 'svc-orm/driver'
import { userStore } from 'svc-security/stores'
import t from 'tap'
import { application } from './support/application.ts'
import { documents } from './support/documents.ts'

const Author = defineEntity({
  name: 'Author',
  schema: { name: { type: 'string', unique: true } },
  relations: { books: { type: 'one-to-many', target: 'Book', mappedBy: 'author' } }
})

const Book = defineEntity({
  name: 'Book',
  schema: { title: { type: 'string' }, sold: { type: 'integer', default: 0 }, note: { type: 'text', nullable: true } },
  relations: { author: { type: 'many-to-one', target: 'Author', nullable: true } },
  timestamps: true
})

const entities = [Author, Book]

t.test('repositories and native access meet on the same documents', async (t) => {
  const { uri, database } = await documents(t)
  const fastify = await application(t, { options: { connectors: { svc: { uri } } }, entities })
  await fastify.ready()
  const authors = fastify.orm.repository(Author)
  const books = fastify.orm.repository(Book)
  const author = await authors.create({ name: 'Ann', unknown: 'dropped' } as { name: string })
  const book = await books.create({ title: 'B', authorId: author.id })

  await t.test('rows carry text ids and no others', async (t) => {
    t.match(book.id, /^[0-9a-f]{24}$/)
    t.equal(book.authorId, author.id)
    t.strictSame(await books.findOne({ id: book.id }), book)
    t.equal((await books.findOne({ id: book.id }, { relations: ['author'] }))?.author?.name, 'Ann')
    t.equal((await authors.findOne({ name: 'Ann' }, { relations: ['books'] }))?.books?.[0]?.title, 'B')
  })

  await t.test('the document has the declared fields and no others', async (t) => {
    const stored = await fastify.mongo.db?.collection('Author').findOne({})
    t.strictSame(Object.keys(stored ?? {}).sort(), ['_id', 'name'])
    t.equal(fastify.mongo.db?.databaseName, database)
  })

  await t.test('one client for all', async (t) => {
    t.equal(fastify.docdb.connection().getClient(), fastify.mongo.client)
    t.equal(fastify.docdb.connection('svc'), fastify.docdb.connection())
  })

  await t.test('models are compiled, populate, and show the id as text', async (t) => {
    const native = await fastify.docdb.model('Book').findOne({ title: 'B' }).populate('author')
    t.match(native?.toJSON(), { id: book.id, title: 'B', author: { id: author.id, name: 'Ann' } })
    const parent = await fastify.docdb.model('Author').findOne({}).populate('books')
    t.match(parent?.toJSON(), { books: [{ title: 'B' }] })
  })

  await t.test('aggregations are the application’s own', async (t) => {
    await books.createMany([
      { title: 'C', sold: 2 },
      { title: 'D', sold: 3 }
    ])
    const summed = await fastify.docdb.model('Book').aggregate([{ $group: { _id: null, sold: { $sum: '$sold' } } }])
    t.equal(summed[0].sold, 5)
  })

  await t.test('D10: collections have the names of their entities', async (t) => {
    const [connector] = fastify.orm.connectors()
    t.strictSame(
      fastify.orm.entities('svc').map((entity) => connector?.storedAs(entityPlan(entity))),
      ['Author', 'Book']
    )
  })

  await t.test('names that do not exist', async (t) => {
    t.throws(() => fastify.docdb.connection('other'), { code: 'SVC_DOCDB_UNKNOWN_CONNECTION', message: /"other".*svc/ })
    t.throws(() => fastify.docdb.model('Nothing'), {
      code: 'SVC_DOCDB_UNKNOWN_MODEL',
      message: /"Nothing" is declared/
    })
    t.throws(() => fastify.orm.repository('Nothing'), { message: /no entity named "Nothing" is declared/ })
  })

  await t.test('the same value twice', async (t) => {
    await t.rejects(authors.create({ name: 'Ann' }), { code: 'SVC_ORM_UNIQUE', statusCode: 409 })
  })

  await t.test('a document that is too large', async (t) => {
    const note = 'x'.repeat(17 * 1024 * 1024)
    await t.rejects(books.create({ title: 'L', note }), { code: 'SVC_DOCDB_TOO_LARGE', statusCode: 413 })
    t.notOk(await books.exists({ title: 'L' }))
  })

  await t.test('health and flow', async (t) => {
    const [connector] = fastify.orm.connectors()
    t.match(connector, { name: 'svc', vendor: 'mongodb', connected: true, savepoints: false })
    t.match(connector?.connection, { driver: 'mongoose', version: /^\d/ })
    const health = await connector?.health()
    t.match(health, { connected: true, connectCount: 1, reconnectCount: 0, lastError: null })
    t.ok((health?.pingMs ?? -1) >= 0)
    t.ok((health?.pool?.size ?? 0) > 0)
    const before = Date.now()
    const there = (await connector?.now?.()) ?? 0
    t.ok(there >= before && there <= Date.now(), 'the time of the server')
    t.ok(fastify.orm.flow().view().total > 5)
  })
})

t.test('transactions', async (t) => {
  const { uri } = await documents(t)
  const fastify = await application(t, { options: { connectors: { svc: { uri } } }, entities })
  await fastify.ready()
  const authors = fastify.orm.repository(Author)
  const books = fastify.orm.repository(Book)
  await books.create({ title: 'before' })

  await t.test('kept together', async (t) => {
    await fastify.orm.transaction(async (tx) => {
      const author = await authors.withTransaction(tx).create({ name: 'T' })
      await books.withTransaction(tx).create({ title: 'T', authorId: author.id })
      t.equal(await authors.count({ name: 'T' }), 0, 'not seen from outside')
    })
    t.equal(await books.count({ title: 'T' }), 1)
  })

  await t.test('undone together', async (t) => {
    const work = books.withTransaction(async (inside) => {
      await inside.create({ title: 'gone' })
      throw new Error('changed my mind')
    })
    await t.rejects(work, { message: 'changed my mind' })
    t.equal(await books.count({ title: 'gone' }), 0)
  })

  await t.test('operations at once run one after another', async (t) => {
    await fastify.orm.transaction(async (tx) => {
      const inside = books.withTransaction(tx)
      await Promise.all(Array.from({ length: 10 }, (_, index) => inside.create({ title: `p${index}` })))
    })
    t.equal(await books.count({ title: { $like: 'p_' } }), 10)
  })

  await t.test('writers of one row: each change counts', async (t) => {
    await Promise.all(
      Array.from({ length: 8 }, () =>
        books.withTransaction(async (inside) => {
          const row = await inside.findOne({ title: 'before' })
          await inside.updateOne({ title: 'before' }, { sold: (row?.sold ?? 0) + 1 })
        })
      )
    )
    t.equal((await books.findOne({ title: 'before' }))?.sold, 8)
  })

  await t.test('a savepoint is part of the whole', async (t) => {
    const going = fastify.orm.transaction(async (tx) => {
      await books.withTransaction(tx).create({ title: 'outer' })
      await tx
        .savepoint(async (inner) => {
          await books.withTransaction(inner).create({ title: 'inner' })
          throw new Error('inner')
        })
        .catch(() => undefined)
    })
    await t.rejects(going, /inner/, 'it cannot be undone on its own')
    t.equal(await books.count({ title: ['inner', 'outer'] }), 0)
    await fastify.orm.transaction(async (tx) => {
      await books.withTransaction(tx).create({ title: 'outer' })
      await tx.savepoint(() => Promise.reject(new Error('refused'))).catch(() => undefined)
    })
    t.equal(await books.count({ title: 'outer' }), 1, 'what asked nothing of the server has nothing to undo')
  })

  await t.test('one that has ended, one of another connector', async (t) => {
    const kept = await fastify.orm.transaction(async (tx) => tx)
    await t.rejects(books.withTransaction(kept).create({ title: 'late' }), { code: 'SVC_ORM_TRANSACTION_OVER' })
    const foreign = { connector: 'other', savepoint: () => Promise.reject(new Error()) }
    t.throws(() => books.withTransaction(foreign), { code: 'SVC_ORM_FOREIGN_TRANSACTION' })
  })
})

t.test('two connectors', async (t) => {
  const first = await documents(t)
  const second = await documents(t)
  const options = { connectors: { svc: { uri: first.uri }, archive: { uri: second.uri } } }
  const fastify = await application(t, { options, entities })
  await fastify.ready()
  await fastify.orm.repository(Author).create({ name: 'here' })
  t.equal(await fastify.docdb.connection('archive').db?.collection('Author').countDocuments(), 0)
  t.equal(fastify.mongo.archive?.client, fastify.docdb.connection('archive').getClient())
})

t.test('beside @fastify/mongodb of the application: fastify.mongo stays its own, ours is there by name', async (t) => {
  const theirs = await documents(t)
  const { uri, database } = await documents(t)
  const fastify = await application(t, {
    before: async (fastify) => {
      await fastify.register(fastifyMongodb, { url: theirs.uri, database: 'theirs' })
    },
    options: { connectors: { svc: { uri } } },
    entities
  })
  await fastify.ready()
  t.equal(fastify.mongo.db?.databaseName, 'theirs')
  t.equal(fastify.mongo.svc?.db?.databaseName, database)
  t.equal(fastify.mongo.svc?.client, fastify.docdb.connection().getClient())
})

t.test('an entity with a key of several columns is refused', async (t) => {
  const { uri } = await documents(t)
  const Line = defineEntity({
    name: 'Line',
    existing: { name: 'lines', key: ['order', 'position'] },
    schema: { order: { type: 'integer' }, position: { type: 'integer' } }
  })
  const keyed = await application(t, { options: { connectors: { svc: { uri } } }, entities: [Line] })
  t.match(await problemsOf(keyed.ready()), [{ code: 'SVC_DOCDB_KEY', at: 'entity Line' }])
})

t.test('an entity with the name of a chosen store’s collection is refused', async (t) => {
  const { uri } = await documents(t)
  const User = defineEntity({ name: 'User', schema: { nick: { type: 'string' } } })
  const options = { connectors: { svc: { uri } } }
  const crowded = await application(t, { options, entities: [User] })
  crowded.stores.select(userStore, 'docdb')
  t.match(await problemsOf(crowded.ready()), [{ code: 'SVC_DOCDB_NAME', at: 'entity User' }])
  const apart = await application(t, { options, entities: [User] })
  await apart.ready()
  t.ok(await apart.orm.repository(User).create({ nick: 'where no store keeps users, the name is free' }))
})

t.test('a reset empties what the application keeps, and nothing else', async (t) => {
  const { uri } = await documents(t)
  const fastify = await application(t, { options: { connectors: { svc: { uri } } }, entities })
  const { store } = fastify.stores.select(userStore, 'docdb')
  await fastify.ready()
  const authors = fastify.orm.repository(Author)
  await authors.create({ name: 'Ann' })
  await store?.create({ identifier: 'ann' })
  const foreign = fastify.mongo.db?.collection('foreign')
  await foreign?.insertOne({ kept: true })
  const [connector] = fastify.orm.connectors()
  t.strictSame(await connector?.reset?.(), ['Author', 'Book', 'User'])
  t.strictSame([await authors.count(), await store?.count({}), await foreign?.countDocuments()], [0, 0, 1])
  await authors.create({ name: 'Ann' })
  await t.rejects(authors.create({ name: 'Ann' }), { code: 'SVC_ORM_UNIQUE' }, 'with its indexes')
})

t.test('config:check and the like connect to nothing', async (t) => {
  const lines: string[] = []
  const options = { connectors: { svc: { uri: 'mongodb://127.0.0.1:1/x' } } }
  const fastify = await application(t, { options, entities, checkOnly: true, lines })
  await fastify.ready()
  t.notMatch(lines.join(''), /SVC_DOCDB_UNREACHABLE/)
})

const refused: [what: string, options: object, pattern: RegExp][] = [
  ['an unknown key', { connectors: { svc: { hots: 'x' } } }, /connectors\.svc\.hots/],
  ['no connector', { connectors: {} }, /connectors/],
  ['another scheme', { connectors: { svc: { uri: 'postgres://u:secret@h/d' } } }, /connectors\.svc\.uri/],
  ['a port out of range', { connectors: { svc: { port: 70_000 } } }, /connectors\.svc\.port/],
  ['a name that is no database', { connectors: { svc: { database: 'a b' } } }, /connectors\.svc\.database/]
]

for (const [what, options, pattern] of refused) {
  t.test(`refused: ${what}`, async (t) => {
    const problems = JSON.stringify(await problemsOf(application(t, { options })))
    t.match(problems, pattern)
    t.notMatch(problems, /secret/)
  })
}

/** What the boot told, or nothing where it went well. */
async function problemsOf(boot: PromiseLike<unknown>): Promise<readonly Problem[]> {
  try {
    await boot
    return []
  } catch (error) {
    return (error as BootError).problems
  }
}

t.test('the embedded engine', async (t) => {
  const folder = t.testdir({ 'package.json': '{}' })
  const options = { connectors: { svc: { embedded: true, file: 'data/documents.db' } } }
  await t.test('keeps its file', async (t) => {
    const first = await application(t, { options, entities, root: folder })
    await first.ready()
    await first.orm.repository(Author).create({ name: 'kept' })
    await first.close()
    const second = await application(t, { options, entities, root: folder })
    await second.ready()
    t.equal(await second.orm.repository(Author).count({ name: 'kept' }), 1)
  })
  await t.test('is not started by commands that only look', async (t) => {
    const looking = await application(t, {
      options: { connectors: { svc: { embedded: true, file: 'untouched.db' } } },
      checkOnly: true,
      root: folder
    })
    await looking.ready()
    t.notOk(existsSync(join(folder, 'untouched.db')))
  })
  await t.test('refuses production', async (t) => {
    const problems = await problemsOf(application(t, { options, mode: 'production', root: folder }))
    t.match(problems, [{ code: 'SVC_DOCDB_EMBEDDED', at: 'svc-docdb.connectors.svc.embedded' }])
  })
})

t.test('without its own entities it is a data driver', async (t) => {
  const { uri } = await documents(t)
  const options = { connectors: { svc: { uri } }, frameworkEntities: false }
  const fastify = await application(t, { options, entities })
  await fastify.ready()
  t.notOk(fastify.hasDecorator('stores'))
  t.strictSame(Object.keys(fastify.docdb.connection().models).sort(), ['Author', 'Book'])
})
