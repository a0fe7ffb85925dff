/** Provisioning over HTTP: users, groups and their roles, what deprovisioning ends, and what no organisation reaches of another. */
import type { FastifyInstance } from 'fastify'
import { type UserStore, userStore } from 'svc-security/stores'
import t from 'tap'
import { API } from '../support/organizations-app.ts'
import { provisioned, SCIM, user } from '../support/provisioned.ts'

/** The store of users, for accounts that no API makes. */
function usersOf({ stores }: FastifyInstance): { readonly users: UserStore } {
  const { store } = stores.select(userStore, 'auto')
  if (store === null) throw new Error('no users')
  return { users: store }
}

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

t.test(
  'provisioning joins no account of a stranger, who signed up with an address that was never proven',
  async (t) => {
    const { app, ada, acme, key } = await provisioned(t)
    const stranger = await app.user('bob@example.org')
    app.unproven.add('bob@example.org')
    const refused = await key.post(`${SCIM}/Users`, user('bob@example.org'))
    t.match([refused.statusCode, refused.json()], [409, { scimType: 'uniqueness', detail: /never proven/ }])
    t.equal((await stranger.get('/api/at/acme/active')).statusCode, 404)
    t.equal((await key.get(`${SCIM}/Users`)).json().totalResults, 1)
    app.unproven.delete('bob@example.org')
    t.equal((await key.post(`${SCIM}/Users`, user('bob@example.org'))).statusCode, 201, 'once it is proven')

    app.unproven.add('eve@example.org')
    const made = await key.post(`${SCIM}/Users`, user('eve@example.org'))
    t.equal(made.statusCode, 201, made.body)
    t.equal((await key.delete(`${SCIM}/Users/${made.json().id}`)).statusCode, 204)
    const again = await key.post(`${SCIM}/Users`, user('eve@example.org'))
    t.equal(again.statusCode, 201, 'an account that this provisioning made comes back')
    const { domains } = (await ada.get(`${API}/acme/domains`)).json()
    const { fastify } = app
    await fastify.userAccounts.create({
      identifier: 'old@example.org',
      password: 'correct horse battery',
      roles: [],
      metadata: { provisionedBy: 'org_of_somebody_else' }
    })
    app.unproven.add('old@example.org')
    t.equal((await key.post(`${SCIM}/Users`, user('old@example.org'))).statusCode, 409, 'one that another one made')

    const { users } = usersOf(fastify)
    const account = { provider: 'entra', subject: 's1' }
    const { id } = await users.create({ identifier: 'sue@example.org', socialAccounts: [account] })
    app.unproven.add('sue@example.org')
    t.equal(
      (await key.post(`${SCIM}/Users`, user('sue@example.org'))).statusCode,
      409,
      'the domain requires no provider'
    )
    const required = await ada.patch(`${API}/acme/domains/${domains[0].id}`, { provider: 'entra' })
    t.equal(required.statusCode, 200, required.body)
    t.equal(
      (await key.post(`${SCIM}/Users`, user('sue@example.org'))).statusCode,
      201,
      'made by a login at its provider'
    )
    t.equal((await fastify.organizations.of({ id })).length, 1)

    const { id: later } = await users.create({ identifier: 'tom@example.org' })
    app.unproven.add('tom@example.org')
    app.clock.advance(1)
    await users.linkSocialAccount(later, 'entra', 's2')
    t.equal((await key.post(`${SCIM}/Users`, user('tom@example.org'))).statusCode, 409, 'a link that came later')
    t.equal((await fastify.organizations.members(acme)).length, 4)
  }
)

t.test('PATCH with the bodies that Entra and Okta send', async (t) => {
  const { key } = await provisioned(t)
  const made = await key.post(
    `${SCIM}/Users`,
    user('bob@example.org', { emails: [{ primary: true, type: 'work', value: 'a@x' }] })
  )
  const url = `${SCIM}/Users/${made.json().id}`
  const schemas = ['urn:ietf:params:scim:api:messages:2.0:PatchOp']
  const patch = async (operations: object[]) => {
    const answer = await key.patch(url, { schemas, Operations: operations })
    t.equal(answer.statusCode, 200, answer.body)
    return (await key.get(url)).json()
  }
  const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
  t.match(
    await patch([
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'b@x' },
      { op: 'Add', path: `${enterprise}:department`, value: 'Sales' },
      { op: 'Replace', path: 'displayName', value: 'Bob' }
    ]),
    {
      emails: [{ primary: true, type: 'work', value: 'b@x' }],
      displayName: 'Bob',
      [enterprise]: { department: 'Sales' }
    },
    'Entra'
  )
  t.match(await patch([{ op: 'Replace', path: 'active', value: 'False' }]), { active: false, displayName: 'Bob' })
  t.match(await patch([{ op: 'Add', path: 'active', value: 'True' }]), { active: true })
  t.match(
    await patch([{ op: 'replace', value: { active: false, 'name.givenName': 'Robert', id: 'other' } }]),
    { active: false, name: { givenName: 'Robert' }, id: made.json().id },
    'Okta, without a path'
  )
  t.match(await patch([{ op: 'replace', value: { active: true } }]), { active: true })
  const found = await key.get(`${SCIM}/Users?filter=${encodeURIComponent('emails[type eq "work"].value eq "B@X"')}`)
  t.equal(found.json().totalResults, 1, 'what was changed is found')

  const group = (await key.post(`${SCIM}/Groups`, { displayName: 'Sales' })).json().id
  const members = async (operation: object) => {
    const answer = await key.patch(`${SCIM}/Groups/${group}`, { schemas, Operations: [operation] })
    t.equal(answer.statusCode, 200, answer.body)
    return (await key.get(`${SCIM}/Groups/${group}`)).json().members.map(({ value }: { value: string }) => value)
  }
  const { id } = made.json()
  t.same(await members({ op: 'Add', path: 'members', value: [{ $ref: null, value: id }] }), [id])
  t.same(await members({ op: 'Remove', path: `members[value eq "${id}"]` }), [])
  t.same(await members({ op: 'add', path: 'members', value: [{ value: id, display: 'Bob' }] }), [id])
  t.same(await members({ op: 'Remove', path: 'members', value: [{ $ref: null, value: id }] }), [])
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
