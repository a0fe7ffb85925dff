/** Many rows at once within a scope, groups by rows that are referred to, and running totals. */
import assert from 'node:assert/strict'
import { column, refused } from './conformance-suite.ts'
import { allWorks, type ScopeCases, twins } from './scope-fixtures.ts'

const BY_KEY = { on: ['title', 'code'], update: true } as const

/** Of servers with transactions. */
export const scopeManyCases: ScopeCases = {
  'rows of another scope are not changed among many': async (context) => {
    const { within, works } = context
    const { a, b } = await twins(context)
    const before = await allWorks(context)
    const own = { id: b.first.id, stars: 20 }
    await refused(() => works.updateEach([own]), 'SVC_ORM_NO_SCOPE', 500)
    await within('b', async () => {
      await refused(() => works.updateEach([own, { id: a.first.id, stars: 9 }]), 'SVC_ORM_ROWS', 404)
      await refused(() => works.updateEach([{ ...own, organizationId: 'a' }]), 'SVC_ORM_ROWS', 400)
      const taken = [{ id: a.first.id, title: 'Uno' }]
      await refused(() => works.upsertMany(taken, { on: ['id'], update: true }), 'SVC_ORM_ROWS', 409)
      await refused(() => works.upsertMany(taken, { on: ['id'] }), 'SVC_ORM_ROWS', 409)
      await refused(
        () => works.upsertMany([{ title: 'x', code: 'x', organizationId: 'a' }], BY_KEY),
        'SVC_ORM_VALUE',
        400
      )
    })
    assert.deepEqual(await allWorks(context), before)
    await within('b', async () => {
      assert.deepEqual(column(await works.updateEach([own]), 'stars'), [20])
    })
    const after = before.map((row) => (row.id === own.id ? { ...row, stars: 20 } : row))
    assert.deepEqual(column(await allWorks(context), 'id').toSorted(), column(after, 'id').toSorted())
    const held = (await allWorks(context)).find(({ id }) => id === own.id)
    assert.deepEqual([held?.stars, held?.organizationId], [20, 'b'])
  },
  'many rows are created in their scope, and find the key of it': async (context) => {
    const { within, across, works } = context
    const { a, b } = await twins(context)
    await refused(() => works.upsertMany([{ title: 'One', code: '1' }], BY_KEY), 'SVC_ORM_NO_SCOPE', 500)
    const given = [
      { title: 'New', code: '9', stars: 30 },
      { title: 'One', code: '1', stars: 31 }
    ]
    const written = await within('b', () => works.upsertMany(given, BY_KEY))
    assert.deepEqual(column(written, 'organizationId'), ['b', 'b'])
    assert.deepEqual([written[1]?.id, column(written, 'stars')], [b.first.id, [30, 31]])
    assert.equal((await within('a', () => works.findOne({ id: a.first.id })))?.stars, 1)
    const kept = await within('a', () => works.upsertMany(given, { on: ['title', 'code'] }))
    assert.deepEqual([kept[1]?.id, column(kept, 'stars')], [a.first.id, [30, 1]])
    await across(async () => {
      await refused(() => works.upsertMany(given, BY_KEY), 'SVC_ORM_VALUE', 400)
      const both = ['a', 'b'].map((organizationId) => ({ title: 'One', code: '1', stars: 40, organizationId }))
      const rows = await works.upsertMany(both, BY_KEY)
      assert.deepEqual(column(rows, 'id'), [a.first.id, b.first.id])
    })
  },
  'groups and totals are of rows of the scope': async (context) => {
    const { within, across, works } = context
    const { a, b } = await twins(context)
    const by = ['writer.slug', 'writer.mentor.slug']
    const measures = { stars: { sum: 'stars' } } as const
    const grouped = async () =>
      (await works.groupBy({}, { by, measures } as never)).map((group: object) => ({ ...group }))
    await refused(grouped, 'SVC_ORM_NO_SCOPE', 500)
    const ofB = [
      { 'writer.slug': 'ann', 'writer.mentor.slug': null, stars: 10 },
      { 'writer.slug': 'ben', 'writer.mentor.slug': 'ann', stars: 11 }
    ]
    assert.deepEqual(await within('b', grouped), ofB)
    // A reference into another scope leads to no row.
    await across(() => works.updateMany({ id: b.first.id }, { writerId: a.writer.id }))
    const lost = { 'writer.slug': null, 'writer.mentor.slug': null, stars: 10 }
    assert.deepEqual(await within('b', grouped), [lost, ofB[1]])
    const running = { all: { sum: 'stars' } } as const
    const [last] = await within('b', () => works.find({}, { order: [['stars', 'ASC']], running, offset: 1 }))
    assert.deepEqual(last?.running, { all: 21 })
  }
}
