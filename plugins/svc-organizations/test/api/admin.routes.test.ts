/** Organisations as administrators of the application see and change them. */
import type { RouteReport } from 'svc-security'
import t from 'tap'
import { Dns } from '../support/dns.ts'
import { API, type Caller, EVERY_SECTION, LINK, OrganizationsApp } from '../support/organizations-app.ts'

const ADMIN = '/svc/organizations/api/organizations'

/** By hand, so that a route that loses its guard is missed. */
const READS = ['', '/:id', '/:id/members', '/:id/invitations', '/:id/keys', '/:id/domains', '/:id/deletion/export']
const CHANGES = [
  'POST /:id/suspend',
  'POST /:id/resume',
  'DELETE /:id/members/:member',
  'DELETE /:id/invitations/:invitation',
  'DELETE /:id/keys/:key',
  'POST /:id/transfer',
  'DELETE /:id/transfer',
  'POST /:id/deletion',
  'POST /:id/deletion/cancel'
]

const requirementsOf = ({ requirement }: RouteReport) => (requirement ?? []).flat().map(({ attribute }) => attribute)

t.test('every route is for administrators, and a change by a machine needs its scope', async (t) => {
  const app = await OrganizationsApp.start(t)
  const routes = app.fastify.firewall.report().filter(({ path }) => path.startsWith(ADMIN))
  const found = new Map(routes.map((route) => [`${route.method} ${route.path.slice(ADMIN.length)}`, route]))
  t.strictSame([...found.keys()].sort(), [...READS.map((path) => `GET ${path}`), ...CHANGES].sort())
  const [owner, root] = [await app.user('ada@example.org'), await app.user('root', ['ROLE_SVC_ADMIN'])]
  const acme = await app.organization(owner, 'acme')
  const { token } = await app.fastify.tokens.apiKeys.create('root', { name: 'ci', scopes: ['org:members'] })
  const machine = app.key(token)
  for (const [name, route] of found) {
    const [method = 'GET', path = ''] = name.split(' ')
    t.ok(requirementsOf(route).includes('ROLE_SVC_ADMIN'), name)
    const url = `${ADMIN}${path.replace(':id', acme).replace(/:\w+/, 'x')}`
    const body = method === 'POST' ? {} : undefined
    const as = (caller: Caller) => caller.call(method as 'GET', url, body)
    t.equal((await as(owner)).statusCode, 403, `${name} for an owner of the organisation`)
    t.ok([401, 403].includes((await app.fastify.inject({ method: method as 'GET', url })).statusCode), name)
    if (method !== 'GET') t.equal((await as(machine)).statusCode, 403, `${name} for a machine`)
  }
  t.equal((await machine.get(ADMIN)).statusCode, 200)
  t.equal((await root.get(`${ADMIN}?offset=1&nonsense=1`)).statusCode, 400)
})

t.test('a plain form of another page posts nothing', async (t) => {
  const app = await OrganizationsApp.start(t)
  const [ada, root] = [await app.user('ada@example.org'), await app.user('root', ['ROLE_SVC_ADMIN'])]
  const acme = await app.organization(ada, 'acme')
  for (const change of CHANGES.filter((each) => each.startsWith('POST '))) {
    const url = `${ADMIN}${change.slice(5).replace(':id', acme)}`
    for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=x']) {
      const headers = { 'content-type': type, 'x-user': 'root', 'x-roles': 'ROLE_SVC_ADMIN' }
      const answer = await app.fastify.inject({ method: 'POST', url, headers, payload: 'reason=x' })
      t.equal(answer.statusCode, 415, `${change} as ${type}`)
    }
  }
  t.match((await root.get(`${ADMIN}/${acme}`)).json(), { state: 'active' })
})

t.test('a listing searches, filters and counts members', async (t) => {
  const app = await OrganizationsApp.start(t)
  const [ada, root] = [await app.user('ada@example.org'), await app.user('root', ['ROLE_SVC_ADMIN'])]
  await app.user('bob@example.org')
  const ids: Record<string, string> = {}
  for (const slug of ['acme', 'globex', 'initech']) {
    ids[slug] = await app.organization(ada, slug)
    app.clock.advance(1)
  }
  await app.member(ids.globex ?? '', 'bob@example.org', 'reader')
  await root.post(`${ADMIN}/${ids.initech}/suspend`, { reason: 'unpaid' })
  await ada.post(`${API}/acme/deletion`)
  const list = async (query: string) => {
    const { organizations, hasNext } = (await root.get(ADMIN + query)).json()
    const shown = organizations.map(({ slug, members }: { slug: string; members: number }) => `${slug} ${members}`)
    return [...shown, ...(hasNext ? ['more'] : [])]
  }
  t.strictSame(await list(''), ['initech 1', 'globex 2', 'acme 1'])
  t.strictSame(await list('?limit=1'), ['initech 1', 'more'])
  t.strictSame(await list('?limit=1&offset=2'), ['acme 1'])
  t.strictSame(await list('?q=GLOB'), ['globex 2'])
  t.strictSame(await list('?q=%25'), [])
  t.strictSame(await list('?state=active'), ['globex 2'])
  t.strictSame(await list('?state=suspended'), ['initech 1'])
  t.strictSame(await list('?state=closing'), ['acme 1'])
  t.strictSame(await list('?state=closing&q=glob'), [])
  for (const query of ['?state=gone', '?limit=0', '?limit=201', `?q=${'x'.repeat(201)}`, '?q=']) {
    t.equal((await root.get(ADMIN + query)).statusCode, 400, query)
  }
})

