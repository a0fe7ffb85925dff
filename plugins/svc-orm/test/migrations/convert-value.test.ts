/** What becomes of a value when its field gets another type: exactly its counterpart, or nothing. */
import type { ColumnPlan, ColumnType } from 'svc-stores/table'
import t from 'tap'
import {
  columnConversion,
  conversion,
  filledValue,
  isConverted,
  refusedValues
} from '../../src/migrations/convert-value.ts'
import type { MigratedColumn } from '../../src/migrations/migration.ts'

const DAY = '2026-01-02T03:04:05.678Z'
const REFUSED = undefined

type Kind = ColumnType | readonly [ColumnType]

function column(kind: Kind): ColumnPlan {
  return typeof kind === 'string' ? { name: 'a', type: kind } : { name: 'a', type: kind[0], list: true }
}

const CASES: readonly (readonly [from: Kind, to: Kind, value: unknown, result: unknown])[] = [
  ['text', 'integer', '5', 5],
  ['text', 'integer', '-7', -7],
  ['text', 'integer', '5.0', REFUSED],
  ['text', 'integer', '05', REFUSED],
  ['text', 'integer', '', REFUSED],
  ['text', 'integer', '9007199254740993', REFUSED],
  ['text', 'float', '1.5e3', 1500],
  ['text', 'float', '1e999', REFUSED],
  ['text', 'float', 'NaN', REFUSED],
  ['text', 'boolean', 'true', true],
  ['text', 'boolean', 'yes', REFUSED],
  ['text', 'date', DAY, new Date(DAY)],
  ['text', 'date', '2026-02-30T00:00:00Z', REFUSED],
  ['text', 'json', 'a', 'a'],
  ['text', 'id', 'a', 'a'],
  ['integer', 'text', 5, '5'],
  ['integer', 'boolean', 1, true],
  ['integer', 'boolean', 2, REFUSED],
  ['integer', 'date', 0, new Date(0)],
  ['integer', 'float', 5, 5],
  ['float', 'integer', 5, 5],
  ['float', 'integer', 5.5, REFUSED],
  ['float', 'integer', 2 ** 53, REFUSED],
  ['float', 'text', 0.1, '0.1'],
  ['boolean', 'integer', true, 1],
  ['boolean', 'text', false, 'false'],
  ['date', 'text', new Date(DAY), DAY],
  ['date', 'integer', new Date(5), 5],
  ['date', 'json', new Date(DAY), DAY],
  ['json', 'text', 'a', 'a'],
  ['json', 'text', { a: 1 }, REFUSED],
  ['json', 'integer', 5, 5],
  ['json', 'integer', '5', REFUSED],
  ['json', 'float', 5.5, 5.5],
  ['json', 'float', true, REFUSED],
  ['json', 'boolean', false, false],
  ['json', 'boolean', 0, REFUSED],
  ['json', 'date', DAY, new Date(DAY)],
  ['json', 'date', 5, REFUSED],
  ['text', ['text'], 'a', ['a']],
  ['text', ['integer'], '5', [5]],
  ['text', ['integer'], 'a', REFUSED],
  [['text'], 'text', ['a'], 'a'],
  [['text'], 'text', ['a', 'b'], REFUSED],
  [['text'], 'text', [], REFUSED],
  [['text'], ['integer'], ['1', '2'], [1, 2]],
  [['text'], ['integer'], ['1', 'b'], REFUSED]
]

for (const [from, to, value, result] of CASES) {
  t.test(`${from} to ${to}: ${JSON.stringify(value)}`, (t) => {
    t.strictSame(conversion(column(from), column(to))?.(value), result)
    t.ok(isConverted(column(from), column(to)))
    t.end()
  })
}

t.test('types without a conversion, and those that are the same', (t) => {
  t.equal(conversion(column('boolean'), column('date')), null)
  t.equal(conversion(column('date'), column('boolean')), null)
  t.notOk(isConverted(column('text'), { name: 'a', type: 'text', list: false, nullable: true }))
  t.end()
})

t.test('exact numbers keep what they mean, whatever their decimals', async (t) => {
  const cents = { name: 'a', type: 'bigint', scale: 2 } as const
  const mills = { name: 'a', type: 'bigint', scale: 3 } as const
  const rows: readonly (readonly [ColumnPlan, ColumnPlan, unknown, unknown])[] = [
    [cents, mills, 1250n, 12_500n],
    [mills, cents, 12_500n, 1250n],
    [mills, cents, 12_505n, REFUSED],
    [cents, { name: 'a', type: 'text' }, -5n, '-0.05'],
    [{ name: 'a', type: 'text' }, cents, '12.5', 1250n],
    [{ name: 'a', type: 'text' }, cents, '12.505', REFUSED],
    [{ name: 'a', type: 'float' }, cents, 0.1, 10n],
    [{ name: 'a', type: 'float' }, cents, 0.1 + 0.2, REFUSED],
    [{ name: 'a', type: 'integer' }, cents, 3, 300n],
    [cents, { name: 'a', type: 'integer' }, 300n, 3],
    [cents, { name: 'a', type: 'integer' }, 301n, REFUSED],
    [cents, { name: 'a', type: 'float' }, 10n, 0.1],
    [{ name: 'a', type: 'bigint' }, { name: 'a', type: 'float' }, 9_007_199_254_740_993n, REFUSED]
  ]
  for (const [from, to, value, expected] of rows) {
    t.ok(isConverted(from, to))
    t.equal(conversion(from, to)?.(value), expected, `${from.type} ${value} to ${to.type}`)
  }
})

