/** Groups by parts of moments. What the clocks of each zone show is taken from the tables of their changes, by hand. */
import assert from 'node:assert/strict'
import { type Cases, refused } from './conformance-suite.ts'

type Unit = 'year' | 'quarter' | 'month' | 'week' | 'day' | 'hour'

/** By zone: a moment of UTC, a unit, and what it is there. */
const MOMENTS: readonly (readonly [zone: string, moment: string, unit: Unit, text: string])[] = [
  ['UTC', '2026-11-27T14:05:06.789Z', 'year', '2026'],
  ['UTC', '2026-11-27T14:05:06.789Z', 'quarter', '2026-Q4'],
  ['UTC', '2026-11-27T14:05:06.789Z', 'month', '2026-11'],
  ['UTC', '2026-11-27T14:05:06.789Z', 'week', '2026-W48'],
  ['UTC', '2026-11-27T14:05:06.789Z', 'day', '2026-11-27'],
  ['UTC', '2026-11-27T14:05:06.789Z', 'hour', '2026-11-27T14'],
  ['UTC', '2026-03-31T23:59:59.999Z', 'quarter', '2026-Q1'],
  ['UTC', '2026-04-01T00:00:00.000Z', 'quarter', '2026-Q2'],
  ['UTC', '2026-09-30T23:59:59.999Z', 'quarter', '2026-Q3'],
  // Weeks begin on Monday; the first has the first Thursday of its year.
  ['UTC', '2024-12-29T23:59:59.999Z', 'week', '2024-W52'],
  ['UTC', '2024-12-30T00:00:00.000Z', 'week', '2025-W01'],
  ['UTC', '2027-01-03T23:59:59.999Z', 'week', '2026-W53'],
  ['UTC', '2027-01-04T00:00:00.000Z', 'week', '2027-W01'],
  ['UTC', '2023-01-01T12:00:00.000Z', 'week', '2022-W52'],
  // Before 1970, and far from it.
  ['UTC', '1969-12-31T23:59:59.999Z', 'hour', '1969-12-31T23'],
  ['UTC', '1900-02-28T23:59:59.999Z', 'day', '1900-02-28'],
  ['UTC', '0001-01-01T00:00:00.000Z', 'day', '0001-01-01'],
  ['UTC', '9999-12-31T23:59:59.999Z', 'month', '9999-12'],
  // Berlin: clocks go from 02:00 to 03:00 at 01:00Z, and back from 03:00 to 02:00 at 01:00Z.
  ['Europe/Berlin', '2026-03-29T00:59:59.999Z', 'hour', '2026-03-29T01'],
  ['Europe/Berlin', '2026-03-29T01:00:00.000Z', 'hour', '2026-03-29T03'],
  ['Europe/Berlin', '2026-10-25T00:30:00.000Z', 'hour', '2026-10-25T02'],
  ['Europe/Berlin', '2026-10-25T01:30:00.000Z', 'hour', '2026-10-25T02'],
  ['Europe/Berlin', '2026-10-25T02:00:00.000Z', 'hour', '2026-10-25T03'],
  ['Europe/Berlin', '2026-06-30T21:59:59.999Z', 'month', '2026-06'],
  ['Europe/Berlin', '2026-06-30T22:00:00.000Z', 'month', '2026-07'],
  ['Europe/Berlin', '2025-12-31T22:59:59.999Z', 'year', '2025'],
  ['Europe/Berlin', '2025-12-31T23:00:00.000Z', 'year', '2026'],
  ['Europe/Berlin', '2026-03-31T22:00:00.000Z', 'quarter', '2026-Q2'],
  ['Europe/Berlin', '2027-01-03T23:30:00.000Z', 'week', '2027-W01'],
  // New York: at 07:00Z in spring, at 06:00Z in autumn.
  ['America/New_York', '2026-03-08T06:59:59.999Z', 'hour', '2026-03-08T01'],
  ['America/New_York', '2026-03-08T07:00:00.000Z', 'hour', '2026-03-08T03'],
  ['America/New_York', '2026-11-01T05:30:00.000Z', 'hour', '2026-11-01T01'],
  ['America/New_York', '2026-11-01T06:30:00.000Z', 'hour', '2026-11-01T01'],
  ['America/New_York', '2026-11-01T07:00:00.000Z', 'hour', '2026-11-01T02'],
  ['America/New_York', '2026-01-01T04:59:59.999Z', 'day', '2025-12-31'],
  ['America/New_York', '2026-07-01T03:59:59.999Z', 'day', '2026-06-30'],
  // Lord Howe: half an hour, +10:30 in winter and +11:00 in summer.
  ['Australia/Lord_Howe', '2026-04-04T14:59:59.999Z', 'hour', '2026-04-05T01'],
  ['Australia/Lord_Howe', '2026-04-04T15:00:00.000Z', 'hour', '2026-04-05T01'],
  ['Australia/Lord_Howe', '2026-04-04T15:30:00.000Z', 'hour', '2026-04-05T02'],
  ['Australia/Lord_Howe', '2026-10-03T15:29:59.999Z', 'hour', '2026-10-04T01'],
  ['Australia/Lord_Howe', '2026-10-03T15:30:00.000Z', 'hour', '2026-10-04T02'],
  ['Australia/Lord_Howe', '2026-10-03T16:00:00.000Z', 'hour', '2026-10-04T03'],
  // Kathmandu: +05:45, and +05:30 until 1986.
  ['Asia/Kathmandu', '2026-01-01T18:14:59.999Z', 'day', '2026-01-01'],
  ['Asia/Kathmandu', '2026-01-01T18:15:00.000Z', 'day', '2026-01-02'],
  ['Asia/Kathmandu', '1985-12-31T18:29:59.999Z', 'year', '1985'],
  ['Asia/Kathmandu', '2026-02-28T18:15:00.000Z', 'month', '2026-03'],
  // A zone whose sign reads the other way round.
  ['Etc/GMT+5', '2026-01-01T04:59:59.999Z', 'day', '2025-12-31']
]

