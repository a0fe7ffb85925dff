/** The same operations through the bare driver, through bare Mongoose, and through ours; each writes to a collection of its own. */
import { MongoClient, ObjectId } from 'mongodb'
import mongoose from 'mongoose'
import svcDocdb from 'svc-docdb'
import { application, createServer, defineConfig } from 'svc-host'
import svcOrm, { defineEntity } from 'svc-orm'
import { sessionStore } from 'svc-security/stores'

export interface Article {
  readonly title: string
  readonly body: string
  readonly stars: number
}

export interface Sides {
  readonly driver: Side
  readonly mongoose: Side
  readonly svc: Side
  close(): Promise<void>
}

export interface Side {
  find(id: string): Promise<unknown>
  insert(article: Article): Promise<unknown>
  /** Resumes a session by its reference; absent on Mongoose, which is not compared there. */
  resume?(ref: string): Promise<unknown>
}

const Articles = defineEntity({
  name: 'BenchArticle',
  schema: { title: { type: 'string' }, body: { type: 'text' }, stars: { type: 'integer' } }
})

/** All collections are empty afterwards, but for what `fill` puts there. */
export async function openSides(uri: string): Promise<Sides & { fill(count: number): Promise<Filled> }> {
  const client = await new MongoClient(uri, { maxPoolSize: 20 }).connect()
  const db = client.db()
  await db.dropDatabase()
  const config = defineConfig({
    mode: 'test',
    server: { logger: false },
    modules: [
      [svcOrm, { flow: { enabled: true }, parts: { entities: [Articles] } }],
      [svcDocdb, { connectors: { svc: { uri, maxPoolSize: 20 } } }]
    ]
  })
  const fastify = await createServer(application(config, import.meta.url))
  const { store } = fastify.stores.select(sessionStore, 'docdb')
  if (store === null) throw new Error('there is no session store')
  await fastify.ready()
  const repository = fastify.orm.repository(Articles)
  const connection = await mongoose.createConnection(uri, { maxPoolSize: 20 }).asPromise()
  const schema = new mongoose.Schema({ title: String, body: String, stars: Number }, { versionKey: false })
  const Model = connection.model('MongooseArticle', schema, 'BenchArticle')
  const Inserted = connection.model('InsertedByMongoose', schema, 'InsertedByMongoose')
  const read = db.collection('BenchArticle')
  const written = db.collection('InsertedByDriver')
  const sessions = db.collection('session')
  return {
    driver: {
      find: (id) => read.findOne({ _id: new ObjectId(id) }),
      insert: (article) => written.insertOne({ ...article }),
      resume: (ref) => sessions.findOne({ sessionId: ref })
    },
    mongoose: {
      find: (id) => Model.findById(id).lean(),
      insert: (article) => Inserted.create(article)
    },
    svc: {
      find: (id) => repository.findOne({ id }),
      insert: (article) => repository.create(article),
      resume: async (ref) => store.find(ref)
    },
    async fill(count) {
      const articles = Array.from({ length: count }, (_, index) => anArticle(index))
      const ids = (await repository.createMany(articles)).map(({ id }) => id)
      const refs = ids.map((id) => `session-of-${id}`)
      for (const id of refs)
        await store.create({ id, user: 'alice', content: { cart: [1, 2] }, flash: {}, meta: { ip: '::1' } })
      return { ids, refs }
    },
    async close() {
      await db.dropDatabase()
      await Promise.all([fastify.close(), connection.close(), client.close()])
    }
  }
}

export interface Filled {
  readonly ids: readonly string[]
  readonly refs: readonly string[]
}

export function anArticle(index: number): Article {
  return { title: `article ${index}`, body: 'a body of some length '.repeat(20), stars: index % 100 }
}
