/** What of a row is read, and of the rows that belong to it: `select` and `include`, to any depth. */
import assert from 'node:assert/strict'
import { type CaseContext, type Cases, column, refused } from './conformance-suite.ts'

async function seed({ authors, books }: CaseContext) {
  const ada = await authors.create({ name: 'Ada' })
  const bob = await authors.create({ name: 'Bob', mentorId: ada.id })
  await books.createMany([
    { title: 'one', authorId: ada.id },
    { title: 'two', authorId: bob.id },
    { title: 'three', authorId: ada.id },
    { title: 'none' }
  ])
  return { authors, books, ada, bob }
}

/** Without ids and prototypes. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (name, held: unknown) => (/^id$|Id$/.test(name) ? undefined : held)))
}

const BY_NAME = { order: [['name', 'ASC']] } as const
const BY_TITLE = { order: [['title', 'ASC']] } as const

export const inclusionCases: Cases = {
  'relations of relations': async (context) => {
    const { authors, books } = await seed(context)
    const found = await books.find(
      { title: ['two', 'none'] },
      {
        ...BY_TITLE,
        include: { author: { include: { mentor: { include: { books: BY_TITLE } } } } }
      }
    )
    assert.deepEqual(plain(found), [
      { title: 'none', author: null },
      {
        title: 'two',
        author: { name: 'Bob', mentor: { name: 'Ada', books: [{ title: 'one' }, { title: 'three' }] } }
      }
    ])
    const [ada] = await authors.find(
      { name: 'Ada' },
      { include: { books: { include: { author: true } }, mentor: true } }
    )
    assert.deepEqual(plain(ada), {
      name: 'Ada',
      mentor: null,
      books: [
        { title: 'one', author: { name: 'Ada' } },
        { title: 'three', author: { name: 'Ada' } }
      ]
    })
  },
  'rows that share a related row can be changed apart': async (context) => {
    const { books } = await seed(context)
    const found = await books.find({ 'author.name': 'Ada' }, { include: { author: { include: { books: true } } } })
    const [first, second] = found
    Object.assign(first?.author, { name: 'changed' })
    Object.assign(first?.author.books[0], { title: 'changed' })
    assert.deepEqual(plain(second?.author), { name: 'Ada', books: [{ title: 'one' }, { title: 'three' }] })
  },
  'some of the related rows, in an order': async (context) => {
    const { authors, books } = await seed(context)
    const listed = await authors.find(
      {},
      {
        ...BY_NAME,
        include: { books: { where: { title: { $like: '%e' } }, order: [['title', 'DESC']] } }
      }
    )
    assert.deepEqual(plain(listed), [
      { name: 'Ada', books: [{ title: 'three' }, { title: 'one' }] },
      { name: 'Bob', books: [] }
    ])
    const found = await books.find(
      { title: ['one', 'two'] },
      { ...BY_TITLE, include: { author: { where: { name: 'Bob' } } } }
    )
    assert.deepEqual(plain(found), [
      { title: 'one', author: null },
      { title: 'two', author: { name: 'Bob' } }
    ])
  },
  'some of the fields, with the id, and nothing that only served to find relations': async (context) => {
    const { authors, books, ada } = await seed(context)
    const [one] = await books.find({ title: 'one' }, { select: ['title'] })
    assert.deepEqual(Object.keys(one ?? {}).sort(), ['id', 'title'])
    const first = await books.findOne({ title: 'one' }, { select: [], include: { author: { select: ['name'] } } })
    assert.deepEqual(Object.keys(first ?? {}).sort(), ['author', 'id'])
    assert.deepEqual({ ...first?.author }, { id: ada.id, name: 'Ada' })
    const [author] = await authors.find(
      { name: 'Ada' },
      { select: ['name'], include: { books: { select: ['title'] } } }
    )
    assert.deepEqual(Object.keys(author ?? {}).sort(), ['books', 'id', 'name'])
    assert.deepEqual(Object.keys(author?.books[0] ?? {}).sort(), ['id', 'title'])
    const kept = await books.findOne({ title: 'one' }, { select: ['authorId'], include: { author: true } })
    assert.equal(kept?.authorId, ada.id)
  },
  'fields of related rows, which come with their id': async (context) => {
    const { authors, books, ada } = await seed(context)
    const paths = ['title', 'author.name', 'author.mentor.name'] as const
    const found = await books.find({ title: ['none', 'two'] }, { ...BY_TITLE, select: paths as never })
    assert.deepEqual(found.map((row) => Object.keys(row).sort()).join(' '), 'author,id,title author,id,title')
    assert.deepEqual(plain(found), [
      { title: 'none', author: null },
      { title: 'two', author: { name: 'Bob', mentor: { name: 'Ada' } } }
    ])
    assert.equal(found[1]?.author.mentor.id, ada.id)
    const [one] = await authors.find({ name: 'Ada' }, { select: ['books.title'] as never })
    assert.deepEqual(column(one?.books ?? [], 'title').sort(), ['one', 'three'])
    assert.deepEqual(Object.keys(one ?? {}).sort(), ['books', 'id'])
    assert.deepEqual(Object.keys(one?.books[0] ?? {}).sort(), ['id', 'title'])
    const find = (options: object) => () => books.find({}, options)
    await refused(find({ select: ['author.name'], include: { author: true } }), 'SVC_ORM_OPTIONS', 400)
    await refused(find({ select: ['author.name'], relations: ['author'] }), 'SVC_ORM_OPTIONS', 400)
    await refused(find({ select: ['author.nope'] }), 'SVC_ORM_UNKNOWN_FIELD', 400)
    await refused(find({ select: ['author.'] }), 'SVC_ORM_UNKNOWN_FIELD', 400)
    await refused(find({ select: ['title.length'] }), 'SVC_ORM_UNKNOWN_FIELD', 400)
  },
  'what an option does not know is refused by name': async (context) => {
    const { books } = await seed(context)
    const find = (options: object) => () => books.find({}, options)
    await refused(find({ include: { title: true } }), 'SVC_ORM_UNKNOWN_RELATION', 400)
    await refused(find({ include: { author: { include: { nope: true } } } }), 'SVC_ORM_UNKNOWN_RELATION', 400)
    await refused(find({ include: ['author'] }), 'SVC_ORM_OPTIONS', 400)
    await refused(find({ include: { author: false } }), 'SVC_ORM_OPTIONS', 400)
    await refused(find({ include: { author: { limit: 1 } } }), 'SVC_ORM_OPTIONS', 400)
    await refused(find({ include: { author: { where: { name: 5 } } } }), 'SVC_ORM_CRITERIA', 400)
    await refused(find({ select: ['nope'] }), 'SVC_ORM_UNKNOWN_FIELD', 400)
    await refused(find({ select: ['author'] }), 'SVC_ORM_UNKNOWN_FIELD', 400)
    await refused(find({ select: 'title' }), 'SVC_ORM_OPTIONS', 400)
  }
}
