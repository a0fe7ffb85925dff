/** Provisioning over HTTP: users, groups and their roles, what deprovisioning ends, and what no organisation reaches of another. */
import type { PasswordCheck } from 'svc-security'
import t, { type Test } from 'tap'
import { API, type Caller, OrganizationsApp } from '../support/organizations-app.ts'

const SCIM = '/scim/v2'

interface Provisioned {
  readonly app: OrganizationsApp
  readonly ada: Caller
  readonly acme: string
  readonly key: Caller
}

/** An organisation with a proven domain, and the key of its provisioning system. */
async function provisioned(t: Test, passwordCheck?: PasswordCheck): Promise<Provisioned> {
  const records = new Map<string, string[][]>()
  const resolveTxt = async (name: string) => records.get(name) ?? []
  const app = await OrganizationsApp.start(t, {
    parts: { resolveTxt },
    ...(passwordCheck && { passwordCheck }),
    routes: (fastify) => {
      fastify.jobs.define('notes.count', {}, async () => undefined)
      fastify.post('/api/at/:organization/count', async () => (await fastify.jobs.add('notes.count')).id)
    }
  })
  const ada = await app.user('ada@example.com')
  const acme = await app.organization(ada, 'acme')
  const { id, record } = (await ada.post(`${API}/acme/domains`, { domain: 'example.org' })).json()
  records.set(record.name, [[record.value]])
  await ada.post(`${API}/acme/domains/${id}/verify`)
  const made = await ada.post(`${API}/acme/keys`, { name: 'entra', permissions: ['provisioning'] })
  return { app, ada, acme, key: app.key(made.json().token) }
}

const user = (userName: string, more: object = {}) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
  userName,
  ...more
})

t.test('users and keys are made without a password, and so without the rules for passwords', async (t) => {
  const rule: { refuses: string | null } = { refuses: null }
  const { app, ada, key } = await provisioned(t, () => rule.refuses)
  rule.refuses = 'is not accepted today'
  const made = await key.post(`${SCIM}/Users`, user('bob@example.org'))
  t.equal(made.statusCode, 201, made.body)
  await app.organization(ada, 'umbrella')
  const other = await ada.post(`${API}/umbrella/keys`, { name: 'ci', permissions: ['billing'] })
  t.ok(other.statusCode < 300, other.body)
})

t.test('a user is provisioned, found, changed and deprovisioned', async (t) => {
  const { app, key } = await provisioned(t)
  const made = await key.post(
    `${SCIM}/Users`,
    user('Bob@Example.org', { externalId: 'E1', name: { givenName: 'Bob' } })
  )
  t.equal(made.statusCode, 201, made.body)
  t.match(made.headers['content-type'], 'application/scim+json')
  const { id } = made.json()
  t.equal(made.headers.location, `${SCIM}/Users/${id}`)
  t.match(made.json(), { userName: 'bob@example.org', externalId: 'E1', active: true, name: { givenName: 'Bob' } })
  const again = await key.post(`${SCIM}/Users`, user('bob@example.org'))
  t.match([again.statusCode, again.json()], [409, { status: '409', scimType: 'uniqueness' }])
  for (const filter of [
    'userName eq "BOB@example.org"',
    'externalId eq "E1"',
    'userName sw "bob" and active eq true'
  ]) {
    const found = (await key.get(`${SCIM}/Users?filter=${encodeURIComponent(filter)}`)).json()
    t.match(found, { totalResults: 1, startIndex: 1, itemsPerPage: 1, Resources: [{ id }] }, filter)
  }
  const none = (await key.get(`${SCIM}/Users?filter=${encodeURIComponent('userName eq "nobody"')}`)).json()
  t.match(none, { totalResults: 0, Resources: [] })
  const bad = await key.get(`${SCIM}/Users?filter=nothing`)
  t.match([bad.statusCode, bad.json()], [400, { scimType: 'invalidFilter', status: '400' }])
  const off = await key.patch(`${SCIM}/Users/${id}`, {
    Operations: [{ op: 'Replace', path: 'active', value: 'False' }]
  })
  t.match([off.statusCode, off.json()], [200, { active: false, name: { givenName: 'Bob' } }])
  const on = await key.call('PUT', `${SCIM}/Users/${id}`, user('bob@example.org', { active: true }))
  t.equal(on.json().active, true)
  t.equal(on.json().name, undefined)
  const renamed = await key.patch(`${SCIM}/Users/${id}`, {
    Operations: [{ op: 'replace', value: { userName: 'rob@example.org' } }]
  })
  t.equal(renamed.json().userName, 'rob@example.org')
  t.ok(await app.fastify.userAccounts.find('rob@example.org'))
  await app.user('sue@example.org')
  const taken = await key.patch(`${SCIM}/Users/${id}`, {
    Operations: [{ op: 'replace', value: { userName: 'sue@example.org' } }]
  })
  t.match([taken.statusCode, taken.json()], [409, { scimType: 'uniqueness' }], 'the account of somebody else')
  t.equal((await key.get(`${SCIM}/Users/${id}`)).json().userName, 'rob@example.org')
  t.equal((await key.delete(`${SCIM}/Users/${id}`)).statusCode, 204)
  t.equal((await key.get(`${SCIM}/Users/${id}`)).statusCode, 404)
})

