/** Page queries: defaults, the closing id, refusals. */
import t from 'tap'
import { readPage } from '../../src/paging/read-page.ts'

const fields = { fields: ['name', 'id'], fallback: ['name', 'DESC'] } as const

const rows: [given: object, order: unknown][] = [
  [
    {},
    [
      ['name', 'DESC'],
      ['id', 'ASC']
    ]
  ],
  [
    { order: [] },
    [
      ['name', 'DESC'],
      ['id', 'ASC']
    ]
  ],
  [{ order: [['id', 'DESC']] }, [['id', 'DESC']]],
  [
    { order: [['name', 'ASC']] },
    [
      ['name', 'ASC'],
      ['id', 'ASC']
    ]
  ]
]

for (const [given, order] of rows) {
  t.test(`order of ${JSON.stringify(given)}`, async (t) => {
    t.strictSame(readPage(given, fields), { limit: 50, offset: 0, order })
  })
}

t.test('limits and offsets pass as they are', async (t) => {
  t.match(readPage({ limit: 1000, offset: 7 }, fields), { limit: 1000, offset: 7 })
})

t.test('refusals name what is wrong', async (t) => {
  const page = (query: object) => () => readPage(query as never, fields)
  t.throws(page({ order: [['x', 'ASC']] }), { code: 'SVC_STORE_SORT', statusCode: 400, message: /"x".*name, id/ })
  t.throws(page({ order: [['name', 'up']] }), { code: 'SVC_STORE_PAGE', message: /order of name must be ASC or DESC/ })
  t.throws(page({ limit: 0 }), { code: 'SVC_STORE_PAGE', message: /limit must be an integer from 1 to 1000/ })
  t.throws(page({ offset: -1 }), { code: 'SVC_STORE_PAGE', message: /offset/ })
})
