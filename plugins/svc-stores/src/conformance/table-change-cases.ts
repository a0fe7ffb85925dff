/** Cases of the port: changes are decided on what stands, and lose nothing among many callers. */
import assert from 'node:assert/strict'
import { above, atLeast, held, holding, holdingItem, lackingItem } from '../table/operators.ts'
import { atOnce } from './conformance-suite.ts'
import { columnOfRows, type TableCases, violates } from './table-fixtures.ts'

export const changeCases: TableCases = {
  'set, add, max and min; null counts as 0 and takes a bound': async ({ notes, note }) => {
    const row = note({ count: 5, slug: 's' })
    await notes.insert([row, note({ count: 100 })])
    const where = { id: row.id }
    assert.equal(await notes.update(where, { set: { title: 'new', slug: null, day: new Date(5) } }), 1)
    assert.equal(await notes.update(where, { add: { count: 2, ratio: 0.25 } }), 1)
    assert.equal(await notes.update(where, { max: { bound: 4, at: 1 } }), 1)
    const changed = await notes.updateOne(where, { max: { bound: 3 }, min: { at: 7 }, set: { open: false } })
    const expected = { ...row, title: 'new', slug: null, day: new Date(5), count: 7, ratio: 0.75, bound: 4 }
    assert.deepEqual(changed, { ...expected, at: 7, open: false })
    assert.deepEqual(await notes.findOne(where), changed)
    assert.equal(await notes.updateOne({ count: -1 }, { set: { count: 0 } }), null)
    assert.equal(await notes.update({ count: -1 }, { set: { count: 0 } }), 0)
  },
  'mul: integers are rounded half away from zero, floats are not; null stays null': async ({ notes, note }) => {
    const row = note({ count: 5, ratio: 0.5 })
    await notes.insert([row, note({ count: 100 })])
    const where = { id: row.id }
    assert.equal(await notes.update(where, { mul: { count: '0.5', bound: '3', ratio: 3 } }), 1)
    assert.deepEqual(await notes.findOne(where), { ...row, count: 3, ratio: 1.5 })
    const change = { mul: { count: '-1.5' }, add: { bound: 4 }, set: { slug: 's', day: null }, max: { at: row.at + 1 } }
    const changed = await notes.updateOne(where, change)
    assert.deepEqual(changed, { ...row, count: -5, ratio: 1.5, at: row.at + 1, slug: 's', bound: 4 })
    assert.deepEqual(await notes.findOne(where), changed)
    assert.equal((await notes.updateOne(where, { mul: { count: '2' }, min: { bound: 3 } }))?.bound, 3)
    const [claimed] = await notes.claim({ count: -10 }, { mul: { count: '0.05' }, set: { state: 'mine' } }, 1)
    assert.deepEqual([claimed?.count, claimed?.state], [-1, 'mine'])
  },
  'update says how many rows matched; of several, updateOne takes the first by key': async ({ notes, note }) => {
    const rows = [note({ count: 1 }), note({ count: 1 }), note({ count: 2 })]
    await notes.insert(rows)
    assert.equal(await notes.update({ count: 1 }, { set: { count: 1 } }), 2)
    assert.equal((await notes.updateOne({ count: 1 }, { add: { count: 10 } }))?.id, rows[0]?.id)
    assert.equal(await notes.update({ count: atLeast(0) }, { set: { state: 'old' } }), 3)
  },
  'items are pushed and pulled where conditions hold, also in unique lists': async ({ notes, note }) => {
    const account = { provider: 'idp', subject: 'alice' }
    const [own, other] = [note({ tags: ['a'] }), note()]
    await notes.insert([own, other])
    const free = { id: own.id, accounts: lackingItem(account) }
    assert.equal(await notes.update(free, { push: { accounts: account }, set: { count: 1 } }), 1)
    assert.equal(await notes.update(free, { push: { accounts: account } }), 0)
    await violates(() => notes.update({ id: other.id }, { push: { accounts: account } }), 'note', ['accounts'])
    assert.deepEqual((await notes.findOne({ accounts: holdingItem(account) }))?.id, own.id)
    await notes.update({ id: own.id }, { push: { tags: 'b' } })
    assert.deepEqual((await notes.findOne({ tags: holding('b') }))?.tags, ['a', 'b'])
    assert.equal(await notes.update({ id: own.id }, { pull: { accounts: account, tags: 'a' } }), 1)
    const pulled = await notes.findOne({ id: own.id })
    assert.deepEqual([pulled?.accounts, pulled?.tags], [[], ['b']])
    await notes.update({ id: other.id }, { push: { accounts: account } })
    await notes.update({ id: other.id }, { set: { accounts: [], tags: ['c'] } })
    assert.equal(await notes.exists({ accounts: holdingItem(account) }), false)
    assert.equal(await notes.count({ tags: holding('b', 'c') }), 2)
    await notes.delete({ id: own.id })
    assert.equal(await notes.count({ tags: holding('b', 'c') }), 1)
  },
  'a unique value is refused to a change, and nothing is written': async ({ notes, note }) => {
    const [one, two] = [note({ slug: 'one' }), note({ slug: 'two' })]
    await notes.insert([one, two])
    await violates(() => notes.update({ id: two.id }, { set: { slug: 'one', count: 9 } }), 'note', ['slug'])
    assert.deepEqual(await notes.findOne({ id: two.id }), two)
  },
  'fifty callers at once: no increment is lost, one compare-and-set wins, one pulls an item': async ({
    notes,
    note
  }) => {
    const row = note({ tags: ['once'], open: true })
    await notes.insert([row])
    const where = { id: row.id }
    const sums = await atOnce(50, () => notes.updateOne(where, { add: { count: 1 } }))
    assert.equal(new Set(sums.map((each) => each?.count)).size, 50)
    const closed = await atOnce(50, () => notes.update({ ...where, open: true }, { set: { open: false } }))
    assert.equal(closed.filter((count) => count === 1).length, 1)
    const pulled = await atOnce(50, () => notes.update({ ...where, tags: holding('once') }, { pull: { tags: 'once' } }))
    assert.equal(pulled.filter((count) => count === 1).length, 1)
    await atOnce(50, (index) => notes.update(where, { max: { bound: index } }))
    assert.equal((await notes.findOne(where))?.bound, 49)
  },
  'claim gives each row to one caller, in order': async ({ notes, note }) => {
    await notes.insert(Array.from({ length: 30 }, (_, index) => note({ count: index, at: 30 - index })))
    const order = [
      { field: 'at', direction: 'ASC' },
      { field: 'id', direction: 'ASC' }
    ] as const
    const free = { state: 'new', count: above(-1) }
    const [first] = await notes.claim(free, { set: { state: 'mine', bound: 1 } }, 1, order)
    assert.deepEqual([first?.count, first?.state, first?.bound], [29, 'mine', 1])
    const claimed = await atOnce(10, () => notes.claim(free, { set: { state: 'mine', bound: 2 } }, 3, order))
    // Callers at once may step around rows that another one holds, and so leave some for later.
    const rest = await notes.claim(free, { set: { state: 'mine', bound: 2 } }, 100, order)
    const taken = columnOfRows([...claimed.flat(), ...rest], 'count')
    assert.equal(taken.length, 29)
    assert.equal(new Set(taken).size, 29)
    assert.deepEqual(await notes.claim(free, { set: { state: 'mine' } }, 3, order), [])
    assert.equal(await notes.count({ bound: held }), 30)
  }
}