t.test('pages begin at 1, and hold every user once', async (t) => {
  const { key } = await provisioned(t)
  for (let index = 0; index < 5; index += 1) await key.post(`${SCIM}/Users`, user(`u${index}@example.org`))
  const seen: string[] = []
  for (const startIndex of [1, 3, 5]) {
    const page = (await key.get(`${SCIM}/Users?startIndex=${startIndex}&count=2`)).json()
    t.equal(page.totalResults, 6)
    seen.push(...page.Resources.map(({ userName }: { userName: string }) => userName))
  }
  t.equal(new Set(seen).size, 6)
  t.same((await key.get(`${SCIM}/Users?count=0`)).json().Resources, [])
  t.equal((await key.get(`${SCIM}/Users?count=x`)).statusCode, 400)
})

t.test(
  'deprovisioning ends the sessions, keys and jobs of the user, and closes the organisation to them',
  async (t) => {
    const { app, key } = await provisioned(t)
    const bob = await app.user('bob@example.org')
    const { id } = (await key.post(`${SCIM}/Users`, user('bob@example.org'))).json()
    const { apiKeys } = app.fastify.tokens
    const own = app.key((await apiKeys.create('bob@example.org', { name: 'own' })).token)
    t.equal((await own.get('/api/at/acme/active')).statusCode, 200)
    const job = (await bob.post('/api/at/acme/count')).body
    await key.patch(`${SCIM}/Users/${id}`, { Operations: [{ op: 'replace', value: { active: false } }] })
    t.equal((await bob.get('/api/at/acme/active')).statusCode, 404)
    t.equal((await own.get('/api/at/acme/active')).statusCode, 401)
    t.equal((await app.fastify.jobs.get(job)).state, 'cancelled')
    t.same((await bob.get(API)).json(), { organizations: [] })
    await key.patch(`${SCIM}/Users/${id}`, { Operations: [{ op: 'replace', value: { active: true } }] })
    t.equal((await bob.get('/api/at/acme/active')).statusCode, 200)
  }
)

