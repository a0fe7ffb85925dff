/** Keys of an organisation: what they may, whose they are, their limits, rotation and end. */
import t from 'tap'
import { API, EVERY_SECTION, OrganizationsApp } from '../support/organizations-app.ts'

t.test('a key belongs to its organisation, with permissions that its maker has', async (t) => {
  const app = await OrganizationsApp.start(t)
  const [ada, admin] = [await app.user('ada@example.org'), await app.user('admin@example.org')]
  const acme = await app.organization(ada, 'acme')
  await app.organization(ada, 'globex')
  const member = await app.member(acme, 'admin@example.org', 'admin')
  const keys = `${API}/acme/keys`
  t.equal((await admin.post(keys, { name: 'x', permissions: ['deletion'] })).json().code, 'SVC_ORG_PERMISSION_ABOVE')
  const made = (await admin.post(keys, { name: 'ci', permissions: ['billing', 'members'] })).json()
  const key = app.key(made.token)
  t.same((await key.get('/api/billing')).json(), { organization: acme })
  t.same((await key.get('/api/at/acme/billing')).json(), { organization: acme })
  t.equal((await key.get('/api/at/globex/billing')).statusCode, 404)
  t.equal((await key.get('/api/billing', { 'x-organization': 'globex' })).statusCode, 404)
  t.equal((await key.get(API)).statusCode, 404)
  t.equal((await key.patch(`${API}/acme`, { name: 'x' })).statusCode, 403)
  t.equal((await key.get(`${API}/acme/members`)).json().members.length, 2)
  t.equal((await key.post(`${API}/acme/leave`)).json().code, 'SVC_ORG_PERSON')
  t.equal((await key.patch(`${API}/acme/members/${member}`, { role: 'owner' })).statusCode, 403)
  await ada.delete(`${API}/acme/members/${member}`)
  t.equal((await key.get('/api/billing')).statusCode, 200)
  t.match((await ada.get(keys)).json().keys, [{ id: made.id, name: 'ci', permissions: ['billing', 'members'] }])
  t.notMatch((await ada.get(keys)).body, made.token)
})

t.test('a rotation gives a new key, and the old one ends', async (t) => {
  const app = await OrganizationsApp.start(t)
  const ada = await app.user('ada@example.org')
  await app.organization(ada, 'acme')
  await app.organization(ada, 'globex')
  const keys = `${API}/acme/keys`
  const before = (await ada.post(keys, { name: 'ci', permissions: ['billing'], expiresInDays: 30 })).json()
  t.equal((await ada.post(`${API}/globex/keys/${before.id}/rotate`)).statusCode, 404)
  t.equal((await ada.delete(`${API}/globex/keys/${before.id}`)).statusCode, 404)
  const after = (await ada.post(`${keys}/${before.id}/rotate`)).json()
  t.match(after, { name: 'ci', permissions: ['billing'], expiresAt: before.expiresAt })
  t.equal((await app.key(before.token).get('/api/billing')).statusCode, 401)
  t.equal((await app.key(after.token).get('/api/billing')).statusCode, 200)
  t.equal((await ada.delete(`${keys}/${after.id}`)).statusCode, 200)
  t.equal((await app.key(after.token).get('/api/billing')).statusCode, 401)
  t.equal((await ada.delete(`${keys}/unknown`)).statusCode, 404)
})

t.test('a rotation with an overlap leaves both keys valid for a while, and no longer', async (t) => {
  const app = await OrganizationsApp.start(t)
  const ada = await app.user('ada@example.org')
  await app.organization(ada, 'acme')
  const keys = `${API}/acme/keys`
  const made = async (more: object = {}) =>
    (await ada.post(keys, { name: 'ci', permissions: ['billing'], ...more })).json<{ id: string; token: string }>()
  const works = async ({ token }: { readonly token: string }) =>
    (await app.key(token).get('/api/billing')).statusCode === 200
  const before = await made({ expiresInDays: null })
  for (const overlapS of [-1, 604_801, 1.5, 'x']) {
    t.equal((await ada.post(`${keys}/${before.id}/rotate`, { overlapS })).statusCode, 400, String(overlapS))
  }
  app.clock.advance(1)
  const after = (await ada.post(`${keys}/${before.id}/rotate`, { overlapS: 3600 })).json()
  t.same([await works(before), await works(after)], [true, true])
  const { keys: listed } = (await ada.get(keys)).json()
  const until = app.clock.now() + 3_600_000
  t.match(listed, [
    { id: after.id, expiresAt: null },
    { id: before.id, expiresAt: until }
  ])
  await app.elapse(3_599_999)
  t.same([await works(before), await works(after)], [true, true])
  await app.elapse(1)
  t.same([await works(before), await works(after)], [false, true])

  const short = await made({ expiresInDays: 1 })
  const next = (await ada.post(`${keys}/${short.id}/rotate`, { overlapS: 604_800 })).json()
  await app.elapse(86_400_000)
  t.same([await works(short), await works(next)], [false, false], 'no key lives longer than it would')

  const stays = await made()
  const second = (await ada.post(`${keys}/${stays.id}/rotate`, { overlapS: 60 })).json()
  t.equal((await ada.delete(`${keys}/${stays.id}`)).statusCode, 200)
  t.same([await works(stays), await works(second)], [false, true], 'the old one can be revoked before')
})

t.test('each key has its limit, and all of an organisation share another', async (t) => {
  const options = { ...EVERY_SECTION, keys: { rate: '2/hour', organizationRate: '3/hour' } }
  const app = await OrganizationsApp.start(t, { options })
  const ada = await app.user('ada@example.org')
  await app.organization(ada, 'acme')
  const make = async () => {
    const { token } = (await ada.post(`${API}/acme/keys`, { name: 'k', permissions: ['billing'] })).json()
    return app.key(token)
  }
  const [one, two] = [await make(), await make()]
  const asked = [one, one, one, two, two]
  const answers = []
  for (const key of asked) answers.push(await key.get('/api/billing'))
  t.same(
    answers.map(({ statusCode }) => statusCode),
    [200, 200, 429, 200, 429]
  )
  t.match(answers[2]?.headers['retry-after'], /^\d+$/)
  t.equal((await ada.get('/api/at/acme/billing')).statusCode, 200)
})
