/** Models of `mongoose.model()`: on the client of the connector, for one application at a time, and never waiting for ever. */
import { createServer } from 'node:net'
import { getModelForClass, prop } from '@typegoose/typegoose'
import type { FastifyInstance } from 'fastify'
import mongoose, { type Mongoose, Schema } from 'mongoose'
import { startDocumentEngine } from 'svc-docdb-embedded'
import type { BootError } from 'svc-kernel'
import { defineEntity } from 'svc-orm'
import t, { type Test } from 'tap'
import { application } from '../support/application.ts'
import { documents } from '../support/documents.ts'

const Note = defineEntity({ name: 'Note', schema: { text: { type: 'string' } } })

const CODE = 'SVC_DOCDB_MONGOOSE'

/** Has the class of its model on Mongoose's default connection, as getModelForClass puts it there. */
class Shelf {
  @prop({ type: () => String, unique: true })
  label!: string
}

t.beforeEach(() => mongoose.deleteModel(/.+/))
t.teardown(() => mongoose.deleteModel(/.+/))

function over(t: Test, uri: string, given?: Mongoose): Promise<FastifyInstance> {
  const options = { connectors: { svc: { uri, selectionTimeoutMs: 300 } } }
  return application(t, { options, entities: [Note], ...(given !== undefined && { parts: { mongoose: given } }) })
}

async function refusalOf(t: Test, uri: string, given: Mongoose): Promise<BootError['problems']> {
  const booted = over(t, uri, given).then((fastify) => fastify.ready())
  return ((await booted.then(undefined, (error: unknown) => error)) as BootError).problems
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer()
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}

t.test('models that were compiled before the boot answer, on the one client', async (t) => {
  const { uri, database } = await documents(t)
  const User = mongoose.model('User', new Schema({ name: String }))
  const Shelves = getModelForClass(Shelf)
  // Has the name of an entity, and is a model of its own all the same.
  const Mine = mongoose.model('Note', new Schema({ memo: String }))
  const fastify = await over(t, uri, mongoose)
  const early = User.create({ name: 'Ann' })
  await fastify.ready()
  const { id } = await early

  t.equal(mongoose.connection.getClient(), fastify.mongo.client)
  t.equal(mongoose.connection.name, database)
  t.equal((await User.findById(id))?.name, 'Ann', 'a call that waited for the boot')
  t.match(await fastify.mongo.db?.collection('users').findOne({}), { name: 'Ann' })
  t.equal(
    fastify.bootWarnings.find(({ code }) => code === CODE),
    undefined
  )

  await t.test('with the classes of Typegoose, and their indexes', async (t) => {
    await Shelves.init()
    await Shelves.create({ label: 'A' })
    await t.rejects(Shelves.create({ label: 'A' }), { code: 11_000 })
  })

  await t.test('beside an entity of the same name', async (t) => {
    await Mine.create({ memo: 'mine' })
    await fastify.orm.repository(Note).create({ text: 'ours' })
    t.strictSame([await Mine.countDocuments(), await fastify.orm.repository(Note).count()], [1, 1])
    t.not(fastify.docdb.model('Note'), Mine)
  })

  await t.test('in one transaction with repositories', async (t) => {
    const notes = fastify.orm.repository(Note)
    const both = (fault: boolean) =>
      fastify.orm.transaction(async (tx) => {
        await notes.withTransaction(tx).create({ text: 'both' })
        await User.updateOne({ _id: id }, { name: 'Bea' }, { session: fastify.docdb.session(tx) })
        if (fault) throw new Error('undone')
      })
    await t.rejects(both(true), { message: 'undone' })
    t.strictSame([await notes.count({ text: 'both' }), (await User.findById(id))?.name], [0, 'Ann'])
    await both(false)
    t.strictSame([await notes.count({ text: 'both' }), (await User.findById(id))?.name], [1, 'Bea'])
  })
})

