/** Cases of the port: which rows a condition takes, orders, pages and counts. */
import assert from 'node:assert/strict'
import type { Condition } from '../table/condition.ts'
import { joinedLookup } from '../table/joined-lookup.ts'
import {
  above,
  after,
  all,
  any,
  atLeast,
  below,
  containing,
  except,
  given,
  held,
  holding,
  holdingItem,
  isNull,
  lackingItem,
  not,
  oneOf,
  startingWith
} from '../table/operators.ts'
import type { Where } from '../table/where.ts'
import {
  columnOfRows,
  type Mark,
  markPlan,
  type Note,
  notePlan,
  type TableCases,
  type TableContext
} from './table-fixtures.ts'

async function counts({ notes }: TableContext, where: Where<Note>): Promise<number[]> {
  return columnOfRows(await notes.find(where), 'count')
}

/** Prototypes are the driver's. */
const groups = (made: readonly object[]) => made.map((group) => ({ ...group }))

export const conditionCases: TableCases = {
  'equality, null, ranges, lists and their joins': async (context) => {
    const { notes, note } = context
    await notes.insert([
      note({ count: 1, slug: 'a', bound: 10, day: new Date(10), state: 'x' }),
      note({ count: 2, slug: 'b', bound: 20, day: new Date(20), state: 'x', open: false }),
      note({ count: 3, slug: null, bound: null, day: null, state: 'y' })
    ])
    const expected: [Where<Note>, number[]][] = [
      [{}, [1, 2, 3]],
      [{ state: 'x', open: true }, [1]],
      [{ slug: isNull }, [3]],
      [{ slug: held }, [1, 2]],
      [{ slug: not('a') }, [2, 3]],
      [{ bound: above(10) }, [2]],
      [{ bound: atLeast(10) }, [1, 2]],
      [{ bound: below(20) }, [1]],
      [{ day: below(new Date(20)) }, [1]],
      [{ day: new Date(20) }, [2]],
      [{ at: above(0) }, [1, 2, 3]],
      [{ count: oneOf([1, 3]) }, [1, 3]],
      [{ count: oneOf([]) }, []],
      [any<Note>({ count: 1 }, { state: 'y' }), [1, 3]],
      [any<Note>(), []],
      [all<Note>({ state: 'x' }, any<Note>({ count: 2 }, { count: 3 })), [2]],
      [any<Note>(all<Note>({ state: 'x' }, { count: 2 }), { slug: isNull }), [2, 3]],
      [any<Note>({}), [1, 2, 3]],
      [except<Note>({}), []],
      [except<Note>({ bound: above(10) }), [1, 3]],
      [except<Note>({ state: 'x', open: true }), [2, 3]],
      [all<Note>(except<Note>({ slug: isNull }), except<Note>({ count: 1 })), [2]],
      [[{ field: 'slug', operator: 'in', values: ['a'], orNull: true }] satisfies Condition[], [1, 3]],
      [[{ field: 'slug', operator: 'nin', values: ['a'], orNull: false }] satisfies Condition[], [2, 3]],
      [[{ field: 'slug', operator: 'nin', values: ['a'], orNull: true }] satisfies Condition[], [2]],
      [[{ field: 'title', operator: 'like', pattern: 'a _ote' }] satisfies Condition[], [1, 2, 3]]
    ]
    for (const [where, counted] of expected)
      assert.deepEqual(await counts(context, where), counted, JSON.stringify(where))
  },
  'what no column could hold matches nothing, and is never an operator': async (context) => {
    const { notes, note } = context
    await notes.insert([note({ count: 1 })])
    const forged = { $ne: '' } as unknown as string
    assert.deepEqual(await counts(context, { slug: null as unknown as string }), [], 'null is asked for by name')
    for (const id of [forged, undefined as unknown as string, 'no id', 'a\0b', '\ud800', 1 as unknown as string]) {
      assert.deepEqual(await counts(context, { id }), [], JSON.stringify(id))
      assert.deepEqual(await counts(context, { title: id === 'no id' ? 'none' : id }), [], JSON.stringify(id))
    }
    assert.deepEqual(await counts(context, given({ state: undefined, count: 1 }) as Where<Note>), [1])
    await assert.rejects(async () => notes.find({ unknown: 1 } as unknown as Where<Note>), TypeError)
  },
  'items of lists: texts, and objects by some of their values': async (context) => {
    const { notes, note } = context
    const [alice, bob] = [
      { provider: 'idp', subject: 'alice' },
      { provider: 'idp', subject: 'bob' }
    ]
    await notes.insert([
      note({ count: 1, tags: ['red', 'blue'], accounts: [alice] }),
      note({ count: 2, tags: ['blue'], accounts: [bob] }),
      note({ count: 3 })
    ])
    assert.deepEqual(await counts(context, { tags: holding('red') }), [1])
    assert.deepEqual(await counts(context, { tags: holding('red', 'blue') }), [1, 2])
    assert.deepEqual(await counts(context, { tags: holding('re') }), [])
    assert.deepEqual(await counts(context, { accounts: holdingItem(alice) }), [1])
    assert.deepEqual(await counts(context, { accounts: holdingItem({ provider: 'alice', subject: 'idp' }) }), [])
    assert.deepEqual(await counts(context, { accounts: lackingItem(alice) }), [2, 3])
    assert.deepEqual(await counts(context, all<Note>({ tags: holding('blue') }, { accounts: lackingItem(bob) })), [1])
  },
  'searches take every character for itself, in any case of any script': async (context) => {
    const { notes, note } = context
    const titles = ['ÄRGER 100% sicher', 'a_b.c*', '[x](y)\\z', 'plain']
    await notes.insert(titles.map((title, count) => note({ title, count })))
    const expected: [string, number[]][] = [
      ['ärger', [0]],
      ['100%', [0]],
      ['A_B', [1]],
      ['a.b', []],
      ['c*', [1]],
      ['(Y)\\', [2]],
      ['PLAIN', [3]]
    ]
    for (const [term, counted] of expected)
      assert.deepEqual(await counts(context, { title: containing(term) }), counted, term)
    assert.deepEqual(await counts(context, { title: startingWith('är') }), [0])
    assert.deepEqual(await counts(context, { title: startingWith('100') }), [])
  },
  'orders, offsets, pages by offset and by key; hidden columns are not there': async ({ notes, note }) => {
    const rows = Array.from({ length: 9 }, (_, index) => note({ count: index, at: index % 3, slug: `s${index}` }))
    await notes.insert(rows)
    const order = [
      { field: 'at', direction: 'DESC' },
      { field: 'id', direction: 'DESC' }
    ] as const
    const sorted = columnOfRows(await notes.find({}, { order }), 'count')
    assert.deepEqual(sorted, [8, 5, 2, 7, 4, 1, 6, 3, 0])
    assert.deepEqual(columnOfRows(await notes.find({}, { order, limit: 2, offset: 3 }), 'count'), [7, 4])
    const paged: number[] = []
    for (let where: Where<Note> = {}; ; ) {
      const page = await notes.find(where, { order, limit: 2 })
      paged.push(...columnOfRows(page, 'count'))
      const last = page.at(-1)
      if (last === undefined) break
      where = all<Note>({ state: 'new' }, after(order, last))
    }
    assert.deepEqual(paged, sorted)
    const [hidden] = await notes.find({ count: 1 }, { without: ['slug', 'free'] })
    assert.equal(hidden !== undefined && ('slug' in hidden || 'free' in hidden), false)
  },
  'a row with what belongs to it in other tables': async ({ notes, marks, note }) => {
    const [own, other] = [note({ title: 'm1', slug: 's', tags: ['t'] }), note({ title: 'nowhere', slug: 'lonely' })]
    await notes.insert([own, other, note({ title: 'm1' })])
    await marks.insert([
      { id: 'm1', until: 1 },
      { id: 's', until: 2 }
    ])
    const joins = [
      { table: marks, column: 'id', on: 'title' },
      { table: marks, column: 'id', on: 'slug' },
      { table: notes, column: 'slug', on: 'slug' }
    ] as const
    const find = joinedLookup<Note, readonly [Mark, Mark, Note]>(notes, joins)
    assert.deepEqual(await find({ slug: 's' }), [own, { id: 'm1', until: 1 }, { id: 's', until: 2 }, own])
    assert.deepEqual(await find({ id: other.id }), [other, null, null, other])
    assert.deepEqual((await find({ title: 'm1' }))?.[0], own, 'the first by key')
    assert.equal((await find({ slug: isNull }))?.[2], null, 'null belongs to nothing')
    assert.equal(await find({ slug: 'none' }), null)
    await assert.rejects(async () => find({ unknown: 1 } as unknown as Where<Note>), TypeError)
  },
  'rows by what other tables hold, in what reads and in what writes': async (context) => {
    const { notes, marks, note } = context
    await notes.insert([
      note({ count: 1, title: 'm1', slug: 'x' }),
      note({ count: 2, title: 'm2', slug: 'm1' }),
      note({ count: 3, title: 'm3' })
    ])
    await marks.insert([
      { id: 'm1', until: 1 },
      { id: 'm2', until: 2 }
    ])
    const marked = (field: string, of: readonly Condition[] = []): Condition => {
      return { operator: 'related', field, table: markPlan, column: 'id', of }
    }
    const late: Condition = { field: 'until', operator: 'gt', value: 1 }
    assert.deepEqual(await counts(context, [marked('title')]), [1, 2])
    assert.deepEqual(await counts(context, [marked('title', [late])]), [2])
    assert.deepEqual(await counts(context, [marked('slug')]), [2])
    assert.deepEqual(
      await counts(context, [{ operator: 'not', of: [marked('slug')] }]),
      [1, 3],
      'null belongs to nothing'
    )
    const own: Condition = { operator: 'related', field: 'id', table: notePlan, column: 'id', of: [marked('title')] }
    assert.deepEqual(
      await counts(context, [
        own,
        { operator: 'any', of: [[marked('slug')], [{ field: 'count', operator: 'gt', value: 2 }]] }
      ]),
      [2]
    )
    assert.equal(await notes.update([marked('title')], { set: { state: 'marked' } }), 2)
    assert.equal((await notes.claim([marked('title')], { set: { open: false } }, 5)).length, 2)
    assert.equal(await notes.delete([{ operator: 'not', of: [marked('title')] }]), 1)
    assert.deepEqual({ ...(await notes.counts({}, { late: [marked('title', [late])] })) }, { total: 2, late: 1 })
  },
  'what is found by a unique column is a copy, and none where another has the value': async ({ notes, note }) => {
    const row = note({ slug: 's', tags: ['t'], free: { deep: [1] } })
    await notes.insert([row])
    const found = (await notes.findOne({ slug: 's' })) as unknown as {
      title: string
      tags: string[]
      free: { deep: number[] }
    }
    found.title = 'changed'
    found.tags.push('changed')
    found.free.deep.push(2)
    assert.deepEqual(await notes.findOne({ id: row.id }), row)
    await notes.update({ id: row.id }, { set: { slug: 'moved' } })
    assert.equal(await notes.findOne({ slug: 's' }), null)
    assert.equal((await notes.findOne({ slug: 'moved' }))?.id, row.id)
    for (const slug of [null, undefined, { $ne: '' }, ['moved']]) {
      assert.equal(await notes.findOne({ slug } as unknown as Where<Note>), null, JSON.stringify(slug))
    }
  },
  'findHolding, where a driver has it: the row that is named, if it holds the text': async ({ notes, note }) => {
    if (notes.findHolding === undefined) return
    const row = note({ slug: 's', state: 'a', title: 'One' })
    await notes.insert([row, note({ state: 'a' })])
    assert.deepEqual(await notes.findHolding({ id: row.id }, 'state', 'a'), row)
    assert.deepEqual(await notes.findHolding({ slug: 's', title: 'One' }, 'state', 'a'), row)
    for (const [where, column, text] of [
      [{ id: row.id }, 'state', 'b'],
      [{ id: row.id }, 'state', 'A'],
      [{ id: row.id }, 'state', ''],
      [{ slug: 's', title: 'Two' }, 'state', 'a'],
      [{ slug: 'gone' }, 'state', 'a']
    ] as const)
      assert.equal(await notes.findHolding(where, column, text), null, JSON.stringify([where, text]))
    const blank = note()
    await notes.insert([blank])
    assert.equal(await notes.findHolding({ id: blank.id }, 'slug', 'null'), null)
  },
  'groups: by columns of each type, in an order, some of them; all rows as one': async ({ notes, note }) => {
    await notes.insert([
      note({ count: 1, state: 'a', bound: 5, at: 10, day: new Date(10), open: true, ratio: 0.5 }),
      note({ count: 2, state: 'a', at: 20, day: new Date(10), open: false, ratio: 0.25 }),
      note({ count: 4, state: 'b', bound: 1, at: 10 })
    ])
    const measures = {
      n: { of: 'count' },
      sum: { of: 'sum', column: 'bound' },
      last: { of: 'max', column: 'at' }
    } as const
    assert.deepEqual(groups(await notes.group({}, { by: ['state'], measures })), [
      { state: 'a', n: 2, sum: 5, last: 20 },
      { state: 'b', n: 1, sum: 1, last: 10 }
    ])
    assert.deepEqual(groups(await notes.group({}, { by: ['day', 'at'], measures: {} })), [
      { day: null, at: 10 },
      { day: new Date(10), at: 10 },
      { day: new Date(10), at: 20 }
    ])
    const order = [{ field: 'sum', direction: 'ASC' }] as const
    assert.deepEqual(groups(await notes.group({}, { by: ['open'], measures, order, limit: 1 })), [
      { open: false, n: 1, sum: null, last: 20 }
    ])
    const one = {
      by: [],
      measures: { least: { of: 'min', column: 'day' }, mean: { of: 'avg', column: 'ratio' } }
    } as const
    assert.deepEqual(groups(await notes.group({ state: 'a' }, one)), [{ least: new Date(10), mean: 0.375 }])
    assert.deepEqual(groups(await notes.group({ state: 'c' }, one)), [{ least: null, mean: null }])
  },
  'counts, exists and parts': async ({ notes, note }) => {
    await notes.insert([note({ count: 1 }), note({ count: 2, open: false }), note({ count: 2, state: 'old' })])
    assert.equal(await notes.count({ count: 2 }), 2)
    assert.equal(await notes.exists({ count: 2 }), true)
    assert.equal(await notes.exists({ count: 9 }), false)
    const counted = await notes.counts(
      { state: 'new' },
      { open: { open: true }, twos: { count: 2 }, none: any<Note>() }
    )
    assert.deepEqual({ ...counted }, { total: 2, open: 1, twos: 1, none: 0 })
  }
}
