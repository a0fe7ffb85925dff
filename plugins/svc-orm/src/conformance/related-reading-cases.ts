/** What is read of related rows besides themselves: their number, and the first of each. */
import assert from 'node:assert/strict'
import type { AnyRow } from '../entities/row-of.ts'
import { type CaseContext, type Cases, column, refused } from './conformance-suite.ts'

async function seed({ authors, books, repository }: CaseContext) {
  const ada = await authors.create({ name: 'Ada' })
  const bob = await authors.create({ name: 'Bob', mentorId: ada.id })
  await authors.create({ name: 'Cyd', mentorId: ada.id })
  const titles = ['b', 'e', 'a', 'd', 'c']
  await books.createMany(titles.map((title) => ({ title, authorId: ada.id })))
  await books.createMany([{ title: 'f', authorId: bob.id }, { title: 'g' }])
  const folders = repository('Folder')
  const root = await folders.create({ path: '/' })
  await folders.createMany(['/a', '/b', '/gone'].map((path) => ({ path, parentId: root.id })))
  await folders.delete({ path: '/gone' })
  return { authors, books, folders, ada }
}

const BY_NAME = { order: [['name', 'ASC']] } as const
const NEWEST = { order: [['title', 'DESC']], limit: 2 } as const

const titlesOf = (rows: readonly AnyRow[]) => rows.map(({ books }) => column(books, 'title'))

export const relatedReadingCases: Cases = {
  'the first related rows of each row, in an order': async (context) => {
    const { authors, folders } = await seed(context)
    const listed = await authors.find({}, { ...BY_NAME, include: { books: NEWEST } })
    assert.deepEqual(titlesOf(listed), [['e', 'd'], ['f'], []])
    const some = { where: { title: { $lt: 'd' } }, order: [['title', 'ASC']], limit: 2 } as const
    const first = await authors.find({}, { ...BY_NAME, include: { books: some } })
    assert.deepEqual(titlesOf(first), [['a', 'b'], [], []])
    const byId = await authors.find({ name: 'Ada' }, { include: { books: { limit: 3, select: ['title'] } } })
    assert.deepEqual(titlesOf(byId), [['b', 'e', 'a']])
    assert.deepEqual(Object.keys(byId[0]?.books[0] ?? {}).sort(), ['id', 'title'])
    const page = await authors.page({}, { ...BY_NAME, limit: 1, include: { books: NEWEST } })
    assert.deepEqual(titlesOf(page.items), [['e', 'd']])
    // Those that are marked as deleted are none of the first.
    const newest = { order: [['path', 'DESC']], limit: 1 } as const
    const [root] = await folders.find({ path: '/' }, { include: { folders: newest } })
    assert.deepEqual(column(root?.folders, 'path'), ['/b'])
    const [whole] = await folders.withDeleted().find({ path: '/' }, { include: { folders: newest } })
    assert.deepEqual(column(whole?.folders, 'path'), ['/gone'])
  },
  'within an inclusion, and through relations in criteria': async (context) => {
    const { authors, ada } = await seed(context)
    const mentor = { mentor: { include: { books: { ...NEWEST, where: { author: { name: 'Ada' } } } } } }
    const [bob, cyd] = await authors.find({ mentorId: ada.id }, { ...BY_NAME, include: mentor })
    for (const row of [bob, cyd]) assert.deepEqual(titlesOf([row?.mentor]), [['e', 'd']])
  },
  'numbers of related rows, of each row': async (context) => {
    const { authors, folders } = await seed(context)
    const early = { relation: 'books', where: { title: { $lt: 'c' } } } as const
    const listed = await authors.find({}, { ...BY_NAME, counts: { books: true, early } })
    assert.deepEqual(
      listed.map(({ counts }) => ({ ...counts })),
      [
        { books: 5, early: 2 },
        { books: 1, early: 0 },
        { books: 0, early: 0 }
      ]
    )
    const one = await authors.findOne({ name: 'Ada' }, { select: ['name'], counts: { books: true } })
    assert.deepEqual(Object.keys(one ?? {}).sort(), ['counts', 'id', 'name'])
    const within = { counts: { books: true, none: { relation: 'books', where: { author: { name: 'Bob' } } } } } as const
    const [bob, cyd] = await authors.find({ mentor: {} }, { ...BY_NAME, include: { mentor: within } })
    assert.deepEqual({ ...bob?.mentor?.counts }, { books: 5, none: 0 })
    // Rows with the same reference share nothing.
    Object.assign(bob?.mentor?.counts ?? {}, { books: 0 })
    assert.equal(cyd?.mentor?.counts.books, 5)
    const [root] = await folders.find({ path: '/' }, { counts: { folders: true } })
    assert.equal(root?.counts.folders, 2)
    const [whole] = await folders.withDeleted().find({ path: '/' }, { counts: { folders: true } })
    assert.equal(whole?.counts.folders, 3)
  },
  'what reaches no rows, or bounds nothing, is refused by name': async (context) => {
    const { authors, books } = await seed(context)
    const find = (options: object) => () => authors.find({}, options)
    for (const limit of [0, -1, 1.5, '1', null]) {
      await refused(find({ include: { books: { limit } } }), 'SVC_ORM_OPTIONS', 400)
    }
    await refused(find({ include: { mentor: { limit: 1 } } }), 'SVC_ORM_OPTIONS', 400)
    await refused(find({ counts: { nope: true } }), 'SVC_ORM_UNKNOWN_RELATION', 400)
    await refused(find({ counts: { all: { relation: 'nope' } } }), 'SVC_ORM_UNKNOWN_RELATION', 400)
    await refused(find({ counts: { all: { relation: 'books', where: { nope: 1 } } } }), 'SVC_ORM_UNKNOWN_FIELD', 400)
    for (const counts of [[], 'books', { mentor: true }, { books: false }, { books: { limit: 1 } }]) {
      await refused(find({ counts }), 'SVC_ORM_OPTIONS', 400)
    }
    await refused(() => books.find({}, { counts: { author: true } }), 'SVC_ORM_OPTIONS', 400)
  }
}
