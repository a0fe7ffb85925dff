/** Criteria through relations: rows by what belongs to them, and by what they belong to. */
import assert from 'node:assert/strict'
import { type CaseContext, type Cases, column, refused } from './conformance-suite.ts'

async function seed({ authors, books, repository }: CaseContext) {
  const ada = await authors.create({ name: 'Ada' })
  const bob = await authors.create({ name: 'Bob', mentorId: ada.id })
  const cyd = await authors.create({ name: 'Cyd', mentorId: bob.id })
  await books.createMany([
    { title: 'one', authorId: ada.id },
    { title: 'two', authorId: bob.id },
    { title: 'three', authorId: ada.id },
    { title: 'none' }
  ])
  await repository('Passport').create({ number: 'P1', heldBy: bob.id })
  return { authors, books, ada, bob, cyd }
}

/** Criteria and the titles of the books that they find. */
const BOOKS: readonly (readonly [criteria: Readonly<Record<string, unknown>>, titles: readonly string[]])[] = [
  [{ 'author.name': 'Ada' }, ['one', 'three']],
  [{ author: { name: 'Ada' } }, ['one', 'three']],
  [{ author: { name: ['Ada', 'Bob'] }, title: { $ne: 'one' } }, ['three', 'two']],
  [{ author: { name: { $like: 'B%' } } }, ['two']],
  [{ author: { name: 'Nobody' } }, []],
  [{ author: {} }, ['one', 'three', 'two']],
  [{ author: { $exists: true } }, ['one', 'three', 'two']],
  [{ author: null }, ['none']],
  [{ author: { $exists: false } }, ['none']],
  [{ author: { name: 'Ada', $exists: false } }, ['none', 'two']],
  [{ $not: { 'author.name': 'Ada' } }, ['none', 'two']],
  [{ $or: [{ 'author.name': 'Bob' }, { author: null }] }, ['none', 'two']],
  [{ 'author.mentor.name': 'Ada' }, ['two']],
  [{ author: { mentor: { name: 'Ada' } } }, ['two']],
  [{ author: { mentor: null } }, ['one', 'three']],
  [{ author: { books: { title: 'three' } } }, ['one', 'three']]
]

const AUTHORS: readonly (readonly [criteria: Readonly<Record<string, unknown>>, names: readonly string[]])[] = [
  [{ books: { title: 'one' } }, ['Ada']],
  [{ 'books.title': { $like: 't%' } }, ['Ada', 'Bob']],
  [{ books: { $exists: true } }, ['Ada', 'Bob']],
  [{ books: { $exists: false } }, ['Cyd']],
  [{ books: null }, ['Cyd']],
  [{ books: { title: 'one', $exists: false } }, ['Bob', 'Cyd']],
  [{ books: { title: 'one', id: { $ne: 'x' } } }, ['Ada']],
  // Each asks for a book of its own.
  [{ 'books.title': 'one', $and: [{ 'books.title': 'three' }] }, ['Ada']],
  [{ books: { $and: [{ title: 'one' }, { title: 'three' }] } }, []],
  [{ mentor: { books: {} } }, ['Bob', 'Cyd']],
  [{ $not: { mentor: { name: 'Ada' } } }, ['Ada', 'Cyd']],
  // The same table on both sides, and again within.
  [{ mentor: { mentor: { name: 'Ada' } } }, ['Cyd']],
  [{ mentor: { mentor: null } }, ['Bob']],
  [{ mentor: null }, ['Ada']],
  [{ $not: { mentor: { mentor: null } } }, ['Ada', 'Cyd']],
  [{ $not: { $not: { books: null } } }, ['Cyd']],
  [{ $or: [{ books: null }, { 'mentor.name': 'Ada' }] }, ['Bob', 'Cyd']],
  [{ $not: { books: {}, name: 'Ada' } }, ['Bob', 'Cyd']],
  [{ books: { author: { mentor: null } } }, ['Ada']]
]

export const relatedCriteriaCases: Cases = {
  'C2: rows are found, and counted, by the row that they refer to': async (context) => {
    const { books } = await seed(context)
    for (const [criteria, titles] of BOOKS) {
      const shown = JSON.stringify(criteria)
      assert.deepEqual(column(await books.find(criteria), 'title').sort(), titles, shown)
      assert.equal(await books.count(criteria), titles.length, shown)
      assert.equal(await books.exists(criteria), titles.length > 0, shown)
    }
  },
  'C2: rows are found by those that refer to them': async (context) => {
    const { authors } = await seed(context)
    for (const [criteria, names] of AUTHORS) {
      assert.deepEqual(column(await authors.find(criteria), 'name').sort(), names, JSON.stringify(criteria))
    }
    const [holder] = await context.repository('Passport').find({ 'holder.mentor.name': 'Ada' })
    assert.equal(holder?.number, 'P1')
  },
  'a reference whose row is gone belongs to nothing': async (context) => {
    const { books, authors, ada } = await seed(context)
    await authors.deleteOne({ id: ada.id })
    assert.deepEqual(column(await books.find({ author: null }), 'title').sort(), ['none', 'one', 'three'])
    assert.deepEqual(column(await books.find({ author: {} }), 'title'), ['two'])
  },
  'every operation takes them': async (context) => {
    const { books } = await seed(context)
    const ofAda = { 'author.name': 'Ada' }
    assert.equal((await books.findOne(ofAda, { order: [['title', 'DESC']] }))?.title, 'three')
    assert.equal(await books.updateMany(ofAda, { title: 'hers' }), 2)
    assert.equal((await books.updateOne({ author: null }, { title: 'nobody' }))?.title, 'nobody')
    assert.equal(await context.authors.updateMany({ books: null }, { name: 'Cyn' }), 1)
    assert.equal(await context.authors.count({ name: 'Cyn' }), 1)
    assert.equal((await books.findOneAndDelete({ author: { name: 'Bob' } }))?.title, 'two')
    assert.equal(await books.delete(ofAda), 2)
    assert.deepEqual(column(await books.find(), 'title'), ['nobody'])
  },
  'what means nothing is refused by name': async (context) => {
    const { books } = await seed(context)
    for (const author of ['x', 1, [], undefined, { $exists: 1 }, { $exists: null }]) {
      await refused(() => books.find({ author }), 'SVC_ORM_CRITERIA', 400)
    }
    for (const name of [
      'author.nope',
      'author.',
      'author.name.x',
      'author.$where',
      'title.length',
      'author.__proto__'
    ]) {
      await refused(() => books.find({ [name]: 'x' }), 'SVC_ORM_UNKNOWN_FIELD', 400)
    }
    await refused(() => books.find({ author: { nope: 1 } }), 'SVC_ORM_UNKNOWN_FIELD', 400)
    await refused(() => books.find({ 'author.name': { $gt: 1 } }), 'SVC_ORM_CRITERIA', 400)
  }
}

/** Needs transactions. */
export const relatedInTransactionCases: Cases = {
  'inside a transaction, what it has written counts on both sides': async (context) => {
    const { books, cyd } = await seed(context)
    await books.withTransaction(async (inside, tx) => {
      const authors = context.authors.withTransaction(tx)
      await inside.updateOne({ title: 'none' }, { authorId: cyd.id })
      await authors.updateOne({ id: cyd.id }, { name: 'Cyn' })
      assert.deepEqual(column(await inside.find({ 'author.name': 'Cyn' }), 'title'), ['none'])
      assert.equal(await authors.count({ books: { title: 'none' } }), 1)
    })
    assert.equal(await books.count({ 'author.name': 'Cyn' }), 1)
  }
}
