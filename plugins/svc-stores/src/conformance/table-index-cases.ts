/** Cases of the port: indexes that hold some rows only. What they refuse, what they leave alone, and that finds stay complete. */
import assert from 'node:assert/strict'
import { above, atLeast, below, held, isNull } from '../table/operators.ts'
import type { Table } from '../table/table.ts'
import type { TablePlan } from '../table/table-plan.ts'
import { atOnce } from './conformance-suite.ts'
import { columnOfRows, type TableCases, type TableContext, violates } from './table-fixtures.ts'

interface Seat {
  readonly id: string
  readonly code: string
  readonly room: string | null
  readonly state: string
  readonly price: number
  readonly serial: bigint | null
  readonly since: Date
  readonly gone: Date | null
}

/** Unique among rows that are not gone; and, in a room, among those that are open, dear and new. */
export const seatPlan: TablePlan = {
  name: 'suite_seat',
  collection: 'SuiteSeat',
  record: 'seat',
  columns: [
    { name: 'id', type: 'id' },
    { name: 'code', type: 'text' },
    { name: 'room', type: 'text', nullable: true },
    { name: 'state', type: 'text' },
    { name: 'price', type: 'integer' },
    { name: 'serial', type: 'bigint', nullable: true },
    { name: 'since', type: 'date' },
    { name: 'gone', type: 'date', nullable: true }
  ],
  indexes: [
    { columns: ['code'], unique: true, where: [{ field: 'gone', operator: 'null', value: true }] },
    {
      columns: ['room', 'price'],
      unique: true,
      where: [
        { field: 'state', operator: 'eq', type: 'text', value: "o'pen" },
        { field: 'price', operator: 'gte', type: 'integer', value: 5 },
        { field: 'since', operator: 'gt', type: 'date', value: '2024-01-01T00:00:00.000Z' },
        { field: 'serial', operator: 'lt', type: 'bigint', value: '9007199254740993' }
      ]
    },
    { columns: ['room', 'id'], where: [{ field: 'gone', operator: 'null', value: false }] }
  ]
}

const DAY = new Date('2025-06-01T00:00:00Z')

function seatsOf({ database }: TableContext) {
  const seats = database.table<Seat>(seatPlan) as Table<Seat>
  const seat = (values: Partial<Seat>): Seat => ({
    ...{ id: database.ids.generate(), code: database.ids.generate(), room: null, state: 'shut', price: 0 },
    ...{ serial: 1n, since: DAY, gone: null },
    ...values
  })
  return { seats, seat }
}

const OPEN = { room: 'r', state: "o'pen", price: 7 }

