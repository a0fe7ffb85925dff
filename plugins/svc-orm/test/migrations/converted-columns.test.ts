/** What a migration gives or converts, beside the table of conversions: lists, defaults, columns that no field has. */
import { UuidIds } from 'svc-stores/table'
import t from 'tap'
import { columnConversion, conversion, filledValue, refusedValues } from '../../src/migrations/convert-value.ts'
import type { MigratedColumn } from '../../src/migrations/migration.ts'

const ids = new UuidIds({ now: () => 0 })
const TEXT: MigratedColumn = { name: 'a', type: 'text' }
const DAY: MigratedColumn = { name: 'a', type: 'text', holds: 'day' }

t.test('columns of stores, which no field has, keep their values and become nothing else', async (t) => {
  for (const type of ['time', 'document'] as const) {
    const column: MigratedColumn = { name: 'a', type }
    t.equal(conversion(column, column)?.(5), 5)
    t.equal(conversion(column, TEXT), null)
    t.equal(conversion(TEXT, column), null)
  }
})

t.test('a conversion of a list gets its items as rows have them', async (t) => {
  const days: MigratedColumn = { ...DAY, list: true }
  const joined = columnConversion(days, TEXT, { convert: (given) => (given as string[]).join() }, ids)
  t.equal(joined(['2026-01-02', '2026-01-03']), '2026-01-02,2026-01-03')
})

t.test('rows that hold nothing get the default, unless a value is given', async (t) => {
  const count: MigratedColumn = { name: 'a', type: 'integer', default: 3 }
  for (const given of [undefined, null]) t.equal(filledValue(count, given), 3)
  t.equal(filledValue(count, 4), 4)
  t.equal(filledValue({ name: 'a', type: 'integer' }, null), null)
  t.strictSame(
    filledValue({ name: 'a', type: 'date', default: '2026-01-02T00:00:00Z' }, null),
    new Date(Date.UTC(2026, 0, 2))
  )
  t.equal(
    filledValue({ name: 'a', type: 'bigint', scale: 2, default: '150' }, undefined),
    150n,
    'a default is in units'
  )
})

t.test('five rows are named, and no more', async (t) => {
  const message = (rows: readonly string[]) => refusedValues('article.a', TEXT, DAY, rows).problems[0]?.message
  t.equal(message(['1', '2', '3', '4', '5']), '5 values of article.a cannot become day: rows 1, 2, 3, 4, 5')
  t.equal(
    message(['1', '2', '3', '4', '5', '6']),
    '6 values of article.a cannot become day: rows 1, 2, 3, 4, 5 and 1 more'
  )
})