const UUID: MigratedColumn = { name: 'a', type: 'text', holds: 'uuid' }
const STATE: MigratedColumn = { name: 'a', type: 'text', holds: 'enum', values: ['open', 'done'] }
const SHORT: MigratedColumn = { name: 'a', type: 'text', holds: 'string', maxLength: 3 }
const TEXT: MigratedColumn = { name: 'a', type: 'text' }
const CAPITALS = 'F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6'
const ids = { description: 'three letters', generate: () => 'abc', accepts: (id: string) => /^[a-z]{3}$/.test(id) }

t.test('M1: what a migration gives is a value of the column, or it stops', async (t) => {
  const cases: readonly (readonly [MigratedColumn, unknown, unknown])[] = [
    [UUID, CAPITALS, CAPITALS.toLowerCase()],
    [UUID, '5', REFUSED],
    [STATE, 'done', 'done'],
    [STATE, 'closed', REFUSED],
    [SHORT, 'abc', 'abc'],
    [SHORT, 'abcd', REFUSED],
    [TEXT, 5, REFUSED],
    [{ name: 'a', type: 'text', holds: 'day' }, '2026-02-30', REFUSED],
    [{ name: 'a', type: 'integer' }, '5', REFUSED],
    [{ name: 'a', type: 'bigint', scale: 2 }, '1.5', 150n],
    [{ name: 'a', type: 'date' }, '2026-01-02', new Date('2026-01-02T00:00:00Z')],
    [{ name: 'a', type: 'date' }, 'tomorrow', REFUSED],
    [{ name: 'a', type: 'text', holds: 'uuid', list: true }, [CAPITALS], [CAPITALS.toLowerCase()]],
    [{ name: 'a', type: 'text', holds: 'uuid', list: true }, ['5'], REFUSED]
  ]
  for (const [to, given, expected] of cases) {
    const what = `${JSON.stringify(to)}: ${JSON.stringify(given)}`
    t.strictSame(columnConversion(TEXT, to, { convert: () => given }, ids)('x'), expected, what)
    if (expected !== REFUSED) t.strictSame(filledValue(to, given), expected, what)
    else t.throws(() => filledValue(to, given), { code: 'SVC_ORM_MIGRATION_DATA' }, what)
  }
  t.equal(columnConversion(TEXT, UUID, { convert: () => null }, ids)('x'), null, 'null is decided by the column')
})

t.test('M1: an id has the form of its database', async (t) => {
  const id: MigratedColumn = { name: 'a', type: 'id' }
  const convert = columnConversion(TEXT, id, {}, ids)
  t.strictSame([convert('abc'), convert('hello')], ['abc', REFUSED])
  const convertAll = columnConversion({ ...TEXT, list: true }, { ...id, list: true }, {}, ids)
  t.strictSame([convertAll(['abc', 'def']), convertAll(['abc', 'x'])], [['abc', 'def'], REFUSED])
})

t.test('M1: a time zone that there is not stops the migration', async (t) => {
  const convert = (zone: string) => () =>
    columnConversion({ name: 'a', type: 'date' }, { name: 'a', type: 'text', holds: 'day' }, { zone }, ids)
  t.throws(convert('Europe/Vindobona'), {
    code: 'SVC_ORM_MIGRATION_DATA',
    message: /names the time zone "Europe\/Vindobona", which does not exist/
  })
  t.throws(convert(''), { code: 'SVC_ORM_MIGRATION_DATA' })
  t.doesNotThrow(convert('UTC'))
})

t.test('M1: what stops a migration names rows, five at most, and what to give', async (t) => {
  const date: MigratedColumn = { name: 'a', type: 'date' }
  const day: MigratedColumn = { name: 'a', type: 'text', holds: 'day' }
  const rows = ['1', '2', '3', '4', '5', '6', '7']
  t.match(refusedValues('article.a', date, day, rows).problems, [
    {
      code: 'SVC_ORM_MIGRATION_DATA',
      message: '7 values of article.a cannot become day: rows 1, 2, 3, 4, 5 and 2 more',
      fix: /zone: 'Europe\/Vienna', or convert/
    }
  ])
  t.match(refusedValues('article.a', TEXT, STATE, ['1']).problems, [
    {
      message: '1 value of article.a cannot become one of open, done: row 1',
      fix: 'correct the rows, or add convert: (value) => ...'
    }
  ])
})
