/** Mongoose on the embedded engine: models, validation of uniqueness, references, transactions, bulk writes. */
import mongoose, { Schema } from 'mongoose'
import t from 'tap'
import { startDocumentEngine } from '../src/index.ts'

const engine = await startDocumentEngine()
const connection = await mongoose.createConnection(engine.uri, { dbName: 'app' }).asPromise()
t.teardown(async () => {
  await connection.close()
  await engine.close()
})

const Author = connection.model(
  'Author',
  new Schema({ name: { type: String, unique: true }, age: Number }, { timestamps: true })
)
const Book = connection.model(
  'Book',
  new Schema({
    title: String,
    author: { type: Schema.Types.ObjectId, ref: 'Author' },
    tags: [String],
    price: Schema.Types.Decimal128
  })
)
await Promise.all([Author.init(), Book.init()])

t.beforeEach(async () => {
  await Promise.all([Author.deleteMany(), Book.deleteMany()])
})

t.test('create, unique, timestamps, versions', async (t) => {
  const ann = await Author.create({ name: 'Ann', age: 3 })
  t.ok(ann.createdAt instanceof Date)
  await t.rejects(Author.create({ name: 'Ann' }), { code: 11000, keyPattern: { name: 1 }, keyValue: { name: 'Ann' } })
  ann.age = 4
  await ann.save()
  t.match(await Author.findById(ann.id).lean(), { name: 'Ann', age: 4, __v: 0 })
})

t.test('references, both ways, and arrays of a document', async (t) => {
  const ann = await Author.create({ name: 'Ann' })
  const book = await Book.create({ title: 'One', author: ann._id, tags: ['a'], price: '9.90' })
  const found = await Book.findOne({ author: ann.id }).populate<{ author: { name: string } }>('author').orFail()
  t.equal(found.author.name, 'Ann')
  t.equal(String(found.price), '9.90')
  book.tags.push('b')
  await book.save()
  t.strictSame((await Book.findById(book.id).lean())?.tags, ['a', 'b'])
})

t.test('upsert, $inc and $max', async (t) => {
  const options = { upsert: true, returnDocument: 'after', setDefaultsOnInsert: true } as const
  const made = await Author.findOneAndUpdate({ name: 'New' }, { $inc: { age: 1 } }, options)
  t.equal(made.age, 1)
  t.equal((await Author.findOneAndUpdate({ name: 'New' }, { $max: { age: 0 } }, options)).age, 1)
})

t.test('transactions: committed, aborted, and tried again on a conflict', async (t) => {
  await Author.create({ name: 'Ann', age: 0 })
  await t.rejects(
    connection.transaction(async (session) => {
      await Author.create([{ name: 'Bob' }], { session })
      throw new Error('no')
    }),
    /no/
  )
  t.equal(await Author.countDocuments(), 1)
  const once = () =>
    connection.transaction(async (session) => {
      const ann = await Author.findOne({ name: 'Ann' }).session(session).orFail()
      ann.age = (ann.age ?? 0) + 1
      await ann.save({ session })
    })
  await Promise.all([once(), once(), once()])
  t.equal((await Author.findOne({ name: 'Ann' }))?.age, 3)
})

t.test('bulkWrite, insertMany, cursors, aggregation', async (t) => {
  await Book.insertMany(Array.from({ length: 3500 }, (_, index) => ({ title: `t${index}`, tags: [String(index % 2)] })))
  let read = 0
  for await (const _book of Book.find().lean().cursor({ batchSize: 500 })) read += 1
  t.equal(read, 3500)
  const result = await Book.bulkWrite([
    { updateMany: { filter: { tags: '1' }, update: { $addToSet: { tags: 'odd' } } } },
    { deleteOne: { filter: { title: 't0' } } },
    { updateOne: { filter: { title: 'fresh' }, update: { $set: { tags: [] } }, upsert: true } }
  ])
  t.match(result, { modifiedCount: 1750, deletedCount: 1, upsertedCount: 1 })
  const counted = await Book.aggregate([
    { $unwind: '$tags' },
    { $group: { _id: '$tags', n: { $sum: 1 } } },
    { $sort: { _id: 1 } }
  ])
  t.strictSame(counted, [
    { _id: '0', n: 1749 },
    { _id: '1', n: 1750 },
    { _id: 'odd', n: 1750 }
  ])
})
