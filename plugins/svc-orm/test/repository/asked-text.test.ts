/** What is asked of groups and written into rows, as text without a value. */
import t from 'tap'
import { defineEntity } from '../../src/index.ts'
import { changesText, groupingText } from '../../src/repository/asked-text.ts'
import { compiled } from '../support/migrated-project.ts'

t.test('groups', async (t) => {
  const parts = { month: { unit: 'month', column: 'placedAt', zone: 'Europe/Berlin' } } as const
  const where = [{ field: 'state', operator: 'eq', value: 'hunter2' }] as const
  const measures = { n: { of: 'count' }, sum: { of: 'sum', column: 'total' }, paid: { of: 'count', where } } as const
  t.equal(groupingText({ by: [], measures: {} }), '')
  t.equal(groupingText({ by: ['state'], measures: {} }), 'by state')
  const expected = 'by state, month(placedAt, Europe/Berlin) measuring count, sum(total), count of some'
  t.equal(groupingText({ by: ['state', 'month'], parts, measures }), expected)
})

t.test('changes, of fields that there are', async (t) => {
  const schema = { name: { type: 'string' }, price: { type: 'decimal', scale: 2 }, facts: { type: 'json' } } as const
  const [entity] = compiled([defineEntity({ name: 'Product', schema })])
  if (entity === undefined) throw new TypeError('one entity is compiled')
  const text = (changes: unknown) => changesText(entity, changes)
  t.equal(text({ name: 'hunter2', price: { $mul: '1.1' } }), 'set name = ?, price $mul ?')
  t.equal(text({ hunter2: 1, facts: { hunter2: 1 } }), 'set facts = ?')
  t.equal(text({ $max: { price: 5, hunter2: 1 }, name: undefined }), 'set price $max ?')
  t.equal(text({}), '')
  t.equal(text('hunter2'), '')
})
