/** Entities with a key of several fields: rows that they name, once each, on every engine. */
import assert from 'node:assert/strict'
import { atOnce } from 'svc-stores/conformance'
import type { AnyRow } from '../entities/row-of.ts'
import type { KeysetPage } from '../repository/repository.ts'
import { type CaseContext, type Cases, column, refused } from './conformance-suite.ts'

async function enrolled({ repository }: CaseContext) {
  const [students, courses, enrolments] = [repository('Student'), repository('Course'), repository('Enrolment')]
  const [ann, bob] = await students.createMany([{ name: 'Ann' }, { name: 'Bob' }])
  const [art, law] = await courses.createMany([{ title: 'Art' }, { title: 'Law' }])
  const ids = { ann: ann?.id as string, bob: bob?.id as string, art: art?.id as string, law: law?.id as string }
  await enrolments.createMany([
    { studentId: ids.ann, courseId: ids.art, grade: 1 },
    { studentId: ids.ann, courseId: ids.law, grade: 2 },
    { studentId: ids.bob, courseId: ids.law, grade: 3 }
  ])
  return { students, courses, enrolments, ...ids }
}

/** In the order of their key, which is not that of their creation. */
const PLACES = [
  ['a', 2],
  ['a', 10],
  ['b,c', 1],
  ['ä/%', -1]
] as const
const IDS = ['a,2', 'a,10', 'b%2Cc,1', '%C3%A4%2F%25,-1']

async function seated({ repository }: CaseContext) {
  const seats = repository('Seat')
  await seats.createMany(PLACES.map(([block, place], price) => ({ block, place, price })).toReversed())
  return seats
}

