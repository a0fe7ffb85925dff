/** What a table that wraps another one does to conditions and orders: names, values, and what rows that are reached meet. */
import t from 'tap'
import type { Condition } from '../../src/table/condition.ts'
import { type Rewrite, rewriteConditions, rewriteOrder } from '../../src/table/rewrite-conditions.ts'
import type { SortKey, Step } from '../../src/table/sort-key.ts'
import type { TablePlan } from '../../src/table/table-plan.ts'

const owner: TablePlan = { name: 'owner', columns: [{ name: 'id', type: 'id' }] }
const open: TablePlan = { name: 'open', columns: [{ name: 'id', type: 'id' }] }

/** Names of columns of `meter` get an `m`, those of `owner` an `o`; those of `open` stay. Values of `key` are numbers below. */
const renaming: Rewrite = {
  column: (name) => `m_${name}`,
  value: (column, value) => (column === 'key' ? (Number(value) as typeof value) : value),
  of: (table) => (table === owner ? ofOwner : { of: renaming.of })
}
const ofOwner: Rewrite = { ...renaming, column: (name) => `o_${name}` }

const only = { column: 'tenant', value: 'a' }

/** Rows of `owner` are those of one tenant. */
const limiting: Rewrite = {
  of: (table) => (table === owner ? { of: limiting.of, only } : { of: limiting.of })
}

const named: Condition = { field: 'name', operator: 'eq', value: 'x' }
const ofTenant: Condition = { field: 'tenant', operator: 'eq', value: 'a' }

const RENAMED: readonly (readonly [Condition, Condition])[] = [
  [
    { field: 'key', operator: 'gte', value: '7' },
    { field: 'm_key', operator: 'gte', value: 7 }
  ],
  [
    { field: 'key', operator: 'nin', values: ['7', '8'], orNull: true },
    { field: 'm_key', operator: 'nin', values: [7, 8], orNull: true }
  ],
  [
    { field: 'a', operator: 'fields', comparison: 'lt', other: 'b' },
    { field: 'm_a', operator: 'fields', comparison: 'lt', other: 'm_b' }
  ],
  [
    { field: 'items', operator: 'holds', item: { key: '7' } },
    { field: 'm_items', operator: 'holds', item: { key: '7' } }
  ],
  [
    { field: 'data', operator: 'path', path: ['key'], comparison: 'eq', value: '7' },
    { field: 'm_data', operator: 'path', path: ['key'], comparison: 'eq', value: '7' }
  ],
  [
    { operator: 'any', of: [[named], []] },
    { operator: 'any', of: [[{ ...named, field: 'm_name' }], []] }
  ],
  [
    { operator: 'not', of: [{ field: 'name', operator: 'null', value: true }] },
    { operator: 'not', of: [{ field: 'm_name', operator: 'null', value: true }] }
  ],
  [
    { operator: 'related', field: 'by', table: owner, column: 'key', of: [named] },
    { operator: 'related', field: 'm_by', table: owner, column: 'o_key', of: [{ ...named, field: 'o_name' }] }
  ],
  [
    { operator: 'related', field: 'by', table: open, column: 'key', of: [named] },
    { operator: 'related', field: 'm_by', table: open, column: 'key', of: [named] }
  ],
  [
    {
      ...{ operator: 'measured', field: 'by', table: owner, column: 'key', of: [] },
      ...{ measure: { of: 'sum', column: 'price' }, comparison: 'lt', other: 'limit' },
      first: { of: [named], order: [{ field: 'name', direction: 'DESC' }], limit: 2 }
    },
    {
      ...{ operator: 'measured', field: 'm_by', table: owner, column: 'o_key', of: [] },
      ...{ measure: { of: 'sum', column: 'o_price' }, comparison: 'lt', other: 'm_limit' },
      first: { of: [{ ...named, field: 'o_name' }], order: [{ field: 'o_name', direction: 'DESC' }], limit: 2 }
    }
  ],
  [
    {
      operator: 'measured',
      ...{ field: 'by', table: owner, column: 'key', of: [], measure: { of: 'count' }, comparison: 'gt', value: 1 }
    },
    {
      operator: 'measured',
      ...{ field: 'm_by', table: owner, column: 'o_key', of: [], measure: { of: 'count' }, comparison: 'gt', value: 1 }
    }
  ]
]

for (const [given, expected] of RENAMED) {
  t.test(`other names: ${JSON.stringify(given).slice(0, 80)}`, async (t) => {
    t.strictSame(rewriteConditions([given], renaming), [expected])
  })
}

function ofKey(column: string, value: string | number): Pick<Step, 'only'> {
  const only = { column, value }
  return { only }
}

const path: SortKey = { field: 'x', direction: 'ASC', by: { kind: 'path', column: 'data', path: ['a'] } }
const counted: SortKey = {
  ...{ field: 'n', direction: 'DESC' },
  by: { kind: 'counted', field: 'id', table: owner, column: 'meter', unless: 'deletedAt' }
}
const reached: SortKey = {
  ...{ field: 'r', direction: 'ASC' },
  by: {
    ...{ kind: 'reached', column: 'key', required: true },
    steps: [
      { field: 'by', table: open, column: 'id' },
      { field: 'boss', table: owner, column: 'id', ...ofKey('key', '7') }
    ]
  }
}

