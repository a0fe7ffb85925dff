/** Of two administrators who change one endpoint from what they saw, the later learns of the earlier. */
import t from 'tap'
import { openApp } from '../support/admin-app.ts'

const GIVEN = { url: 'https://a.example/hook', events: ['login.*'], description: 'first' }

t.test('Q7: a change of an endpoint may say what it was made from', async (t) => {
  const { call } = await openApp(t)
  const { id } = (await call('POST', '', { ...GIVEN, headers: { authorization: 'Bearer hidden-from-all' } })).body
    .endpoint
  const seen = await call('GET', `/${id}`)
  t.equal(seen.headers.etag, `"${seen.body.updatedAt}"`)
  const headers = { 'if-match': String(seen.headers.etag) }

  const first = await call('PATCH', `/${id}`, { description: 'theirs' }, { headers })
  t.equal(first.status, 200)
  t.equal(first.headers.etag, `"${first.body.updatedAt}"`)
  t.ok(first.body.updatedAt > seen.body.updatedAt, 'a new version, within the same millisecond too')
  t.match(first.body, { url: GIVEN.url, events: GIVEN.events }, 'what was not sent is as it was')

  const second = await call('PATCH', `/${id}`, { url: 'https://a.example/old', enabled: false }, { headers })
  t.match(second.body, { statusCode: 409, code: 'SVC_HTTP_CHANGED', current: { description: 'theirs', enabled: true } })
  t.same(second.body.current, first.body, 'with the endpoint as it is now, as it is always shown')
  t.notMatch(JSON.stringify(second.body), /hidden-from-all|gcm1|whsec/)
  t.match((await call('GET', `/${id}`)).body, { url: GIVEN.url, enabled: true })

  const again = { 'if-match': `"${second.body.current.updatedAt}"` }
  t.match((await call('PATCH', `/${id}`, { enabled: false }, { headers: again })).body, { enabled: false })
  t.match((await call('PATCH', `/${id}`, { enabled: true })).body, { enabled: true }, 'without one as before')
  t.equal((await call('PATCH', `/${id}`, { enabled: true }, { headers: { 'if-match': '"no version"' } })).status, 409)
})

t.test('Q7: of many changes at once from one version one wins', async (t) => {
  const { call } = await openApp(t)
  const { id, updatedAt } = (await call('POST', '', GIVEN)).body.endpoint
  const headers = { 'if-match': `"${updatedAt}"` }
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) => call('PATCH', `/${id}`, { description: `by ${index}` }, { headers }))
  )
  const won = answers.filter(({ status }) => status === 200)
  t.equal(won.length, 1)
  t.equal(answers.filter(({ status, body }) => status === 409 && body.code === 'SVC_HTTP_CHANGED').length, 9)
  t.equal((await call('GET', `/${id}`)).body.description, won[0]?.body.description)
})