t.test('groups give roles, and their members are changed as Entra and Okta do', async (t) => {
  const { app, key, acme } = await provisioned(t)
  const ids: string[] = []
  for (const name of ['a', 'b']) ids.push((await key.post(`${SCIM}/Users`, user(`${name}@example.org`))).json().id)
  const roles = async () => {
    const members = await app.fastify.organizations.members(acme)
    return members.slice(1).map(({ role }) => role)
  }
  t.same(await roles(), ['reader', 'reader'])
  const made = await key.post(`${SCIM}/Groups`, { displayName: 'Billing', members: [{ value: ids[0] }] })
  t.equal(made.statusCode, 201, made.body)
  t.same(await roles(), ['clerk', 'reader'])
  const group = `${SCIM}/Groups/${made.json().id}`
  await key.patch(group, { Operations: [{ op: 'Add', path: 'members', value: [{ value: ids[1] }] }] })
  t.same(await roles(), ['clerk', 'clerk'])
  await key.patch(group, { Operations: [{ op: 'Remove', path: `members[value eq "${ids[0]}"]` }] })
  t.same(await roles(), ['reader', 'clerk'])
  await key.patch(group, { Operations: [{ op: 'replace', value: { displayName: 'Admins' } }] })
  t.same(await roles(), ['reader', 'admin'])
  t.match((await key.get(`${SCIM}/Groups?excludedAttributes=members`)).json().Resources, [
    { displayName: 'Admins', members: undefined }
  ])
  const stranger = await key.patch(group, {
    Operations: [{ op: 'add', path: 'members', value: [{ value: 'nobody' }] }]
  })
  t.equal(stranger.statusCode, 400)
  t.equal((await key.post(`${SCIM}/Groups`, { displayName: 'Admins' })).statusCode, 409)
  t.equal((await key.delete(group)).statusCode, 204)
  t.same(await roles(), ['reader', 'reader'])
})

t.test('an organisation provisions its own people alone', async (t) => {
  const { app, ada, key } = await provisioned(t)
  const eve = await app.user('eve@example.com')
  await app.organization(eve, 'globex')
  const made = await eve.post(`${API}/globex/keys`, { name: 'k', permissions: ['provisioning'] })
  const foreign = app.key(made.json().token)
  const { id } = (await key.post(`${SCIM}/Users`, user('bob@example.org'))).json()
  for (const name of ['bob@example.org', 'eve@example.net', 'nobody']) {
    t.equal((await foreign.post(`${SCIM}/Users`, user(name))).statusCode, 400, name)
  }
  const off = { Operations: [{ op: 'replace', value: { active: false } }] }
  t.equal((await foreign.patch(`${SCIM}/Users/${id}`, off)).statusCode, 404)
  t.equal((await foreign.delete(`${SCIM}/Users/${id}`)).statusCode, 404)
  t.equal((await foreign.get(`${SCIM}/Users`)).json().totalResults, 1)
  t.equal((await foreign.post(`${SCIM}/Groups`, { displayName: 'x', members: [{ value: id }] })).statusCode, 400)
  const [owner] = (await key.get(`${SCIM}/Users`)).json().Resources
  t.equal(owner.userName, 'ada@example.com')
  t.equal((await key.patch(`${SCIM}/Users/${owner.id}`, off)).statusCode, 409, 'the last owner stays')
  t.equal((await key.delete(`${SCIM}/Users/${owner.id}`)).statusCode, 409)
  const rename = { Operations: [{ op: 'replace', value: { userName: 'ada@example.org' } }] }
  t.equal((await key.patch(`${SCIM}/Users/${owner.id}`, rename)).json().scimType, 'mutability')
  const weak = (await ada.post(`${API}/acme/keys`, { name: 'weak', permissions: ['billing'] })).json()
  t.equal((await app.key(weak.token).get(`${SCIM}/Users`)).statusCode, 403)
  t.equal((await app.fastify.inject({ url: `${SCIM}/Users` })).statusCode, 403)
})

t.test('a provisioning system reads what the service can', async (t) => {
  const { key } = await provisioned(t)
  t.match((await key.get(`${SCIM}/ServiceProviderConfig`)).json(), {
    patch: { supported: true },
    bulk: { supported: false }
  })
  t.equal((await key.get(`${SCIM}/Schemas`)).json().totalResults, 2)
  t.match((await key.get(`${SCIM}/Schemas/urn:ietf:params:scim:schemas:core:2.0:User`)).json(), { name: 'User' })
  t.match((await key.get(`${SCIM}/ResourceTypes/Group`)).json(), { endpoint: '/Groups' })
  t.equal((await key.get(`${SCIM}/ResourceTypes/Nothing`)).statusCode, 404)
  const broken = await key.call('POST', `${SCIM}/Users`, undefined, { 'content-type': 'application/scim+json' })
  t.equal(broken.statusCode, 400)
})
