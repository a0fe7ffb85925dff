/** Bodies that nobody would send: each is taken or refused, none is an error of ours. */
import fc from 'fast-check'
import t from 'tap'
import { openApp } from '../support/admin-app.ts'

const url = fc.oneof(fc.webUrl(), fc.string(), fc.constant('https://a.example/'), fc.jsonValue())
const pattern = fc.oneof(
  fc.constantFrom('*', 'login.*', 'login.failure', 'a..b', '.*', '**'),
  fc.string(),
  fc.jsonValue()
)
const body = fc.oneof(
  fc.jsonValue(),
  fc.record(
    {
      url,
      events: fc.oneof(fc.array(pattern, { maxLength: 4 }), fc.jsonValue()),
      description: fc.oneof(fc.string({ unit: 'binary' }), fc.jsonValue()),
      enabled: fc.oneof(fc.boolean(), fc.jsonValue()),
      metadata: fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue())
    },
    { requiredKeys: [] }
  )
)

const STATUSES = new Set([200, 201, 400, 422])

t.test('creations and changes', async (t) => {
  const { call } = await openApp(t)
  const { id } = (await call('POST', '', { url: 'https://a.example/', events: ['*'] })).body.endpoint
  const headers = { 'content-type': 'application/json' }
  await fc.assert(
    fc.asyncProperty(body, async (given) => {
      const payload = JSON.stringify(given)
      const made = await call('POST', '', undefined, { payload, headers })
      const changed = await call('PATCH', `/${id}`, undefined, { payload, headers })
      if (made.status === 201) await call('DELETE', `/${made.body.endpoint.id}`)
      return STATUSES.has(made.status) && STATUSES.has(changed.status)
    }),
    { numRuns: 400 }
  )
  t.equal((await call('GET', `/${id}`)).status, 200, 'the endpoint can still be read')
})

t.test('queries of the listing', async (t) => {
  const { call } = await openApp(t)
  const name = fc.oneof(
    fc.constantFrom('limit', 'offset', 'order', 'sort', 'enabled', 'event', 'failing', 'q'),
    fc.string()
  )
  const value = fc.oneof(fc.string(), fc.integer().map(String), fc.constantFrom('true', 'url:ASC', 'id:DESC,url:ASC'))
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(name, value), { maxLength: 4 }), async (pairs) => {
      const { status } = await call('GET', `?${new URLSearchParams(pairs).toString()}`)
      return status === 200 || status === 400
    }),
    { numRuns: 400 }
  )
  t.equal((await call('GET')).status, 200)
})
