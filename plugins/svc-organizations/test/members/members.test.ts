/** Members, their roles, invitations and the transfer of the ownership, over the routes. */
import t from 'tap'
import { API, LINK, OrganizationsApp } from '../support/organizations-app.ts'

t.test('an organisation is made, renamed and listed by those who belong to it', async (t) => {
  const app = await OrganizationsApp.start(t)
  const [ada, bob] = [await app.user('ada@example.org'), await app.user('bob@example.org')]
  const acme = await app.organization(ada, 'acme')
  const taken = await bob.post(API, { slug: 'acme', name: 'Acme' })
  t.match([taken.statusCode, taken.json().code], [409, 'SVC_ORG_SLUG'])
  for (const slug of ['', 'A', 'a_b', '-a', 'a-', 'invitations', 'a'.repeat(64)]) {
    t.equal((await bob.post(API, { slug, name: 'x' })).statusCode, 400, slug)
  }
  t.equal((await app.fastify.inject({ url: API })).statusCode, 401)
  const renamed = await ada.patch(`${API}/acme`, { slug: 'acme-2', name: 'Acme Two' })
  t.match(renamed.json(), { id: acme, slug: 'acme-2', name: 'Acme Two', state: 'active' })
  t.equal((await ada.get(`${API}/acme`)).statusCode, 404)
  const { organizations } = (await ada.get(API)).json()
  t.match(organizations, [{ id: acme, role: 'owner' }])
  t.ok(organizations[0].permissions.includes('deletion'))
  t.same((await bob.get(API)).json(), { organizations: [] })
})

t.test('a user makes as many organisations as the options allow', async (t) => {
  const app = await OrganizationsApp.start(t, { options: { create: { maxPerUser: 1 } } })
  const ada = await app.user('ada@example.org')
  await app.organization(ada, 'acme')
  t.equal((await ada.post(API, { slug: 'b', name: 'b' })).json().code, 'SVC_ORG_LIMIT')
  t.equal((await ada.post(`${API}/acme/invitations`, { address: 'b@example.org', role: 'member' })).statusCode, 404)
})

t.test('nobody gives, changes or takes a role above the own', async (t) => {
  const app = await OrganizationsApp.start(t)
  const ada = await app.user('ada@example.org')
  const admin = await app.user('admin@example.org')
  await app.user('bob@example.org')
  const acme = await app.organization(ada, 'acme')
  const adminId = await app.member(acme, 'admin@example.org', 'admin')
  const bob = await app.member(acme, 'bob@example.org', 'reader')
  const [owner] = (await ada.get(`${API}/acme/members`)).json().members
  const members = `${API}/acme/members`
  t.equal((await admin.patch(`${members}/${bob}`, { role: 'clerk' })).statusCode, 200)
  for (const role of ['owner', 'nothing']) {
    const refused = await admin.patch(`${members}/${bob}`, { role })
    t.match(
      [refused.statusCode, refused.json().code],
      role === 'owner' ? [403, 'SVC_ORG_ROLE_ABOVE'] : [400, 'SVC_ORG_ROLE']
    )
  }
  t.equal((await admin.patch(`${members}/${adminId}`, { role: 'owner' })).statusCode, 403)
  t.equal((await admin.patch(`${members}/${owner.id}`, { role: 'reader' })).statusCode, 403)
  t.equal((await admin.delete(`${members}/${owner.id}`)).statusCode, 403)
  t.equal((await admin.post(`${API}/acme/invitations`, { address: 'x@example.org', role: 'owner' })).statusCode, 403)
  t.equal((await ada.patch(`${members}/${bob}`, { role: 'owner' })).statusCode, 200)
})

t.test('the last owner neither leaves nor loses the role, also of two who go at once', async (t) => {
  const app = await OrganizationsApp.start(t)
  const [ada, bob] = [await app.user('ada@example.org'), await app.user('bob@example.org')]
  const acme = await app.organization(ada, 'acme')
  const [owner] = (await ada.get(`${API}/acme/members`)).json().members
  t.equal((await ada.post(`${API}/acme/leave`)).json().code, 'SVC_ORG_LAST_OWNER')
  t.equal((await ada.patch(`${API}/acme/members/${owner.id}`, { role: 'reader' })).json().code, 'SVC_ORG_LAST_OWNER')
  await app.member(acme, 'bob@example.org', 'owner')
  const left = await Promise.all([ada, bob].map((each) => each.post(`${API}/acme/leave`)))
  t.same(left.map(({ statusCode }) => statusCode).sort(), [200, 409])
  t.equal((await app.fastify.organizations.members(acme)).length, 1)
})

