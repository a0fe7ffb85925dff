/** Relations: loaded only when asked for, of three kinds, in a query each. */
import assert from 'node:assert/strict'
import { type CaseContext, type Cases, column, refused } from './conformance-suite.ts'

async function seed({ authors, books, repository }: CaseContext) {
  const ada = await authors.create({ name: 'Ada' })
  const bob = await authors.create({ name: 'Bob', mentorId: ada.id })
  await books.createMany([
    { title: 'one', authorId: ada.id },
    { title: 'two', authorId: bob.id },
    { title: 'three', authorId: ada.id },
    { title: 'none' }
  ])
  await repository('Passport').create({ number: 'P1', heldBy: bob.id })
  return { authors, books, ada, bob }
}

export const relationCases: Cases = {
  'many-to-one: the row of the reference, null without one': async (context) => {
    const { books, ada } = await seed(context)
    const rows = await books.find({}, { relations: ['author'] })
    assert.deepEqual(
      rows.map(({ title, author }) => [title, author === null ? null : (author.name as unknown)]),
      [
        ['one', 'Ada'],
        ['two', 'Bob'],
        ['three', 'Ada'],
        ['none', null]
      ]
    )
    assert.deepEqual({ ...rows[0]?.author }, { ...ada })
    assert.equal((await books.findOne({ title: 'one' }))?.author, undefined)
  },
  'primary(): the same operations, for relations as well': async (context) => {
    const { books } = await seed(context)
    const options = { relations: ['author'] }
    const primary = books.primary()
    assert.deepEqual(await primary.find({}, options), await books.find({}, options))
    const { id } = await primary.create({ title: 'five' })
    assert.equal((await primary.findOne({ id }, options))?.author, null)
    assert.deepEqual(await books.findOne({ id }), await primary.findOne({ id }))
    assert.equal(await primary.delete({ id }), 1)
    assert.equal(await primary.exists({ id }), false)
  },
  'one-to-many: the children by id, an empty list without any': async (context) => {
    const { authors } = await seed(context)
    await authors.create({ name: 'Cyd' })
    const rows = await authors.find({}, { order: [['name', 'ASC']], relations: ['books'] })
    assert.deepEqual(
      rows.map(({ books }) => column(books, 'title')),
      [['one', 'three'], ['two'], []]
    )
  },
  'one-to-one: a reference that two rows cannot share': async (context) => {
    const { bob, ada } = await seed(context)
    const passports = context.repository('Passport')
    assert.equal((await passports.findOne({ number: 'P1' }, { relations: ['holder'] }))?.holder.name, 'Bob')
    await refused(() => passports.create({ number: 'P2', heldBy: bob.id }), 'SVC_ORM_UNIQUE', 409)
    await refused(() => passports.create({ number: 'P2' }), 'SVC_ORM_VALUE', 400)
    assert.equal((await passports.create({ number: 'P2', heldBy: ada.id })).heldBy, ada.id)
  },
  'several relations at once, also to the entity itself': async (context) => {
    const { authors } = await seed(context)
    const bob = await authors.findOne({ name: 'Bob' }, { relations: ['mentor', 'books', 'mentor'] })
    assert.equal(bob?.mentor.name, 'Ada')
    assert.deepEqual(column(bob?.books, 'title'), ['two'])
  },
  'a reference is a field: found by, changed, and free of constraints': async (context) => {
    const { books, authors, ada } = await seed(context)
    assert.equal(await books.count({ authorId: ada.id }), 2)
    assert.equal(await books.count({ authorId: null }), 1)
    await authors.deleteOne({ id: ada.id })
    const orphan = await books.findOne({ title: 'one' }, { relations: ['author'] })
    assert.deepEqual([orphan?.authorId, orphan?.author], [ada.id, null])
    assert.equal((await books.updateOne({ title: 'one' }, { authorId: null }))?.authorId, null)
    await refused(() => books.create({ title: 'x', authorId: 'no id' }), 'SVC_ORM_VALUE', 400)
  },
  'relations of more rows than one query names': async ({ books, authors }) => {
    const made = await authors.createMany(Array.from({ length: 1101 }, (_, index) => ({ name: `author ${index}` })))
    await books.createMany(made.map(({ id }, index) => ({ title: `book ${index}`, authorId: id })))
    const rows = await books.find({}, { relations: ['author'] })
    assert.ok(rows.every(({ title, author }, index) => title === `book ${index}` && author.name === `author ${index}`))
    const parents = await authors.find({}, { relations: ['books'] })
    assert.ok(parents.every((parent, index) => parent.books[0]?.title === `book ${index}`))
  },
  'a relation is no field: order and values do not know it, criteria take none of its own': async (context) => {
    const { books } = await seed(context)
    await refused(() => books.find({ author: 'x' }), 'SVC_ORM_CRITERIA', 400)
    await refused(() => books.find({}, { order: [['author', 'ASC']] }), 'SVC_ORM_UNKNOWN_FIELD', 400)
    await refused(() => books.find({}, { relations: ['title'] }), 'SVC_ORM_UNKNOWN_RELATION', 400)
    await refused(() => books.find({}, { relations: ['author.books'] }), 'SVC_ORM_UNKNOWN_RELATION', 400)
    assert.equal((await books.create({ title: 'x', author: { name: 'y' } })).authorId, null)
  }
}