t.test('one organisation: members, invitations, keys without secrets, domains', async (t) => {
  const dns = new Dns()
  const app = await OrganizationsApp.start(t, { parts: { resolveTxt: dns.resolve } })
  const [ada, root] = [await app.user('ada@example.org'), await app.user('root', ['ROLE_SVC_ADMIN'])]
  const bob = await app.user('bob@example.org')
  const [acme, globex] = [await app.organization(ada, 'acme'), await app.organization(ada, 'globex')]
  app.clock.advance(1)
  const member = await app.member(acme, 'bob@example.org', 'clerk')
  await ada.post(`${API}/acme/invitations`, { address: 'eve@example.org', role: 'reader' })
  const key = (await ada.post(`${API}/acme/keys`, { name: 'ci', permissions: ['billing'] })).json()
  const claimed = (await ada.post(`${API}/acme/domains`, { domain: 'example.org' })).json()
  dns.records.set(claimed.record.name, [[claimed.record.value]])
  await ada.post(`${API}/acme/domains/${claimed.id}/verify`)

  const read = async (path: string) => (await root.get(`${ADMIN}/${acme}${path}`)).json()
  const on = { invitations: true, transfer: true, deletion: true, keys: true, domains: true }
  t.match(await read(''), { id: acme, slug: 'acme', state: 'active', members: 2, transferTo: null, sections: on })
  t.match(await read('/members?limit=1'), {
    members: [{ identifier: 'ada@example.org', role: 'owner' }],
    hasNext: true
  })
  t.match(await read('/members?offset=1'), { members: [{ id: member, role: 'clerk' }], hasNext: false })
  const { invitations } = await read('/invitations')
  t.match(invitations, [{ address: 'eve@example.org', role: 'reader', invitedBy: 'ada@example.org' }])
  t.notMatch(JSON.stringify(invitations), /hash|token/)
  const { keys } = await read('/keys')
  t.match(keys, [{ id: key.id, name: 'ci', permissions: ['billing'], lastUsedAt: null }])
  t.notMatch(JSON.stringify(keys), key.token)
  t.match((await read('/domains')).domains, [{ domain: 'example.org', verified: true, record: claimed.record }])
  for (const path of ['', '/members', '/invitations', '/keys', '/domains']) {
    t.match((await root.get(`${ADMIN}/org_none${path}`)).json(), { statusCode: 404, code: 'SVC_ORG_NOT_FOUND' }, path)
  }

  const change = async (path: string, id = acme) => {
    const { statusCode, json } = await root.delete(`${ADMIN}/${id}${path}`)
    return statusCode === 200 ? 200 : json().code
  }
  const [owner] = (await read('/members')).members
  t.equal(await change(`/members/${owner.id}`), 'SVC_ORG_LAST_OWNER')
  t.equal(await change(`/members/${member}`, globex), 'SVC_ORG_MEMBER')
  t.equal((await bob.get('/api/at/acme/notes')).statusCode, 200)
  t.equal(await change(`/members/${member}`), 200)
  t.equal((await bob.get('/api/at/acme/notes')).statusCode, 404)
  t.equal(await change(`/keys/${key.id}`, globex), 'SVC_ORG_KEY')
  t.equal((await app.key(key.token).get('/api/billing')).statusCode, 200)
  t.equal(await change(`/keys/${key.id}`), 200)
  t.equal((await app.key(key.token).get('/api/billing')).statusCode, 401)
  t.equal(await change(`/invitations/${invitations[0].id}`, globex), 'SVC_ORG_NO_INVITATION')
  t.equal(await change(`/invitations/${invitations[0].id}`), 200)
  t.strictSame((await read('/invitations')).invitations, [])
})