export const indexCases: TableCases = {
  'a unique index of some rows refuses equal values among these, and no others': async (context) => {
    const { seats, seat } = seatsOf(context)
    await seats.insert([seat({ code: 'a', gone: DAY }), seat({ code: 'a', gone: DAY }), seat({ code: 'a' })])
    await violates(() => seats.insert([seat({ code: 'a' })]), 'seat', ['code'])
    await violates(() => seats.insert([seat({ code: 'b' }), seat({ code: 'b' })]), 'seat', ['code'])
    assert.equal(await seats.count({ code: 'a' }), 3)
    assert.equal(await seats.count({ code: 'b' }), 0)
  },
  'every condition counts, whatever its type': async (context) => {
    const { seats, seat } = seatsOf(context)
    await seats.insert([seat(OPEN)])
    const others: Partial<Seat>[] = [
      ...[{ state: 'open' }, { room: null }, { price: 4 }, { since: new Date('2024-01-01T00:00:00Z') }],
      ...[{ serial: null }, { serial: 9_007_199_254_740_993n }]
    ]
    for (const other of others) await seats.insert([seat({ ...OPEN, ...other }), seat({ ...OPEN, ...other })])
    const same: Partial<Seat>[] = [{ serial: 9_007_199_254_740_992n }, { since: new Date('2024-01-01T00:00:00.001Z') }]
    for (const each of [...same, {}])
      await violates(() => seats.insert([seat({ ...OPEN, ...each })]), 'seat', ['room', 'price'])
    assert.equal(await seats.count({}), 1 + 2 * others.length)
  },
  'a change that moves a row into the index is refused like a new one; one that moves it out frees its values': async (
    context
  ) => {
    const { seats, seat } = seatsOf(context)
    const [first, second] = [seat({ code: 'a' }), seat({ code: 'a', gone: DAY })]
    await seats.insert([first, second])
    await violates(() => seats.updateOne({ id: second.id }, { set: { gone: null } }), 'seat', ['code'])
    assert.equal(await seats.update({ id: first.id }, { set: { gone: DAY } }), 1)
    assert.deepEqual((await seats.updateOne({ id: second.id }, { set: { gone: null } }))?.gone, null)
    await violates(() => seats.update({ id: first.id }, { set: { gone: null } }), 'seat', ['code'])
    assert.equal(await seats.delete({ id: second.id }), 1)
    assert.equal(await seats.update({ id: first.id }, { set: { gone: null } }), 1)
  },
  'finds see rows inside and outside of it, in their order': async (context) => {
    const { seats, seat } = seatsOf(context)
    const rows = [{ gone: DAY }, {}, { gone: DAY }].map((values) => seat({ code: 'a', room: 'r', ...values }))
    await seats.insert(rows)
    const ids = async (found: Promise<Seat[]>) => columnOfRows(await found, 'id')
    const [first, second, third] = columnOfRows(rows, 'id')
    const byId = { order: [{ field: 'id', direction: 'ASC' }] } as const
    assert.deepEqual(await ids(seats.find({ code: 'a' }, byId)), [first, second, third])
    assert.deepEqual(await ids(seats.find({ code: 'a', gone: isNull }, byId)), [second])
    assert.deepEqual(await ids(seats.find({ code: 'a', gone: held }, byId)), [first, third])
    assert.deepEqual(await ids(seats.find({ room: 'r', gone: held }, { ...byId, limit: 1, offset: 1 })), [third])
    assert.equal((await seats.findOne({ code: 'a' }))?.id, first)
    assert.equal((await seats.findOne({ code: 'a', gone: isNull }))?.id, second)
    assert.equal(await seats.findOne({ code: 'b', gone: isNull }), null)
  },
  'a comparison that an index says finds what any other one does': async (context) => {
    const { seats, seat } = seatsOf(context)
    const prices = [3, 5, 6].map((price) => seat({ ...OPEN, price }))
    await seats.insert([...prices, seat({ room: 'r', price: 9 })])
    const found = async (where: Parameters<typeof seats.find>[0]) =>
      columnOfRows(await seats.find(where), 'price').sort()
    assert.deepEqual(await found({ state: "o'pen" }), [3, 5, 6])
    assert.deepEqual(await found({ state: "o'pen", price: atLeast(5) }), [5, 6])
    assert.deepEqual(await found({ state: "o'pen", price: atLeast(6) }), [6])
    assert.deepEqual(await found({ price: above(5) }), [6, 9])
    assert.deepEqual(await found({ price: below(5), since: above(new Date('2024-01-01T00:00:00Z')) }), [3])
    assert.equal(await seats.update({ state: "o'pen", price: 5 }, { set: { state: 'shut' } }), 1)
    assert.equal(await seats.count({ state: "o'pen" }), 2)
    assert.equal(await seats.delete({ state: "o'pen", price: atLeast(5) }), 1)
  },
  'insertIfAbsent answers the row of the index, and makes one beside rows outside of it': async (context) => {
    const { seats, seat } = seatsOf(context)
    await seats.insert([seat({ code: 'a', gone: DAY })])
    const made = await seats.insertIfAbsent(seat({ code: 'a', price: 1 }), ['code'])
    assert.deepEqual([made.price, made.gone], [1, null])
    assert.deepEqual(await seats.insertIfAbsent(seat({ code: 'a', price: 2 }), ['code']), made)
    const rows = await atOnce(20, (price) =>
      seats.insertIfAbsent(seat({ ...OPEN, serial: BigInt(price) }), ['price', 'room'])
    )
    assert.equal(new Set(columnOfRows(rows, 'id')).size, 1)
    assert.equal(await seats.count({ code: 'a' }), 2)
  }
}