t.test('orders of columns and of what rows reach get other names', async (t) => {
  t.strictSame(rewriteOrder([{ field: 'key', direction: 'ASC' }, path, counted, reached], renaming), [
    { field: 'm_key', direction: 'ASC' },
    { ...path, by: { ...path.by, column: 'm_data' } },
    { ...counted, by: { ...counted.by, field: 'm_id', column: 'o_meter', unless: 'o_deletedAt' } },
    {
      ...reached,
      by: {
        ...{ kind: 'reached', column: 'o_key', required: true },
        steps: [
          { field: 'm_by', table: open, column: 'id' },
          { field: 'boss', table: owner, column: 'o_id', ...ofKey('o_key', 7) }
        ]
      }
    }
  ])
})

t.test('a place in an order has the values and keys of the order', async (t) => {
  const order: readonly SortKey[] = [reached, path, { field: 'key', direction: 'ASC' }]
  t.strictSame(rewriteConditions([{ operator: 'after', order, values: ['7', '8', '9'] }], renaming), [
    { operator: 'after', order: rewriteOrder(order, renaming), values: [7, '8', 9] }
  ])
})

t.test('rows that a question reaches meet more, at any depth, and the rows of the question do not', async (t) => {
  const rows = { field: 'by', table: owner, column: 'id' } as const
  const deep: Condition = {
    operator: 'any',
    of: [[{ operator: 'not', of: [{ operator: 'related', ...rows, table: open, of: [] }] }]]
  }
  const deepest = (of: readonly Condition[], more: readonly Condition[]): Condition => ({
    operator: 'any',
    of: [
      [
        {
          operator: 'not',
          of: [
            { operator: 'related', ...rows, table: open, of: [{ operator: 'related', ...rows, of: [...of, ...more] }] }
          ]
        }
      ]
    ]
  })
  t.strictSame(rewriteConditions([named, deep, deepest([named], [])], limiting), [
    named,
    deep,
    deepest([named], [ofTenant])
  ])
  const first = { of: [named], order: [], limit: 1 }
  const measured = { operator: 'measured', ...rows, measure: { of: 'count' }, comparison: 'held' } as const
  t.strictSame(rewriteConditions([{ ...measured, of: [], first }], limiting), [
    { ...measured, of: [ofTenant], first: { ...first, of: [named, ofTenant] } }
  ])
})

t.test('what an order counts and reaches, and a place in it, is of the tenant', async (t) => {
  const order = [counted, reached]
  const expected = [
    { ...counted, by: { ...counted.by, only } },
    {
      ...reached,
      by: {
        ...{ kind: 'reached', column: 'key', required: true },
        steps: [
          { field: 'by', table: open, column: 'id' },
          { field: 'boss', table: owner, column: 'id', only }
        ]
      }
    }
  ]
  t.strictSame(rewriteOrder(order, limiting), expected)
  t.strictSame(rewriteConditions([{ operator: 'after', order, values: [1, 'x'] }], limiting), [
    { operator: 'after', order: expected, values: [1, 'x'] }
  ])
})

t.test('a condition takes the place of another one, and a column is refused', async (t) => {
  const sealing: Rewrite = {
    column: (name) => {
      if (name === 'secret') throw new TypeError(name)
      return name
    },
    condition: (condition) =>
      condition.field === 'secret' && condition.operator === 'eq'
        ? { field: 'hash', operator: 'in', values: ['h'], orNull: false }
        : null,
    of: () => sealing
  }
  const secret: Condition = { field: 'secret', operator: 'eq', value: 'x' }
  const hash: Condition = { field: 'hash', operator: 'in', values: ['h'], orNull: false }
  t.strictSame(rewriteConditions([named, secret, { operator: 'not', of: [secret] }], sealing), [
    named,
    hash,
    { operator: 'not', of: [hash] }
  ])
  const rows = { field: 'by', table: owner, column: 'id', of: [] } as const
  const refused: readonly Condition[] = [
    { field: 'secret', operator: 'like', pattern: '%' },
    { field: 'name', operator: 'fields', comparison: 'eq', other: 'secret' },
    { operator: 'after', order: [{ field: 'secret', direction: 'ASC' }], values: ['x'] },
    { operator: 'measured', ...rows, measure: { of: 'max', column: 'secret' }, comparison: 'held' },
    { operator: 'measured', ...rows, measure: { of: 'count' }, comparison: 'eq', other: 'secret' },
    {
      ...{ operator: 'related', ...rows },
      first: { of: [], order: [{ field: 'secret', direction: 'ASC' }], limit: 1 }
    }
  ]
  for (const condition of refused) {
    t.throws(() => rewriteConditions([condition], sealing), { message: 'secret' }, JSON.stringify(condition))
  }
})

t.test('questions that nothing changes are the same objects', async (t) => {
  const conditions = [named]
  const order: readonly SortKey[] = [{ field: 'name', direction: 'ASC' }]
  t.equal(rewriteConditions(conditions, limiting), conditions)
  t.equal(rewriteOrder(order, limiting), order)
})
