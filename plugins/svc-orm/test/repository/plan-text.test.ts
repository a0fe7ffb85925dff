/** Plans of repository calls as text: what is asked, and no value. */
import { type Condition, NOTHING } from 'svc-stores/table'
import t from 'tap'
import { planText } from '../../src/repository/plan-text.ts'

const eq = (field: string): Condition => ({ field, operator: 'eq', value: 'hunter2' })

const PLANS: readonly (readonly [expected: string, where: readonly Condition[], selection?: object])[] = [
  ['find Note', []],
  ['find Note where author = ? and title = ?', [eq('author'), eq('title')]],
  ['find Note where nothing', [NOTHING]],
  [
    'find Note where (author = ? or title = ? and text = ?)',
    [{ operator: 'any', of: [[eq('author')], [eq('title'), eq('text')]] }]
  ],
  ['find Note where not (author = ?)', [{ operator: 'not', of: [eq('author')] }]],
  ['find Note where deletedAt is null', [{ field: 'deletedAt', operator: 'null', value: true }]],
  ['find Note where deletedAt is not null', [{ field: 'deletedAt', operator: 'null', value: false }]],
  ['find Note where id in (2 values)', [{ field: 'id', operator: 'in', values: ['hunter2', 'b'], orNull: false }]],
  ['find Note where paid < total', [{ field: 'paid', operator: 'fields', comparison: 'lt', other: 'total' }]],
  [
    'find Note where data.a.0 > ? and data.b held',
    [
      { field: 'data', operator: 'path', path: ['a', '0'], comparison: 'gt', value: 'hunter2' },
      { field: 'data', operator: 'path', path: ['b'], comparison: 'held' }
    ]
  ],
  [
    'find Note where placeId within (place where name = ?) and id on the path to (place where id = ?) to depth 2',
    (['down', 'up'] as const).map((direction) => ({
      ...{ operator: 'tree', field: direction === 'down' ? 'placeId' : 'id', key: 'id', parent: 'aboveId', direction },
      ...{ table: { name: 'place', columns: [] }, from: [eq(direction === 'down' ? 'name' : 'id')], of: [] },
      ...(direction === 'up' && { levels: 2 })
    }))
  ],
  [
    'find Note where sum of size among (id in first 3 of word.noteId where name = ?) < ? and count among (id in word.noteId) > total',
    [
      {
        ...{ operator: 'measured', field: 'id', column: 'noteId', of: [eq('name')], comparison: 'lt', value: 5 },
        table: { name: 'word', columns: [] } as never,
        measure: { of: 'sum', column: 'size' },
        first: { of: [], order: [], limit: 3 }
      } as Condition,
      {
        ...{ operator: 'measured', field: 'id', column: 'noteId', of: [], comparison: 'gt', other: 'total' },
        table: { name: 'word', columns: [] } as never,
        measure: { of: 'count' }
      } as Condition
    ]
  ],
  ['find Note where title like ?', [{ field: 'title', operator: 'like', pattern: 'hunter2%' }]],
  ['find Note where title contains ?', [{ field: 'title', operator: 'contains', text: 'hunter2' }]],
  ['find Note where tags holds ?', [{ field: 'tags', operator: 'holds', item: { a: 'hunter2' } }]],
  [
    'find Note where author in (writer.id where name = ?)',
    [
      {
        operator: 'related',
        field: 'author',
        table: { name: 'writer', columns: [] } as never,
        column: 'id',
        of: [eq('name')]
      }
    ]
  ],
  [
    'find Note where after (createdAt) order by createdAt desc limit 20 offset 40 locked',
    [{ operator: 'after', order: [{ field: 'createdAt', direction: 'DESC' }], values: ['hunter2'] }],
    { order: [{ field: 'createdAt', direction: 'DESC' }], limit: 20, offset: 40, lock: 'update' }
  ],
  [
    'find Note by state where author = ? having n > ? order by n asc',
    [eq('author')],
    {
      text: 'by state',
      having: [{ field: 'n', operator: 'gt', value: 'hunter2' }],
      order: [{ field: 'n', direction: 'ASC' }]
    }
  ]
]

t.test('each condition has a text, without its value', async (t) => {
  for (const [expected, where, selection] of PLANS) {
    const text = planText('find', 'Note', where, selection)
    t.equal(text, expected)
    t.notMatch(text, 'hunter2')
  }
})

t.test('a long plan is cut', async (t) => {
  const where = Array.from({ length: 200 }, (_, index) => eq(`field${index}`))
  const text = planText('count', 'Note', where)
  t.equal(text.length, 1000)
  t.match(text, /…$/)
})
