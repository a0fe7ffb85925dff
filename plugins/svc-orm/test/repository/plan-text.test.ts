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
