/** Cases of the port: what goes in comes out, keys and unique columns hold, puts and guards are one step. */
import assert from 'node:assert/strict'
import { atMost, holding } from '../table/operators.ts'
import { atOnce } from './conformance-suite.ts'
import { columnOfRows, type TableCases, violates } from './table-fixtures.ts'

export const writingCases: TableCases = {
  'a row comes out as it went in, as a copy': async ({ notes, note }) => {
    const row = note({
      title: 'Zürich 😀',
      slug: 'z',
      bound: -3,
      ratio: 1e-9,
      open: false,
      day: new Date('2024-02-29T12:00:00.123Z'),
      tags: ['b', 'a', 'b'],
      accounts: [{ provider: 'idp', subject: 'x' }],
      free: { b: 1, a: { deep: [null, true, 'half \ud800', { $set: 1, 'a.b': 2 }] }, 10: 'ten' }
    })
    await notes.insert([row])
    const found = await notes.findOne({ id: row.id })
    assert.deepEqual(found, row)
    assert.equal(JSON.stringify(found?.free), JSON.stringify(row.free), 'keys keep their order')
    if (found !== null) Object.assign(found.tags, ['changed'])
    assert.deepEqual((await notes.findOne({ id: row.id }))?.tags, ['b', 'a', 'b'])
  },
  'many rows are inserted together or not at all': async ({ notes, note }) => {
    const rows = [note({ slug: 'one' }), note({ slug: 'two' }), note({ slug: 'one' })]
    await violates(() => notes.insert(rows), 'note', ['slug'])
    assert.equal(await notes.count({}), 0)
    await notes.insert(Array.from({ length: 250 }, (_, index) => note({ count: index })))
    assert.equal(await notes.count({}), 250)
  },
  'a key exists once, also for fifty callers at once': async ({ marks }) => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 50 }, (_, until) => marks.insert([{ id: 'same', until }]))
    )
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
    await violates(() => marks.insert([{ id: 'same', until: 0 }]), 'mark', ['id'])
  },
  'null never collides in a unique column; an item that is unique belongs to one row': async ({ notes, note }) => {
    const account = { provider: 'idp', subject: 'alice' }
    await notes.insert([note(), note(), note({ accounts: [account] })])
    await violates(() => notes.insert([note({ accounts: [account] })]), 'note', ['accounts'])
    await notes.insert([note({ accounts: [{ provider: 'other', subject: 'alice' }] })])
    assert.equal(await notes.count({}), 4)
  },
  'insertNew leaves what is there alone and says how many are new': async ({ marks }) => {
    assert.equal(
      await marks.insertNew([
        { id: 'a', until: 1 },
        { id: 'b', until: 1 }
      ]),
      2
    )
    assert.equal(
      await marks.insertNew([
        { id: 'a', until: 2 },
        { id: 'c', until: 2 }
      ]),
      1
    )
    assert.equal(await marks.insertNew([]), 0)
    assert.deepEqual(columnOfRows(await marks.find({}), 'until'), [1, 1, 2])
  },
  'insertIfAbsent answers the row that stands: one of fifty callers inserts': async ({ notes, note }) => {
    const rows = await atOnce(50, () => notes.insertIfAbsent(note({ slug: 'same' }), ['slug']))
    assert.equal(new Set(columnOfRows(rows, 'id')).size, 1)
    assert.equal(await notes.count({}), 1)
  },
  'put inserts, replaces, keeps and takes the greater of both': async ({ notes, note }) => {
    const first = note({ title: 'first', count: 5, at: 1, tags: ['x'] })
    assert.deepEqual(await notes.put(first), first)
    const second = { ...first, title: 'second', count: 3, at: 2, bound: 7, tags: ['y'] }
    const stands = await notes.put(second, { keep: ['at'], max: ['count'] })
    assert.deepEqual(stands, { ...second, at: 1, count: 5 })
    assert.deepEqual(await notes.findOne({ id: first.id }), stands)
    assert.equal(await notes.count({}), 1)
  },
  'a guard refuses a put, and of fifty callers lets one through': async ({ marks }) => {
    const taken = await atOnce(50, () => marks.put({ id: 'm', until: 100 }, { guard: { until: atMost(10) } }))
    assert.equal(taken.filter((row) => row !== null).length, 1)
    assert.equal(await marks.put({ id: 'm', until: 200 }, { guard: { until: atMost(10) } }), null)
    const expired = await atOnce(50, (index) =>
      marks.put({ id: 'm', until: 300 + index }, { guard: { until: atMost(100) } })
    )
    assert.equal(expired.filter((row) => row !== null).length, 1)
    assert.equal(await marks.count({}), 1)
  },
  'put with a change: inserts, or changes the row that holds a unique value': async ({ notes, note }) => {
    const first = note({ slug: 's', title: 'first', count: 5, tags: ['x'] })
    const change = { set: { title: 'changed', tags: ['y'] }, add: { count: 2 }, max: { bound: 3 } }
    assert.deepEqual(await notes.put(first, { by: ['slug'], change }), first)
    const second = note({ slug: 's', title: 'second', count: 9 })
    const stands = await notes.put(second, { by: ['slug'], change })
    assert.deepEqual(stands, { ...first, title: 'changed', tags: ['y'], count: 7, bound: 3 })
    assert.deepEqual(await notes.findOne({ tags: holding('y') }), stands)
    assert.equal(await notes.exists({ tags: holding('x') }), false)
    const multiplied = await notes.put(first, { change: { mul: { count: '-0.5' } } })
    assert.deepEqual(multiplied, { ...stands, count: -4 })
    assert.deepEqual(await notes.put(second, { by: ['slug'], change: {} }), multiplied)
    const guarded = { by: ['slug'], change, guard: { count: 7 } } as const
    assert.equal(await notes.put(second, guarded), null)
    assert.deepEqual(await notes.findOne({ slug: 's' }), multiplied)
    await violates(() => notes.put(note({ id: first.id, slug: 'other' }), { by: ['slug'], change }), 'note', ['id'])
    assert.equal(await notes.count({}), 1)
  },
  'of fifty callers one puts a row, and each other one changes it': async ({ notes, note }) => {
    const options = { by: ['slug'], change: { add: { count: 1 } } } as const
    await atOnce(50, () => notes.put(note({ slug: 'same', count: 1 }), options))
    assert.deepEqual(columnOfRows(await notes.find({}), 'count'), [50])
  },
  'delete says how many; a bound removes so many; deleteOne answers the row as it was': async ({ notes, note }) => {
    const rows = Array.from({ length: 7 }, (_, index) => note({ count: index, tags: [`t${index}`] }))
    await notes.insert(rows)
    assert.equal(await notes.delete({ count: atMost(3) }, 3), 3)
    assert.equal(await notes.delete({ count: atMost(3) }), 1)
    assert.deepEqual(await notes.deleteOne({ state: 'new' }), rows[4])
    assert.equal(await notes.deleteOne({ count: 0 }), null)
    assert.equal(await notes.delete({ count: 0 }), 0)
    assert.equal(await notes.count({}), 2)
  }
}
