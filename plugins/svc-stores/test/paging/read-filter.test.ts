/** Filters that would widen a query are refused. */
import t from 'tap'
import { filterTypes, readFilter } from '../../src/paging/read-filter.ts'

t.test('a filter that fits passes as it is', async (t) => {
  const filter = { enabled: true, q: '', event: '*' }
  t.equal(readFilter(filter, filterTypes.webhooks), filter)
  t.strictSame(readFilter({ since: 0 }, filterTypes.audit), { since: 0 })
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
    t.throws(() => readFilter(filter, filterTypes.webhooks), {
      code: 'SVC_STORE_FILTER',
      statusCode: 400,
      message: said
    })
  })
}
