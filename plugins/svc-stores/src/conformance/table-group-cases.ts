/** Cases of the port: groups by parts of moments, of days and of times, measures of some rows, and conditions on groups. */
import assert from 'node:assert/strict'
import type { Condition } from '../table/condition.ts'
import type { TableCases } from './table-fixtures.ts'

const open: Condition = { field: 'open', operator: 'eq', value: true }

export const groupCases: TableCases = {
  'parts of a time and of a date, in a zone; days as text have none': async ({ notes, note }) => {
    // 22:30Z of 31 March is 00:30 of 1 April in Berlin.
    const at = Date.parse('2026-03-31T22:30:00Z')
    await notes.insert([
      note({ at, day: new Date(at), title: '2026-12-31', count: 1 }),
      note({ at: at - 3_600_000, day: null, title: '2026-12-31', count: 2 })
    ])
    const zone = 'Europe/Berlin'
    const parts = { in: { unit: 'month', column: 'at', zone } } as const
    const sum = { sum: { of: 'sum', column: 'count' } } as const
    assert.deepEqual(await notes.group({}, { by: ['in'], parts, measures: sum }), [
      { in: '2026-03', sum: 2 },
      { in: '2026-04', sum: 1 }
    ])
    const both = {
      quarter: { unit: 'quarter', column: 'day', zone },
      hour: { unit: 'hour', column: 'at', zone: 'UTC' },
      week: { unit: 'week', column: 'title', zone: 'UTC' }
    } as const
    assert.deepEqual(await notes.group({}, { by: ['quarter', 'hour', 'week'], parts: both, measures: {} }), [
      { quarter: null, hour: '2026-03-31T21', week: '2026-W53' },
      { quarter: '2026-Q2', hour: '2026-03-31T22', week: '2026-W53' }
    ])
  },
  'measures of some rows, different values, and conditions on groups': async ({ notes, note }) => {
    await notes.insert([
      note({ state: 'a', count: 1, slug: 'x', bound: 4 }),
      note({ state: 'a', count: 1, open: false, bound: 5 }),
      note({ state: 'b', count: 3, bound: null })
    ])
    const measures = {
      rows: { of: 'count' },
      open: { of: 'count', where: [open] },
      counts: { of: 'countDistinct', column: 'count' },
      bound: { of: 'sum', column: 'bound' },
      most: { of: 'max', column: 'bound', where: [open] }
    } as const
    const a = { state: 'a', rows: 2, open: 1, counts: 1, bound: 9, most: 4 }
    const b = { state: 'b', rows: 1, open: 1, counts: 1, bound: null, most: null }
    const by = ['state']
    assert.deepEqual(await notes.group({}, { by, measures }), [a, b])
    const order = [{ field: 'most', direction: 'DESC' }] as const
    assert.deepEqual(await notes.group({}, { by, measures, order, limit: 1 }), [a])
    const bound: Condition = { field: 'bound', operator: 'gt', value: 8 }
    assert.deepEqual(await notes.group({}, { by, measures, having: [bound] }), [a])
    const { rows, bound: sum } = measures
    const none: Condition = { field: 'bound', operator: 'null', value: true }
    const either: Condition = { operator: 'any', of: [[none], [{ field: 'rows', operator: 'eq', value: 2 }]] }
    const grouped = await notes.group({}, { by, measures: { rows, bound: sum }, having: [either] })
    assert.deepEqual(
      grouped.map(({ state }) => state),
      ['a', 'b']
    )
    const negated: Condition = { operator: 'not', of: [either] }
    assert.deepEqual(await notes.group({}, { by, measures: { rows, bound: sum }, having: [negated] }), [])
  }
}
