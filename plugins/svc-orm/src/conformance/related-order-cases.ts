/** Orders by what belongs to rows: a field of the row that is referred to, and how many refer to it. */
import assert from 'node:assert/strict'
import type { AnyRow } from '../entities/row-of.ts'
import { type CaseContext, type Cases, column, refused } from './conformance-suite.ts'

async function seed({ authors, books, repository }: CaseContext) {
  const zed = await authors.create({ name: 'Zed' })
  const ada = await authors.create({ name: 'Ada', mentorId: zed.id })
  const bob = await authors.create({ name: 'Bob', mentorId: ada.id })
  await books.createMany([
    { title: 'd', authorId: bob.id },
    { title: 'b', authorId: ada.id },
    { title: 'a', authorId: zed.id },
    { title: 'c', authorId: ada.id },
    { title: 'e' }
  ])
  const passports = repository('Passport')
  for (const [place, { id }] of [bob, zed, ada].entries()) await passports.create({ number: `P${place}`, heldBy: id })
  return { authors, books, passports, ada }
}

const sorted = async (rows: Promise<readonly AnyRow[]>, name: string) => column(await rows, name).join(' ')

export const relatedOrderCases: Cases = {
  'rows come by a field of the row that they refer to; without one they come first': async (context) => {
    const { books, authors } = await seed(context)
    const titles = (order: unknown, more: object = {}) => sorted(books.find({}, { order, ...more } as never), 'title')
    const ofAuthor = [
      ['author.name', 'ASC'],
      ['title', 'ASC']
    ]
    assert.equal(await titles(ofAuthor), 'e b c d a')
    assert.equal(await titles(ofAuthor, { offset: 1, limit: 2 }), 'b c')
    const turned = [
      ['author.name', 'DESC'],
      ['title', 'ASC']
    ]
    assert.equal(await titles(turned), 'a d b c e')
    const ofMentor = [
      ['author.mentor.name', 'DESC'],
      ['author.name', 'ASC'],
      ['title', 'DESC']
    ]
    assert.equal(await titles(ofMentor), 'c b d e a')
    const [first] = await books.find({}, { order: ofAuthor, select: ['title'], limit: 1 } as never)
    assert.deepEqual(Object.keys(first ?? {}).sort(), ['id', 'title'])
    const [whole] = await books.find({ title: 'b' }, { order: ofAuthor, include: { author: true } } as never)
    assert.equal(whole?.author.name, 'Ada')
    assert.ok(!Object.hasOwn(whole ?? {}, 'author.name'))
    const criteria = { $or: [{ 'author.name': 'Bob' }, { title: { $gte: 'c' } }] }
    assert.equal(await sorted(books.find(criteria, { order: ofAuthor } as never), 'title'), 'e c d')
    assert.equal((await books.findOne({}, { order: turned } as never))?.title, 'a')
    // The same table on both sides.
    assert.equal(await sorted(authors.find({}, { order: [['mentor.name', 'DESC']] }), 'name'), 'Ada Bob Zed')
  },
  'related rows come so too': async (context) => {
    const { authors } = await seed(context)
    const order = [['author.mentor.name', 'DESC'] as const, ['title', 'DESC'] as const]
    const options = { order: [['name', 'ASC']], include: { books: { order } } } as const
    const listed = await authors.find({}, options)
    assert.deepEqual(
      listed.map(({ books }) => column(books, 'title')),
      [['c', 'b'], ['d'], ['a']]
    )
    const first = { include: { books: { order, limit: 1 } } } as const
    await refused(() => authors.find({}, first), 'SVC_ORM_OPTIONS', 400)
    assert.deepEqual(Object.keys(listed[0]?.books[0] ?? {}).sort(), ['authorId', 'id', 'title'])
  },
  'rows come by how many refer to them': async (context) => {
    const { authors } = await seed(context)
    const names = (direction: 'ASC' | 'DESC', more: object = {}) =>
      sorted(
        authors.find({}, {
          order: [
            ['books.$count', direction],
            ['name', 'ASC']
          ],
          ...more
        } as never),
        'name'
      )
    assert.equal(await names('DESC'), 'Ada Bob Zed')
    await authors.create({ name: 'Cyd' })
    assert.equal(await names('ASC'), 'Cyd Bob Zed Ada')
    assert.equal(await names('ASC', { offset: 1, limit: 2 }), 'Bob Zed')
    const folders = context.repository('Folder')
    const [one, two] = await folders.createMany([{ path: '/1' }, { path: '/2' }])
    await folders.createMany([
      { path: '/1/gone', parentId: one?.id },
      { path: '/1/gone too', parentId: one?.id },
      { path: '/2/kept', parentId: two?.id }
    ])
    await folders.delete({ path: { $like: '/1/%' } })
    const most = { order: [['folders.$count', 'DESC']], limit: 1 } as const
    assert.equal(await sorted(folders.find({}, most), 'path'), '/2')
    assert.equal(await sorted(folders.withDeleted().find({}, most), 'path'), '/1')
  },
  'what is marked as deleted is not referred to': async ({ repository }) => {
    const folders = repository('Folder')
    const [a, b] = await folders.createMany([{ path: 'a' }, { path: 'b' }])
    await folders.createMany([
      { path: 'in a', parentId: a?.id },
      { path: 'in b', parentId: b?.id }
    ])
    await folders.delete({ path: 'b' })
    const order = {
      order: [
        ['parent.path', 'DESC'],
        ['path', 'ASC']
      ]
    } as never
    assert.equal(await sorted(folders.find({}, order), 'path'), 'in a,a,in b'.replaceAll(',', ' '))
    const all = await folders.withDeleted().find({}, order)
    assert.equal(column(all, 'path').join(), 'in b,in a,a,b')
  },
  'pages by a field of the row that is referred to': async (context) => {
    const { passports, authors } = await seed(context)
    for (const direction of ['ASC', 'DESC'] as const) {
      const order = [['holder.name', direction]]
      const numbers: unknown[] = []
      let after: string | undefined
      do {
        const { items, next } = await passports.page({}, { order, limit: 1, after } as never)
        assert.deepEqual(Object.keys(items[0] ?? {}).sort(), ['heldBy', 'id', 'number'])
        numbers.push(...column(items, 'number'))
        after = next ?? undefined
      } while (after !== undefined)
      assert.deepEqual(numbers, direction === 'ASC' ? ['P2', 'P0', 'P1'] : ['P1', 'P0', 'P2'])
      const streamed: unknown[] = []
      for await (const { number } of passports.stream({}, { order } as never)) streamed.push(number)
      assert.deepEqual(streamed, numbers)
      const turned = {
        order: [
          ['holder.name', direction],
          ['number', direction === 'ASC' ? 'DESC' : 'ASC']
        ],
        limit: 2
      }
      const { items, next } = await passports.page({}, turned as never)
      const { items: last } = await passports.page({}, { ...turned, after: next } as never)
      assert.deepEqual(column([...items, ...last], 'number'), numbers)
    }
    // A row whose reference leads to none has no place between two others.
    await authors.deleteOne({ name: 'Bob' })
    const { items } = await passports.page({}, { order: [['holder.name', 'ASC']] } as never)
    assert.deepEqual(column(items, 'number'), ['P2', 'P1'])
  },
  'what has no order, or may be null between pages, is refused by name': async (context) => {
    const { books, authors, passports } = await seed(context)
    const find = (name: string) => () => books.find({}, { order: [[name, 'ASC']] } as never)
    for (const name of ['author.nope', 'author.', 'author', 'title.length', 'author.books.$count.x', 'nope.name']) {
      await refused(find(name), name === 'author.books.$count.x' ? 'SVC_ORM_OPTIONS' : 'SVC_ORM_UNKNOWN_FIELD', 400)
    }
    for (const name of ['author.$count', 'author.books.title']) await refused(find(name), 'SVC_ORM_OPTIONS', 400)
    await refused(() => authors.find({}, { order: [['books.title', 'ASC']] } as never), 'SVC_ORM_OPTIONS', 400)
    const page = (rows: typeof books, name: string) => () => rows.page({}, { order: [[name, 'ASC']] } as never)
    for (const call of [
      page(books, 'author.name'),
      page(passports, 'holder.mentor.name'),
      page(authors, 'books.$count'),
      page(context.repository('Folder'), 'parent.path')
    ]) {
      await refused(call, 'SVC_ORM_OPTIONS', 400)
    }
  }
}

/** Needs transactions. */
export const relatedOrderInTransactionCases: Cases = {
  'rows are locked in an order of their own': async (context) => {
    const { books } = await seed(context)
    await books.withTransaction(async (inside) => {
      const order = [['author.name', 'ASC']] as const
      await refused(() => inside.find({}, { order, lock: 'update' }), 'SVC_ORM_OPTIONS', 400)
    })
    await context.authors.withTransaction(async (inside) => {
      const order = [['books.$count', 'DESC']] as const
      const [most] = await inside.find({}, { order, limit: 1, lock: 'update' })
      assert.equal(most?.name, 'Ada')
    })
  }
}