t.test('an invitation takes the link and an account that has proven the invited address', async (t) => {
  const app = await OrganizationsApp.start(t)
  const [ada, bob, eve] = [
    await app.user('ada@example.org'),
    await app.user('bob@example.org'),
    await app.user('eve@example.org')
  ]
  const acme = await app.organization(ada, 'acme')
  const invite = () => ada.post(`${API}/acme/invitations`, { address: 'bob@EXAMPLE.org', role: 'clerk' })
  t.equal((await invite()).statusCode, 202)
  const first = (await app.tokens()).get('bob@example.org') ?? ''
  t.match(first, /^.{43}$/)
  await invite()
  const token = (await app.tokens()).get('bob@example.org') ?? ''
  const accept = `${API}/invitations/accept`
  const refusals = [await bob.post(accept, { token: first }), await eve.post(accept, { token })]
  app.unproven.add('bob@example.org')
  refusals.push(await bob.post(accept, { token }), await bob.post(accept, { token: 'x'.repeat(43) }))
  for (const { statusCode, json } of refusals) t.match([statusCode, json().code], [400, 'SVC_ORG_INVITATION'])
  t.equal(new Set(refusals.map(({ json }) => json().message)).size, 1)
  app.unproven.delete('bob@example.org')
  const stored = (await ada.get(`${API}/acme/invitations`)).body
  t.notMatch(stored, token)
  const joined = await bob.post(accept, { token })
  t.match(joined.json(), { organization: acme, role: 'clerk' })
  t.equal((await bob.post(accept, { token })).statusCode, 400)
  t.equal((await bob.get('/api/at/acme/billing')).statusCode, 200)
  t.same((await ada.get(`${API}/acme/invitations`)).json(), { invitations: [] })
})

t.test('an invitation that is over, revoked, or of a suspended organisation lets nobody in', async (t) => {
  const app = await OrganizationsApp.start(t)
  const [ada, bob] = [await app.user('ada@example.org'), await app.user('bob@example.org')]
  const acme = await app.organization(ada, 'acme')
  const invited = async () => {
    await ada.post(`${API}/acme/invitations`, { address: 'bob@example.org', role: 'reader' })
    return (await app.tokens()).get('bob@example.org') ?? ''
  }
  const accepts = async (token: string) => (await bob.post(`${API}/invitations/accept`, { token })).statusCode
  const old = await invited()
  app.clock.advance(7 * 86_400_000)
  t.equal(await accepts(old), 400)
  const revoked = await invited()
  const [open] = (await ada.get(`${API}/acme/invitations`)).json().invitations
  t.equal((await ada.delete(`${API}/acme/invitations/${open.id}`)).statusCode, 200)
  t.equal((await ada.delete(`${API}/acme/invitations/${open.id}`)).statusCode, 404)
  t.equal(await accepts(revoked), 400)
  const token = await invited()
  await app.fastify.organizations.suspend(acme, 'unpaid')
  t.equal(await accepts(token), 400)
  await app.fastify.organizations.resume(acme)
  t.equal(await accepts(token), 200)
  const bad = await ada.post(`${API}/acme/invitations`, { address: 'Bob <bob@example.org>', role: 'reader' })
  t.equal(bad.json().code, 'SVC_ORG_ADDRESS')
  t.match(LINK, 'https')
})

t.test('both sides agree to a transfer of the ownership', async (t) => {
  const app = await OrganizationsApp.start(t)
  const [ada, bob, eve] = [
    await app.user('ada@example.org'),
    await app.user('bob@example.org'),
    await app.user('eve@example.org')
  ]
  const acme = await app.organization(ada, 'acme')
  const to = await app.member(acme, 'bob@example.org', 'reader')
  await app.member(acme, 'eve@example.org', 'admin')
  const transfer = `${API}/acme/transfer`
  t.equal((await bob.post(`${transfer}/accept`)).statusCode, 404)
  t.equal((await eve.post(transfer, { to })).statusCode, 403)
  t.equal((await ada.post(transfer, { to })).statusCode, 202)
  t.same((await bob.get(transfer)).json(), { to })
  t.equal((await eve.post(`${transfer}/accept`)).statusCode, 404)
  t.equal((await ada.delete(transfer)).statusCode, 200)
  t.equal((await bob.post(`${transfer}/accept`)).statusCode, 404)
  await ada.post(transfer, { to })
  t.equal((await bob.post(`${transfer}/accept`)).statusCode, 200)
  const members = await app.fastify.organizations.members(acme)
  t.same(
    members.map(({ identifier, role }) => [identifier, role]),
    [
      ['ada@example.org', 'reader'],
      ['bob@example.org', 'owner'],
      ['eve@example.org', 'admin']
    ]
  )
  t.equal((await bob.post(`${API}/acme/leave`)).statusCode, 409)
})
