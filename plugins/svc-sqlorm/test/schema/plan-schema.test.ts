/** What is added to a database, and what never is. */
import t from 'tap'
import { existingSchema } from '../../src/schema/existing-schema.ts'
import { planSchema } from '../../src/schema/plan-schema.ts'
import { indexName, type TableDefinition } from '../../src/schema/table-definition.ts'

const ARTICLE: TableDefinition = {
  name: 'article',
  columns: [
    { name: 'id', type: 'text' },
    { name: 'title', type: 'text' },
    { name: 'summary', type: 'text', nullable: true },
    { name: 'stars', type: 'integer', default: 0 },
    { name: 'sku', type: 'text' }
  ],
  indexes: [{ columns: ['title', 'id'] }, { columns: ['sku'], unique: true }]
}

const EMPTY = existingSchema([], [])

function having(...columns: readonly string[]) {
  const name = indexName('article', { columns: ['title', 'id'] })
  return existingSchema(
    columns.map((each) => column(each)),
    [{ table: 'article', name, columns: ['title', 'id'], unique: false, where: null }]
  )
}

function column(name: string) {
  return { table: 'article', name, type: 'text', fits: ['text'] as const, required: true, filled: false }
}

t.test('an empty database gets the table and its indexes', async (t) => {
  const { steps, missing } = planSchema(EMPTY, [ARTICLE])
  t.strictSame(
    steps.map(({ kind }) => kind),
    ['table', 'index', 'index']
  )
  t.strictSame(missing, [])
})

t.test('nullable columns and those with a default are added, required ones are told', async (t) => {
  const { steps, missing } = planSchema(having('id', 'title'), [ARTICLE])
  t.strictSame(
    steps.map((step) => step.kind === 'column' && step.column.name),
    ['summary', 'stars']
  )
  t.strictSame(missing, [{ table: 'article', column: 'sku' }], 'and the index on it is not made')
})

t.test('a complete database is left alone, and so are columns that the entity does not know', async (t) => {
  const { columns, indexes = [] } = ARTICLE
  const existing = existingSchema(
    [
      ...columns.map(({ name, type, nullable }) => ({ ...column(name), fits: [type], required: nullable !== true })),
      { ...column('legacy'), required: false },
      { ...column('counted'), filled: true }
    ],
    [
      { table: 'article', name: 'article_pkey', columns: ['id'], unique: true, where: null },
      ...indexes.map((index) => ({
        table: 'article',
        name: indexName('article', index),
        columns: index.columns.map(String),
        unique: index.unique === true,
        where: null
      }))
    ]
  )
  t.strictSame(planSchema(existing, [ARTICLE]), { steps: [], missing: [], renamed: [], unindexed: [], drift: [] })
})

t.test('names of indexes are their own, and short enough for every database', async (t) => {
  const long = 'x'.repeat(60)
  const names = [
    indexName('t', { columns: ['a_b', 'c'] }),
    indexName('t', { columns: ['a', 'b_c'] }),
    indexName('t', { columns: ['a', 'b_c'], unique: true }),
    indexName('t', { columns: [['a', 'desc'], 'b_c'] }),
    indexName(long, { columns: [`${long}1`] }),
    indexName(long, { columns: [`${long}2`] })
  ]
  t.equal(new Set(names).size, names.length)
  t.ok(names.every((name) => Buffer.byteLength(name) <= 63))
})
