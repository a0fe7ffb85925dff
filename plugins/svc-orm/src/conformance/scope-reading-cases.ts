/** Rows that belong to a scope: of another one nothing is read, counted or told. */
import assert from 'node:assert/strict'
import type { AnyRow } from '../entities/row-of.ts'
import type { Repository } from '../repository/repository.ts'
import { column, refused } from './conformance-suite.ts'
import { allWorks, collected, type ScopeCases, twins } from './scope-fixtures.ts'

/** Each operation of a repository, as one call. */
export const OPERATIONS: Readonly<Record<string, (works: Repository) => Promise<unknown>>> = {
  find: (works) => works.find(),
  findOne: (works) => works.findOne({ title: 'One' }),
  'findOne with options': (works) => works.findOne({ title: 'One' }, { select: ['title'] }),
  page: (works) => works.page({}, { limit: 2 }),
  stream: (works) => collected(works.stream()),
  count: (works) => works.count(),
  exists: (works) => works.exists({}),
  aggregate: (works) => works.aggregate({}, { sum: { sum: 'stars' } }),
  groupBy: (works) => works.groupBy({}, { by: ['title'] }),
  distinct: (works) => works.distinct('title'),
  create: (works) => works.create({ title: 'Three' }),
  createMany: (works) => works.createMany([{ title: 'Three' }]),
  upsertMany: (works) => works.upsertMany([{ title: 'One', code: '1' }], { on: ['title', 'code'] }),
  upsert: (works) => works.upsert({ title: 'One', code: '1' }, {}),
  updateOne: (works) => works.updateOne({ title: 'One' }, { title: 'Uno' }),
  updateMany: (works) => works.updateMany({}, { title: 'Uno' }),
  increment: (works) => works.increment({ title: 'One' }, 'stars'),
  delete: (works) => works.delete({}),
  deleteOne: (works) => works.deleteOne({ title: 'One' }),
  findOneAndDelete: (works) => works.findOneAndDelete({ title: 'One' }),
  restore: (works) => works.restore({}),
  purge: (works) => works.purge({}),
  shown: (works) => works.shown().find(),
  withDeleted: (works) => works.withDeleted().find()
}

const stars = async (rows: Promise<AnyRow[]>) => column(await rows, 'stars')
const byStars = { order: [['stars', 'ASC']] } as const

