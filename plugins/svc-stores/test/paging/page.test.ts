/** Pages, cursors and filters: what passes is completed, and nothing else passes. */
import t from 'tap'
import { decodeCursor, encodeCursor, readFilter, readPage } from '../../src/paging/page.ts'

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

t.test('a cursor comes back as it was', async (t) => {
  for (const position of [
    { ts: 0, id: 'a' },
    { ts: 1_767_225_600_000, id: 'aud_-_09AZ' }
  ]) {
    t.strictSame(decodeCursor(encodeCursor(position)), position)
  }
})

t.test('anything else is refused', async (t) => {
  for (const cursor of [
    '',
    '1',
    ':a',
    '1:',
    '1:a:b',
    ' 1:a',
    '1:a\n',
    '0x1:a',
    '-1:a',
    `1${'0'.repeat(15)}:a`,
    'NaN:a'
  ]) {
    t.throws(() => decodeCursor(cursor), { code: 'SVC_STORE_PAGE' }, JSON.stringify(cursor))
  }
})

const webhooks = { enabled: 'boolean', event: 'text', failing: 'boolean', q: 'text' } as const

t.test('a filter that fits passes as it is', async (t) => {
  const filter = { enabled: true, q: '', event: '*' }
  t.equal(readFilter(filter, webhooks), filter)
  t.strictSame(readFilter({ since: 0 }, { since: 'integer' }), { since: 0 })
})

const wrong: [filter: object, said: RegExp][] = [
  [{ enabledd: true }, /"enabledd".*enabled, event, failing, q/],
  [{ constructor: 'x' }, /"constructor"/],
  [{ enabled: 'true' }, /a value of type boolean/],
  [{ q: undefined }, /"q".*text/],
  [{ q: { $gt: '' } }, /"q".*text/]
]

for (const [filter, said] of wrong) {
  t.test(`refuses ${JSON.stringify(filter)}`, async (t) => {
    t.throws(() => readFilter(filter, webhooks), {
      code: 'SVC_STORE_FILTER',
      statusCode: 400,
      message: said
    })
  })
}