t.test('an application after another has the same models, on its own database', async (t) => {
  const User = mongoose.model('User', new Schema({ name: String }))
  for (const name of ['first', 'second']) {
    const { uri, database } = await documents(t)
    const fastify = await over(t, uri, mongoose)
    await fastify.ready()
    await User.create({ name })
    t.strictSame(
      (await User.find()).map((user) => user.name),
      [name]
    )
    t.equal(mongoose.connection.name, database)
    await fastify.close()
    t.equal(mongoose.connection.readyState, mongoose.ConnectionStates.disconnected)
    t.equal(mongoose.connection.config.bufferTimeoutMS, undefined, 'its settings are as they were')
    await t.rejects(User.findOne(), 'no application has it: refused, and not left waiting')
  }
})

t.test('two applications at once', async (t) => {
  const [one, two] = [await documents(t), await documents(t)]
  const shared = new mongoose.Mongoose()
  const first = await over(t, one.uri, shared)
  await first.ready()

  await t.test('cannot hold the same one', async (t) => {
    t.match(await refusalOf(t, two.uri, shared), [{ code: CODE, message: /another application in this process/ }])
    t.equal(shared.connection.name, one.database, 'the first keeps it')
    t.equal(shared.connection.readyState, mongoose.ConnectionStates.connected)
  })

  await t.test('work with one for each', async (t) => {
    const own = new mongoose.Mongoose()
    const second = await over(t, two.uri, own)
    await second.ready()
    const models = [shared, own].map((each) => each.model('User', new each.Schema({ name: String })))
    await models[0]?.create({ name: 'Ann' })
    t.strictSame(await Promise.all(models.map((model) => model.countDocuments())), [1, 0])
  })
})

t.test('a connection that mongoose.connect() opened', async (t) => {
  const { uri } = await documents(t)
  const given = new mongoose.Mongoose()
  await given.connect(uri)
  t.teardown(() => given.disconnect())
  const User = given.model('User', new given.Schema({ name: String }))

  await t.test('is refused as the connector’s', async (t) => {
    t.match(await refusalOf(t, uri, given), [
      { code: CODE, message: /connected already/, fix: /mongoose\.connect\(\)/ }
    ])
  })

  await t.test('is left as it is', async (t) => {
    await User.create({ name: 'Ann' })
    t.equal(await User.countDocuments(), 1)
  })
})

t.test('another copy of Mongoose is refused', async (t) => {
  const copy = { version: '8.0.0', mongo: { MongoClient: class {} } } as unknown as Mongoose
  t.match(await refusalOf(t, 'mongodb://127.0.0.1:1/x', copy), [{ code: CODE, got: 'mongoose 8.0.0' }])
})

t.test('a server that is not there', async (t) => {
  const port = await freePort()
  const uri = `mongodb://127.0.0.1:${port}/notes?heartbeatFrequencyMS=500`
  const given = new mongoose.Mongoose()
  const User = given.model('User', new given.Schema({ name: String }))
  const fastify = await over(t, uri, given)
  await fastify.ready()

  await t.test('calls wait as long as those of repositories, and fail', async (t) => {
    await t.rejects(User.findOne(), { message: /buffering timed out after 300ms/ })
  })

  await t.test('they answer once it is there', async (t) => {
    const engine = await startDocumentEngine({ port })
    t.teardown(() => engine.close())
    await fastify.orm.repository(Note).find()
    t.equal(await User.countDocuments(), 0)
    await fastify.close()
  })
})

t.test('a time that the application has set stays', async (t) => {
  const given = new mongoose.Mongoose()
  given.set('bufferTimeoutMS', 20)
  const User = given.model('User', new given.Schema({ name: String }))
  const fastify = await over(t, `mongodb://127.0.0.1:${await freePort()}/x`, given)
  await fastify.ready()
  await t.rejects(User.findOne(), { message: /buffering timed out after 20ms/ })
})

t.test('models that nothing connects are warned of', async (t) => {
  const { uri } = await documents(t)
  mongoose.model('Lost', new Schema({ name: String }))
  const fastify = await over(t, uri)
  await fastify.ready()
  t.match(
    fastify.bootWarnings.filter(({ code }) => code === CODE),
    [{ got: 'models Lost', fix: /parts: \{ mongoose \}/ }]
  )
})