export const pairCases: Cases = {
  'key: rows are found by their fields, and by the id that is made of them': async (context) => {
    const { enrolments, ann, art, law } = await enrolled(context)
    const row = await enrolments.findOne({ studentId: ann, courseId: art })
    assert.deepEqual([row?.id, row?.grade], [`${ann},${art}`, 1])
    assert.deepEqual(await enrolments.findOne({ id: `${ann},${art}` }), row)
    assert.equal(await enrolments.count({ id: { $in: [`${ann},${art}`, `${ann},${law}`, 'none'] } }), 2)
    for (const id of [ann, `${ann},`, `${ann},${art},${law}`, 'x,y'])
      assert.equal(await enrolments.findOne({ id }), null)
    const seats = await seated(context)
    assert.deepEqual(column(await seats.find(), 'id'), IDS)
    for (const [index, id] of IDS.entries()) assert.equal((await seats.findOne({ id }))?.price, index)
    assert.equal(await seats.exists({ id: 'a,02' }), false)
  },
  'key: a row is there once, and its key does not change': async (context) => {
    const { enrolments, ann, bob, art } = await enrolled(context)
    const again = () => enrolments.create({ studentId: ann, courseId: art })
    await refused(again, 'SVC_ORM_UNIQUE', 409)
    await again().catch((error: { readonly fields: unknown }) =>
      assert.deepEqual(error.fields, ['studentId', 'courseId'])
    )
    await refused(() => enrolments.create({ studentId: ann }), 'SVC_ORM_VALUE', 400)
    await refused(() => enrolments.create({ id: `${bob},${bob}`, studentId: ann, courseId: art }), 'SVC_ORM_VALUE', 400)
    await refused(
      () => enrolments.updateOne({ studentId: ann, courseId: art }, { studentId: bob }),
      'SVC_ORM_VALUE',
      400
    )
    const made = await atOnce(20, () =>
      enrolments.create({ studentId: bob, courseId: art }).then(
        () => 1,
        () => 0
      )
    )
    assert.equal(made.filter((each) => each === 1).length, 1)
    assert.equal(await enrolments.count(), 4)
  },
  'key: changes, increments and deletions of one row': async (context) => {
    const { enrolments, ann, bob, art, law } = await enrolled(context)
    const key = { studentId: ann, courseId: art }
    assert.equal((await enrolments.updateOne(key, { grade: 5 }))?.grade, 5)
    assert.equal((await enrolments.increment({ id: `${ann},${art}` }, 'grade', 2))?.grade, 7)
    assert.equal(await enrolments.updateMany({ courseId: law }, { grade: 3 }), 2)
    assert.deepEqual(column(await enrolments.find({ studentId: bob }), 'grade'), [3])
    assert.equal(await enrolments.deleteOne(key), true)
    assert.equal(await enrolments.deleteOne(key), false)
    assert.equal(await enrolments.delete({ courseId: law }), 2)
  },
  'key: upserts find the row by it': async (context) => {
    const { enrolments, ann, bob, art, law } = await enrolled(context)
    const update = { update: true } as const
    assert.equal((await enrolments.upsert({ courseId: art, studentId: ann }, { grade: 6 }, update)).grade, 6)
    assert.equal(
      (
        await enrolments.upsert(
          { id: `${bob},${art}` },
          { studentId: bob, courseId: art, grade: 4 },
          { update: { grade: 5 } }
        )
      ).grade,
      4
    )
    assert.equal((await enrolments.upsert({ studentId: bob, courseId: art }, { grade: 9 })).grade, 4)
    assert.deepEqual(
      [await enrolments.count(), (await enrolments.findOne({ studentId: ann, courseId: law }))?.grade],
      [4, 2]
    )
  },
  'key: pages and streams go through all rows in its order': async (context) => {
    const seats = await seated(context)
    for (const order of [[['place', 'ASC']], [['block', 'DESC']], [['price', 'DESC']]] as const) {
      const seen: AnyRow[] = []
      let next: string | null = null
      do {
        const from: object = next === null ? {} : { after: next }
        const page: KeysetPage<AnyRow> = await seats.page({}, { order, limit: 1, ...from })
        seen.push(...page.items)
        next = page.next
      } while (next !== null)
      assert.deepEqual(column(seen, 'price').toSorted(), [0, 1, 2, 3], String(order))
      assert.deepEqual(
        column(seen, 'id'),
        column(await seats.find({}, { order: [...order, ['id', order[0][1]]] }), 'id'),
        String(order)
      )
    }
    const streamed: string[] = []
    for await (const { id } of seats.stream()) streamed.push(id)
    assert.deepEqual(streamed, IDS)
  },
  'key: relations of both sides, criteria through them, groups': async (context) => {
    const { students, courses, enrolments, art } = await enrolled(context)
    const order = [['name', 'ASC']] as const
    const read = await students.find({}, { order, include: { enrolments: { include: { course: true } } } })
    const titles = read.map((student) =>
      student.enrolments.map((each: AnyRow) => each.course.title as string).toSorted()
    )
    assert.deepEqual(titles, [['Art', 'Law'], ['Law']])
    assert.deepEqual(column(await students.find({ enrolments: { courseId: art } }), 'name'), ['Ann'])
    assert.deepEqual(column(await courses.find({ enrolments: { grade: { $gt: 2 } } }), 'title'), ['Law'])
    assert.equal(await enrolments.count({ 'student.name': 'Ann', 'course.title': 'Law' }), 1)
    const groups = await enrolments.groupBy({}, { by: ['studentId'], measures: { n: { count: true } } })
    assert.deepEqual(groups.map(({ n }) => n).toSorted(), [1, 2])
  },
  'key: rows follow the rows that they name': async (context) => {
    const { students, enrolments, ann, bob, art } = await enrolled(context)
    const seats = await seated(context)
    await seats.updateMany({ block: 'a' }, { holderId: ann })
    await refused(() => enrolments.create({ studentId: art, courseId: art }), 'SVC_ORM_REFERENCE_MISSING', 400)
    await students.deleteOne({ id: ann })
    assert.deepEqual(column(await enrolments.find(), 'studentId'), [bob])
    assert.equal(await seats.count({ holderId: null }), 4)
    assert.deepEqual(column(await seats.find({ block: 'a' }), 'version'), [3, 3])
  },
  'key: marks of deletion and versions': async (context) => {
    const seats = await seated(context)
    const key = { block: 'a', place: 2 }
    await refused(() => seats.updateOne(key, { price: 5, version: 7 }), 'SVC_ORM_VERSION', 409)
    assert.equal((await seats.updateOne(key, { price: 5, version: 1 }))?.version, 2)
    assert.equal(await seats.deleteOne(key), true)
    assert.equal(await seats.findOne(key), null)
    await refused(() => seats.create(key), 'SVC_ORM_UNIQUE', 409)
    assert.equal(await seats.restore(key), 1)
    assert.equal((await seats.findOne({ id: 'a,2' }))?.price, 5)
    await seats.deleteOne(key)
    assert.equal(await seats.purge(key), 1)
    assert.equal((await seats.create(key)).version, 1)
  }
}

/** Of servers with transactions. */
export const pairInTransactionCases: Cases = {
  'key: many rows are changed and merged by it': async (context) => {
    const { enrolments, ann, bob, art, law } = await enrolled(context)
    await enrolments.updateEach([
      { id: `${ann},${art}`, grade: 8 },
      { id: `${bob},${law}`, grade: 9 }
    ])
    const order = [['grade', 'ASC']] as const
    assert.deepEqual(column(await enrolments.find({}, { order }), 'grade'), [2, 8, 9])
    await enrolments.deleteOne({ studentId: bob, courseId: law })
    const rows = [
      { studentId: ann, courseId: law, grade: 20 },
      { studentId: bob, courseId: law, grade: 30 }
    ]
    const merged = await enrolments.upsertMany(rows, { on: ['studentId', 'courseId'], update: true })
    assert.deepEqual(column(merged, 'grade'), [20, 30])
    assert.deepEqual(column(await enrolments.find({}, { order }), 'grade'), [8, 20, 30])
  }
}