const plain = (groups: readonly object[]) => groups.map((group) => ({ ...group }))

export const timeCases: Cases = {
  'a group shares the year, quarter, month, week, day or hour of a moment, in a time zone': async ({ things }) => {
    for (const [zone, moment, unit, text] of MOMENTS) {
      const { id } = await things.create({ at: moment })
      const groups = await things.groupBy({ id }, { by: [{ [unit]: 'at', zone } as never] })
      assert.deepEqual(plain(groups), [{ [unit]: text }], `${moment} in ${zone}`)
    }
  },
  'with fields, measures, an order and a limit; null is a group of its own': async ({ things }) => {
    await things.createMany([
      { label: 'a', at: '2026-01-31T22:59:59Z', amount: '1.50' },
      { label: 'a', at: '2026-01-31T23:00:00Z', amount: '2.00' },
      { label: 'b', at: '2026-02-10T00:00:00Z', amount: '4.00' },
      { label: 'a', at: '2026-02-28T22:30:00Z', amount: '8.00' },
      { label: 'a', at: null, amount: '16.00' }
    ])
    const month = { month: 'at', zone: 'Europe/Berlin' } as const
    const measures = { rows: { count: true }, sum: { sum: 'amount' } } as const
    assert.deepEqual(plain(await things.groupBy({}, { by: [month], measures })), [
      { month: null, rows: 1, sum: '16.00' },
      { month: '2026-01', rows: 1, sum: '1.50' },
      { month: '2026-02', rows: 3, sum: '14.00' }
    ])
    assert.deepEqual(plain(await things.groupBy({}, { by: [{ month: 'at' }], measures: { rows: { count: true } } })), [
      { month: null, rows: 1 },
      { month: '2026-01', rows: 2 },
      { month: '2026-02', rows: 2 }
    ])
    const both = { by: ['label', { ...month, as: 'in' }], measures, order: [['in', 'DESC']], limit: 3 } as const
    assert.deepEqual(plain(await things.groupBy({}, both)), [
      { label: 'a', in: '2026-02', rows: 2, sum: '10.00' },
      { label: 'b', in: '2026-02', rows: 1, sum: '4.00' },
      { label: 'a', in: '2026-01', rows: 1, sum: '1.50' }
    ])
    const days = { by: [{ year: 'at' }, { month: 'at', as: 'm' }, { day: 'at', zone: 'Asia/Kathmandu' }] } as const
    const [, first] = await things.groupBy({ label: 'a' }, days)
    assert.deepEqual({ ...first }, { year: '2026', m: '2026-01', day: '2026-02-01' })
  },
  'days have years, quarters, months and weeks too': async ({ things }) => {
    await things.createMany([{ day: '2024-12-30' }, { day: '2025-01-01' }, { day: '2025-06-30' }, {}])
    const texts = async (unit: Unit) => {
      const groups = await things.groupBy({}, { by: [{ [unit]: 'day', as: 'part' } as never] })
      return groups.map((group) => (group as { part?: unknown }).part)
    }
    assert.deepEqual(await texts('year'), [null, '2024', '2025'])
    assert.deepEqual(await texts('quarter'), [null, '2024-Q4', '2025-Q1', '2025-Q2'])
    assert.deepEqual(await texts('month'), [null, '2024-12', '2025-01', '2025-06'])
    assert.deepEqual(await texts('week'), [null, '2025-W01', '2025-W27'])
    assert.deepEqual(await texts('day'), [null, '2024-12-30', '2025-01-01', '2025-06-30'])
  },
  'what is no part of a moment is refused by name': async ({ things }) => {
    for (const key of [
      { month: 'label' },
      { month: 'count' },
      { hour: 'day' },
      { month: 'day', zone: 'UTC' },
      { month: 'at', year: 'at' },
      { decade: 'at' },
      { zone: 'UTC' },
      { month: 'at', zone: 'Europe/Nowhere' },
      { month: 'at', zone: 'europe/berlin' },
      { month: 'at', zone: '+02:00' },
      { month: 'at', zone: "UTC'; drop table thing; --" },
      { month: 'at', zone: '' },
      { month: 'at', zone: 5 },
      { month: 'at', as: 'x y' },
      { month: 'at', as: '' }
    ]) {
      await refused(() => things.groupBy({}, { by: [key] } as never), 'SVC_ORM_OPTIONS', 400)
    }
    for (const by of [
      [{ month: 'at' }, { month: 'seen' }],
      ['label', { month: 'at', as: 'label' }],
      [{ month: 'at', as: 'label' }, 'label']
    ]) {
      await refused(() => things.groupBy({}, { by } as never), 'SVC_ORM_OPTIONS', 400)
    }
    const taken = { by: [{ month: 'at' }], measures: { month: { count: true } } }
    await refused(() => things.groupBy({}, taken as never), 'SVC_ORM_OPTIONS', 400)
    await refused(() => things.groupBy({}, { by: [{ month: 'nope' }] } as never), 'SVC_ORM_UNKNOWN_FIELD', 400)
  }
}