t.test('the ownership is offered in the name of an owner, and the member accepts it', async (t) => {
  const app = await OrganizationsApp.start(t)
  const [ada, root] = [await app.user('ada@example.org'), await app.user('root', ['ROLE_SVC_ADMIN'])]
  const bob = await app.user('bob@example.org')
  const acme = await app.organization(ada, 'acme')
  app.clock.advance(1)
  const to = await app.member(acme, 'bob@example.org', 'clerk')
  const url = `${ADMIN}/${acme}/transfer`
  const [{ id: from }] = (await root.get(`${ADMIN}/${acme}/members`)).json().members
  for (const body of [
    { from: to, to: from },
    { from, to: from },
    { from, to: 'none' },
    { from: 'none', to }
  ]) {
    t.equal((await root.post(url, body)).json().code, 'SVC_ORG_MEMBER', JSON.stringify(body))
  }
  t.equal((await bob.post(`${API}/acme/transfer/accept`)).statusCode, 404)
  t.equal((await root.post(url, { from, to })).statusCode, 202)
  t.match((await root.get(`${ADMIN}/${acme}`)).json(), { transferFrom: from, transferTo: to })
  t.equal((await root.delete(url)).statusCode, 200)
  t.equal((await bob.post(`${API}/acme/transfer/accept`)).statusCode, 404, 'withdrawn')
  await root.post(url, { from, to })
  t.equal((await bob.post(`${API}/acme/transfer/accept`)).statusCode, 200)
  const { members } = (await root.get(`${ADMIN}/${acme}/members`)).json()
  t.match(members, [
    { identifier: 'ada@example.org', role: 'clerk' },
    { identifier: 'bob@example.org', role: 'owner' }
  ])
  t.equal((await root.delete(`${ADMIN}/org_none/transfer`)).statusCode, 404)
})

t.test('a deletion by an administrator: the export needs the role of data, too', async (t) => {
  const app = await OrganizationsApp.start(t)
  const [ada, root] = [await app.user('ada@example.org'), await app.user('root', ['ROLE_SVC_ADMIN'])]
  const keeper = await app.user('keeper', ['ROLE_SVC_ADMIN', 'ROLE_SVC_DATA'])
  const acme = await app.organization(ada, 'acme')
  const url = `${ADMIN}/${acme}/deletion`
  const going = await root.post(url)
  t.equal(going.statusCode, 202)
  t.equal(going.json().deleteAt, app.clock.now() + 30 * 86_400_000)
  t.equal((await ada.get('/api/at/acme/notes')).json().code, 'SVC_ORG_CLOSING')
  t.equal((await keeper.get(`${url}/export`)).json().code, 'SVC_ORG_NO_EXPORT')
  await app.fastify.jobs.drain()
  t.equal((await root.get(`${ADMIN}/${acme}`)).json().exportedAt, app.clock.now())
  t.equal((await root.get(`${url}/export`)).statusCode, 403)
  const archive = await keeper.get(`${url}/export`)
  t.match(archive.json(), { organization: { slug: 'acme' }, members: [{ identifier: 'ada@example.org' }] })
  t.match(archive.headers['content-disposition'], /attachment/)
  t.equal((await root.post(`${url}/cancel`)).statusCode, 200)
  t.equal((await ada.get('/api/at/acme/notes')).statusCode, 200)
  for (const path of ['', '/cancel']) t.equal((await root.post(`${ADMIN}/org_none/deletion${path}`)).statusCode, 404)
})

t.test('an administrator is a member of none: a header that names one changes nothing', async (t) => {
  const app = await OrganizationsApp.start(t)
  const [ada, root] = [await app.user('ada@example.org'), await app.user('root', ['ROLE_SVC_ADMIN'])]
  const acme = await app.organization(ada, 'acme')
  for (const headers of [{ 'x-organization': 'acme' }, { host: 'acme.example.org' }]) {
    t.equal((await root.get(`${ADMIN}/${acme}`, headers)).statusCode, 200)
  }
})

t.test('what is off has no route, and the answer says so', async (t) => {
  const { roles } = EVERY_SECTION
  const app = await OrganizationsApp.start(t, {
    options: { create: {}, invitations: { link: LINK }, ...(roles && { roles }) }
  })
  const [ada, root] = [await app.user('ada@example.org'), await app.user('root', ['ROLE_SVC_ADMIN'])]
  const acme = await app.organization(ada, 'acme')
  const on = { invitations: true, transfer: false, deletion: false, keys: false, domains: false }
  t.strictSame((await root.get(`${ADMIN}/${acme}`)).json().sections, on)
  for (const path of ['keys', 'domains', 'deletion/export']) {
    t.equal((await root.get(`${ADMIN}/${acme}/${path}`)).statusCode, 404, path)
  }
  t.equal((await root.post(`${ADMIN}/${acme}/deletion`)).statusCode, 404)
})
