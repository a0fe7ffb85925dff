/** Filters that would widen a query are refused. */
import t from 'tap'
import { readFilter } from '../../src/paging/read-filter.ts'

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