export const scopeReadingCases: ScopeCases = {
  'without a scope each operation is refused, and none is carried out': async (context) => {
    await twins(context)
    const before = await allWorks(context)
    for (const operation of Object.values(OPERATIONS)) {
      await refused(() => operation(context.works), 'SVC_ORM_NO_SCOPE', 500)
    }
    await refused(() => context.shelves.find({ works: { stars: 1 } }), 'SVC_ORM_NO_SCOPE', 500)
    await refused(() => context.shelves.find({}, { include: { works: true } }), 'SVC_ORM_NO_SCOPE', 500)
    assert.deepEqual(await allWorks(context), before)
    assert.equal(await context.shelves.count(), 1)
  },
  'a value of a scope is text, and never a second one': async ({ within, works, across }) => {
    for (const value of ['', 'a\0', '\ud800', 7, null, undefined, { toString: () => 'a' }]) {
      await refused(async () => within(value as string, () => works.find()), 'SVC_ORM_NO_SCOPE', 500)
    }
    await refused(() => within('a', async () => within('b', () => works.find())), 'SVC_ORM_OTHER_SCOPE', 500)
    assert.equal(await within('a', () => within('a', () => works.count())), 0)
    await within('a', () => across(() => within('b', () => works.create({ title: 'of b' }))))
    assert.equal(await within('b', () => works.count()), 1)
  },
  'a row that its id names is read in its scope alone, of whatever entity': async ({ opened, within, writers }) => {
    const clubs = opened.repository('ScopedClub')
    const club = await within('a', () => clubs.create({ name: 'Reading' }))
    const writer = await within('a', () => writers.create({ name: 'Ann' }))
    await within('b', async () => {
      assert.equal(await clubs.findOne({ id: club.id }), null)
      assert.equal(await writers.findOne({ id: writer.id }), null)
    })
    await within('a', async () => {
      assert.deepEqual(await clubs.findOne({ id: club.id }), club)
      assert.equal((await writers.findOne({ id: writer.id }))?.name, 'Ann')
    })
  },
  'each read sees the rows of its scope': async (context) => {
    const { within, works } = context
    const { a, b } = await twins(context)
    await within('b', async () => {
      assert.deepEqual(await stars(works.find({}, byStars)), [10, 11])
      assert.deepEqual(await stars(works.find({}, { order: [['organizationId', 'DESC']], limit: 5 })), [10, 11])
      assert.equal(await works.findOne({ id: a.first.id }), null)
      assert.equal(await works.findOne({ id: a.first.id }, { select: ['title'] }), null)
      assert.equal((await works.findOne({ title: 'One' }))?.id, b.first.id)
      assert.equal(await works.count(), 2)
      assert.equal(await works.exists({ id: a.first.id }), false)
      assert.equal(await works.exists({ stars: 1 }), false)
      assert.deepEqual(await works.aggregate({}, { sum: { sum: 'stars' }, rows: { count: true } }), {
        sum: 21,
        rows: 2
      })
      assert.deepEqual(await works.groupBy({ title: 'One' }, { by: ['title'], measures: { most: { max: 'stars' } } }), [
        { title: 'One', most: 10 }
      ])
      assert.deepEqual(await works.distinct('stars'), [10, 11])
      assert.deepEqual(await works.distinct('organizationId'), ['b'])
      assert.deepEqual(await stars(works.shown().find({}, byStars)), [10, 11])
      assert.deepEqual(await stars(collected(works.stream({}, byStars))), [10, 11])
    })
  },
  'measures and groups are of the rows of the scope, also through relations': async (context) => {
    const { within, works, shelves } = context
    await twins(context)
    const shelf = await shelves.create({ label: 'all' })
    const other = await shelves.create({ label: 'of a' })
    await within('a', () => works.updateMany({}, { shelfId: other.id }))
    await within('b', () => works.updateMany({}, { shelfId: shelf.id }))
    await within('b', async () => {
      const measures = {
        rows: { count: true },
        held: { count: true, where: { works: { stars: { $gt: 0 } } } },
        labels: { countDistinct: 'label', where: { 'works.title': 'One' } }
      } as const
      assert.deepEqual(
        { ...((await shelves.aggregate({}, measures as never)) as object) },
        { rows: 3, held: 1, labels: 1 }
      )
      const options = { by: ['title'], measures: { sum: { sum: 'stars' } }, having: { sum: { $gt: 0 } } }
      const sums = (await works.groupBy({}, options as never)).map((group) => ({ ...(group as object) }))
      assert.deepEqual(sums, [
        { title: 'One', sum: 10 },
        { title: 'Two', sum: 11 }
      ])
    })
  },
  'words find rows of the scope, in what reads and in what writes': async (context) => {
    const { within, works, writers, searches } = context
    if (!searches) return
    await twins(context)
    await within('b', async () => {
      const ranked = { order: [['$rank', 'DESC']] } as never
      assert.deepEqual(await stars(works.find({ $search: 'one' })), [10])
      assert.deepEqual(await stars(works.find({ $search: 't*' }, ranked)), [11])
      assert.deepEqual(await stars(works.find({ $or: [{ $search: 'one' }, { $search: 'two' }] }, byStars)), [10, 11])
      assert.equal(await works.count({ $search: 'one' }), 1)
      assert.equal(await writers.count({ works: { $search: 'one' } }), 1)
      assert.equal(await works.updateMany({ $search: 'one' }, { title: 'Three' }), 1)
      assert.equal(await works.delete({ $search: 'two' }), 1)
    })
    assert.deepEqual(await within('a', () => stars(works.find({}, byStars))), [1, 2])
  },
  'criteria never widen it': async (context) => {
    const { within, works } = context
    const { a } = await twins(context)
    await within('b', async () => {
      for (const criteria of [
        { organizationId: 'a' },
        { organizationId: { $ne: 'b' } },
        { organizationId: { $in: ['a', 'c'] } },
        { $and: [{ organizationId: 'a' }, { stars: 1 }] },
        { $not: { organizationId: 'b' } },
        { id: { $in: [a.first.id, a.second.id] } }
      ]) {
        assert.equal(await works.count(criteria), 0)
        assert.deepEqual(await works.find(criteria), [])
      }
      for (const criteria of [
        { $or: [{ organizationId: 'a' }, { organizationId: 'b' }] },
        { $not: { stars: 1 } },
        { organizationId: { $null: false } },
        { organizationId: 'b' }
      ]) {
        assert.deepEqual(await stars(works.find(criteria, byStars)), [10, 11])
      }
      assert.deepEqual(await stars(works.find({ $or: [{ organizationId: 'a' }, { stars: 10 }] })), [10])
    })
  },
  'relations load rows of the scope at each depth': async (context) => {
    const { within, writers, works, shelves } = context
    const { a, b } = await twins(context)
    // A row of b that refers to rows of a, as nothing forbids yet.
    const { id } = await within('b', () =>
      works.create({ title: 'Stray', stars: 12, writerId: a.writer.id, shelfId: b.shelf.id })
    )
    await within('b', async () => {
      // A row that its id names is asked of its related rows as others are.
      assert.equal(await works.findOne({ id, 'writer.name': a.writer.name }), null)
      assert.equal((await works.findOne({ id: b.first.id, 'writer.name': b.writer.name }))?.stars, 10)
      const [stray] = await works.find({ title: 'Stray' }, { include: { writer: { include: { works: true } } } })
      assert.equal(stray?.writer, null)
      const [shelf] = await shelves.find(
        {},
        { include: { works: { include: { writer: { include: { works: true } } } } } }
      )
      assert.deepEqual((column((shelf as AnyRow).works, 'stars') as number[]).sort(), [10, 12])
      const [first] = ((shelf as AnyRow).works as AnyRow[]).filter((row) => row.stars === 10)
      assert.deepEqual(column((first as AnyRow).writer.works, 'stars'), [10])
    })
    await within('a', async () => {
      const writer = await writers.findOne({ id: a.writer.id }, { include: { works: true } })
      assert.deepEqual(column((writer as AnyRow).works, 'stars'), [1])
      const pupil = await writers.findOne({ slug: 'ben' }, { relations: ['mentor'] })
      assert.equal((pupil as AnyRow).mentor.id, a.writer.id)
    })
  },
  'criteria through relations ask rows of the scope, on both sides': async (context) => {
    const { within, writers, works, shelves } = context
    const { a } = await twins(context)
    await within('b', () => works.create({ title: 'Stray', stars: 12, writerId: a.writer.id }))
    await within('b', async () => {
      assert.deepEqual(await stars(works.find({ writer: { name: 'Ann' } })), [10])
      assert.equal(await works.count({ 'writer.mentor.name': 'Ann' }), 1)
      assert.equal(await works.count({ writer: { works: { stars: 1 } } }), 0)
      // Of the three rows, one refers to a writer of its own scope with this name.
      assert.deepEqual(
        await works.aggregate({}, { rows: { count: true }, own: { count: true, where: { writer: { name: 'Ann' } } } }),
        { rows: 3, own: 1 }
      )
      assert.deepEqual(await stars(works.find({ writer: null })), [12])
      assert.equal(await works.count({ $not: { 'writer.name': 'Ann' } }), 2)
      assert.equal(await writers.count({ works: { stars: { $gte: 0 } } }), 2)
      assert.equal(await shelves.count({ works: { stars: 1 } }), 0)
      assert.equal(await shelves.count({ works: { $exists: false, stars: 1 } }), 1)
    })
    await within('a', async () => {
      assert.equal(await writers.count({ works: { title: 'Stray' } }), 0)
      assert.equal(await writers.count({ $or: [{ works: { stars: 12 } }, { works: { stars: 2 } }] }), 1)
      assert.equal(await shelves.count({ works: { stars: 1 } }), 1)
    })
  },
  'a walk through a tree stays in the scope': async (context) => {
    const { within, across, writers, works } = context
    const { a, b } = await twins(context)
    const last = await within('a', () => writers.create({ name: 'Cleo', mentorId: a.pupil.id }))
    const names = async (rows: Promise<AnyRow[]>) => column(await rows, 'name').sort()
    // Each pupil gets a teacher of the other organization, as nothing forbids yet.
    await across(async () => {
      await writers.updateOne({ id: b.pupil.id }, { mentorId: a.writer.id })
      await writers.updateOne({ id: last.id }, { mentorId: b.pupil.id })
    })
    await within('a', async () => {
      assert.deepEqual(await names(writers.find({ $within: { name: 'Ann' } })), ['Ann', 'Ben'])
      assert.deepEqual(await names(writers.descendants(a.writer.id)), ['Ben'])
      assert.deepEqual(await names(writers.ancestors(last.id)), [])
      assert.deepEqual(await writers.descendants(b.writer.id), [])
      assert.deepEqual(await stars(works.find({ writer: { $within: { name: 'Ann' } } }, byStars)), [1, 2])
      assert.equal(await works.count({ writer: { $within: b.pupil.id } }), 0)
      assert.equal(await works.count({ writer: { $pathTo: last.id } }), 0)
    })
    await within('b', async () => {
      assert.deepEqual(await names(writers.ancestors(b.pupil.id)), [])
      assert.deepEqual(await names(writers.find({ $pathTo: { name: 'Ben' } })), ['Ben'])
    })
    assert.deepEqual(await across(() => names(writers.descendants(a.writer.id))), ['Ben', 'Ben', 'Cleo'])
    // Rows of other scopes are part of the tree.
    await refused(
      () => across(() => writers.updateOne({ id: a.writer.id }, { mentorId: last.id })),
      'SVC_ORM_TREE_CYCLE',
      409
    )
    await refused(() => writers.descendants(a.writer.id), 'SVC_ORM_NO_SCOPE', 500)
  },
  'a cursor of one scope shows nothing of it to another': async (context) => {
    const { within, works } = context
    await twins(context)
    const first = await within('a', () => works.page({}, { order: [['stars', 'ASC']], limit: 1 }))
    assert.deepEqual([column(first.items, 'stars'), typeof first.next], [[1], 'string'])
    const other = await within('b', () =>
      works.page({}, { order: [['stars', 'ASC']], limit: 9, after: first.next as string })
    )
    assert.deepEqual([column(other.items, 'stars'), other.next], [[10, 11], null])
  },
  'a stream stays in the scopes of its start, in whichever context its rows are taken': async (context) => {
    const { within, across, works } = context
    await within('a', () => works.createMany(Array.from({ length: 1500 }, (_, at) => ({ title: 'many', stars: at }))))
    await twins(context)
    const [mine, every] = [await within('b', async () => works.stream()), await across(async () => works.stream())]
    assert.deepEqual(column(await within('a', () => collected(mine)), 'organizationId'), ['b', 'b'])
    assert.equal((await collected(every)).length, 1504)
    const many = await within('a', async () => works.stream({ title: 'many' }))
    assert.equal((await within('b', () => collected(many))).length, 1500)
    const none = works.stream()
    await refused(() => within('a', () => collected(none)), 'SVC_ORM_NO_SCOPE', 500)
  },
  'across scopes every row is seen': async (context) => {
    const { across, within, works, writers } = context
    await twins(context)
    assert.deepEqual(await across(() => stars(works.find({}, byStars))), [1, 2, 10, 11])
    assert.deepEqual(await across(() => stars(works.find({ organizationId: 'a' }, byStars))), [1, 2])
    assert.deepEqual(await across(() => writers.distinct('organizationId')), ['a', 'b'])
    assert.deepEqual(await across(() => within('a', () => stars(works.find({}, byStars)))), [1, 2])
    await refused(() => works.find(), 'SVC_ORM_NO_SCOPE', 500)
  }
}
