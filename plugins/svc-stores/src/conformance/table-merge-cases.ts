/** Cases of the port: many rows written by their keys, those that are there and those that are not. */
import assert from 'node:assert/strict'
import { mergeRows } from '../table/merge.ts'
import { holding } from '../table/operators.ts'
import type { Table } from '../table/table.ts'
import { columnOfRows, type Note, type TableCases, violates } from './table-fixtures.ts'

const byId = <Row extends { readonly id: string }>(rows: readonly Row[]) =>
  rows.toSorted((a, b) => (a.id < b.id ? -1 : 1))

const listed = (notes: Table<Note>) => notes.find({}, { order: [{ field: 'at', direction: 'ASC' }] })

export const mergeCases: TableCases = {
  'existing rows take values of their own, of each type': async ({ notes, note }) => {
    const rows = byId([note({ at: 1, slug: 'x' }), note({ at: 2, tags: ['old'] }), note({ at: 3, title: 'stays' })])
    await notes.insert(rows)
    const [first, second, third] = rows as [Note, Note, Note]
    const values = {
      title: 'Zürich 😀 %_\\',
      slug: null,
      state: "it's",
      count: -7,
      bound: 9_007_199_254_740_991,
      ratio: 1e-9,
      open: false,
      at: 4,
      day: new Date('2024-02-29T12:00:00.123Z'),
      tags: ['b', 'a', 'b'],
      accounts: [{ provider: 'idp', subject: 'x' }],
      free: { b: 1, a: { deep: [null, true, { $set: 1, 'a.b': 2 }] } }
    }
    const changed = [
      { ...first, ...values },
      { ...second, slug: 'y', tags: ['new'], day: null }
    ]
    const take = Object.keys(values) as (keyof Note)[]
    const merged = await mergeRows(notes, changed, { by: ['id'], take, insert: false })
    assert.deepEqual(byId(merged), changed)
    assert.deepEqual(byId(await notes.find({})), [...changed, third])
    assert.deepEqual(columnOfRows(await notes.find({ tags: holding('a') }), 'id'), [first.id])
    assert.deepEqual(columnOfRows(await notes.find({ tags: holding('new') }), 'id'), [second.id])
    assert.equal(await notes.count({ tags: holding('old') }), 0)
    assert.equal(await notes.count([{ field: 'title', operator: 'contains', text: 'zürich' }]), 1)
  },
  'a row that is not there, holds something else, or does not meet the guard stays out': async ({ notes, note }) => {
    const rows = [note({ at: 1, count: 1 }), note({ at: 2, count: 2 }), note({ at: 3, count: 3, open: false })]
    await notes.insert(rows)
    const given = [...rows, note({ at: 4, count: 1 })].map((row) => ({ ...row, state: `new ${row.at}` }))
    const read = given.map((row) => (row.at === 2 ? { ...row, count: 9 } : row))
    const guard = { open: true }
    const merge = {
      by: ['id'],
      take: ['state'],
      held: ['count'],
      guard,
      change: { add: { count: 10 } },
      insert: false
    } as const
    const merged = await mergeRows(notes, read as Note[], merge)
    assert.deepEqual(merged, [{ ...rows[0], state: 'new 1', count: 11 }])
    const held = (await listed(notes)).map(({ state, count }) => [state, count])
    assert.deepEqual(held, [
      ['new 1', 11],
      ['new', 2],
      ['new', 3]
    ])
    const nothing = await mergeRows(notes, [rows[0] as Note], { by: ['id'], take: [], insert: false })
    assert.deepEqual(columnOfRows(nothing, 'count'), [11], 'nothing is taken')
    assert.deepEqual(await mergeRows(notes, [], merge), [])
  },
  'rows that are not there are inserted, and the others changed': async ({ notes, note }) => {
    const there = note({ at: 1, slug: 'a', count: 1, tags: ['kept'] })
    await notes.insert([there, note({ at: 9, slug: null })])
    const given = [
      note({ at: 2, slug: 'a', count: 5, title: 'taken' }),
      note({ at: 3, slug: 'b', count: 5, tags: ['t'] })
    ]
    const merge = { by: ['slug'], take: ['title'], change: { add: { count: 10 } }, insert: true } as const
    const merged = await mergeRows(notes, given, merge)
    const changed = { ...there, title: 'taken', count: 11 }
    assert.deepEqual(
      merged.toSorted((a, b) => a.at - b.at),
      [changed, given[1]]
    )
    assert.deepEqual(columnOfRows(await listed(notes), 'slug'), ['a', 'b', null])
    assert.deepEqual(columnOfRows(await notes.find({ tags: holding('t') }), 'slug'), ['b'])
    assert.deepEqual(columnOfRows(await notes.find({ tags: holding('kept') }), 'slug'), ['a'])
    const guarded = { ...merge, guard: { open: false } }
    assert.deepEqual(await mergeRows(notes, [note({ slug: 'a' })], guarded), [])
    const outdated = await mergeRows(notes, [note({ slug: 'a', count: 3 })], { ...merge, held: ['count'] })
    assert.deepEqual(outdated, [])
    assert.deepEqual(await notes.findOne({ slug: 'a' }), changed)
  },
  'without anything to take, existing rows come as they are': async ({ marks, notes, note }) => {
    await marks.insert([{ id: 'a', until: 1 }])
    const given = ['a', 'b'].map((id) => ({ id, until: 2 }))
    const merged = await mergeRows(marks, given, { by: ['id'], take: [], insert: true })
    assert.deepEqual(byId(merged), [
      { id: 'a', until: 1 },
      { id: 'b', until: 2 }
    ])
    const again = await mergeRows(marks, given, { by: ['id'], take: ['until'], insert: true })
    assert.deepEqual(byId(again), given)
    const there = note({ slug: 'a', open: false })
    await notes.insert([there])
    const rows = [note({ slug: 'a', open: true }), note({ slug: 'b' })]
    const held = { by: ['slug'], take: [], held: ['open'], insert: true } as const
    assert.deepEqual(columnOfRows(await mergeRows(notes, rows, held), 'slug'), ['b'])
    const guarded = { by: ['slug'], take: [], guard: { open: false }, insert: true } as const
    assert.deepEqual(await mergeRows(notes, [note({ slug: 'a' })], guarded), [there])
  },
  'more rows than a statement takes': async ({ notes, note }) => {
    const rows = Array.from({ length: 230 }, (_, at) => note({ at, slug: `s${at}` }))
    await notes.insert(rows.slice(0, 115))
    const given = rows.map((row) => ({ ...row, count: row.at }))
    const merged = await mergeRows(notes, given, { by: ['id'], take: ['count'], insert: true })
    assert.equal(merged.length, 230)
    assert.deepEqual(
      columnOfRows(await listed(notes), 'count'),
      rows.map(({ at }) => at)
    )
    const turned = rows.map((row) => ({ ...row, slug: `t${row.at}` }))
    assert.equal((await mergeRows(notes, turned, { by: ['id'], take: ['slug'], insert: false })).length, 230)
    assert.equal((await notes.findOne({ slug: 't229' }))?.at, 229)
  },
  'what another row holds is refused': async ({ notes, note }) => {
    const rows = [note({ slug: 'a', at: 1 }), note({ slug: 'b', at: 2 })]
    await notes.insert(rows)
    const taken = [{ ...(rows[0] as Note), slug: 'b' }]
    await violates(() => mergeRows(notes, taken, { by: ['id'], take: ['slug'], insert: false }), 'note', ['slug'])
    const made = [note({ slug: 'b' })]
    await violates(() => mergeRows(notes, made, { by: ['id'], take: ['title'], insert: true }), 'note', ['slug'])
    assert.deepEqual(columnOfRows(await listed(notes), 'slug'), ['a', 'b'])
  }
}
