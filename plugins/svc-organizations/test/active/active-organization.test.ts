/** The organisation of a request: how it is named, who gets in, and what its guards grant. */
import t from 'tap'
import { API, OrganizationsApp } from '../support/organizations-app.ts'

t.test('a request names its organisation by path, header or host, by id or slug', async (t) => {
  const app = await OrganizationsApp.start(t)
  const ada = await app.user('ada@example.org')
  const acme = await app.organization(ada, 'acme')
  for (const [url, headers] of [
    ['/api/at/acme/active', {}],
    [`/api/at/${acme}/active`, {}],
    ['/api/active', { 'x-organization': 'acme' }],
    ['/api/active', { 'x-organization': acme }],
    ['/api/active', { host: 'acme.example.org' }],
    ['/api/at/acme/active', { 'x-organization': acme, host: 'ACME.example.org:443' }]
  ] as const) {
    t.same((await ada.get(url, headers)).json(), { organization: acme }, url)
  }
  for (const host of ['example.org', 'a.acme.example.org', 'acme.example.com']) {
    t.same((await ada.get('/api/active', { host })).json(), { organization: null }, host)
  }
})

t.test('an unknown organisation and a foreign one are answered alike, whichever way they are named', async (t) => {
  const app = await OrganizationsApp.start(t)
  const [ada, bob] = [await app.user('ada@example.org'), await app.user('bob@example.org')]
  const acme = await app.organization(ada, 'acme')
  await app.organization(ada, 'initech')
  const globex = await app.organization(bob, 'globex')
  const stranger = new Map<string, string>()
  const ask = async (url: string, headers: object = {}) => {
    const { statusCode, headers: answered, body } = await ada.get(url, headers)
    const shown = JSON.stringify([statusCode, body.replace(/"requestId":"[^"]*"/, ''), answered['content-type']])
    stranger.set(`${url} ${JSON.stringify(headers)}`, shown)
  }
  for (const name of ['globex', globex, 'nothing', 'org_nothing', 'x'.repeat(99)]) {
    await ask(`/api/at/${name}/active`)
    await ask(`${API}/${name}`)
    await ask('/api/active', { 'x-organization': name })
  }
  await ask('/api/at/acme/active', { 'x-organization': 'initech' })
  await ask('/api/at/acme/active', { host: 'initech.example.org' })
  await ask('/api/active', { 'x-organization': '' })
  const answers = new Set([...stranger.values()].map((each) => each.replace(/reqId|"path":"[^"]*"/g, '')))
  t.equal(answers.size, 1, [...answers].join('\n'))
  t.match([...answers][0], /404.*SVC_ORG_NOT_FOUND/)
  t.equal((await ada.get(`/api/at/${acme}/active`)).statusCode, 200)
  const nobody = await app.fastify.inject({ url: '/api/at/acme/active' })
  t.equal(nobody.statusCode, 404)
})

t.test('ORG_BILLING asks for a permission of the role in this organisation', async (t) => {
  const app = await OrganizationsApp.start(t)
  const ada = await app.user('ada@example.org')
  const bob = await app.user('bob@example.org')
  const acme = await app.organization(ada, 'acme')
  const globex = await app.organization(ada, 'globex')
  await app.member(acme, 'bob@example.org', 'clerk')
  await app.member(globex, 'bob@example.org', 'reader')
  t.equal((await bob.get('/api/at/acme/billing')).statusCode, 200)
  t.equal((await bob.get('/api/at/globex/billing')).statusCode, 403)
  t.equal((await ada.get('/api/at/globex/billing')).statusCode, 200)
  const unnamed = await ada.get('/api/billing')
  t.equal(unnamed.statusCode, 403)
  t.equal((await bob.patch(`${API}/acme`, { name: 'B' })).statusCode, 403)
})

t.test('explain votes in the organisation of the path, and the matrix says that it depends', async (t) => {
  const app = await OrganizationsApp.start(t)
  const [ada, root] = [await app.user('ada@example.org'), await app.user('root', ['ROLE_SVC_ADMIN'])]
  const bob = await app.user('bob@example.org')
  await app.organization(ada, 'acme')
  await app.organization(bob, 'globex')
  const explain = async (path: string) => {
    const asked = { method: 'GET', path, user: 'ada@example.org' }
    return (await root.post('/svc/security/api/explain', asked)).json()
  }
  const own = await explain('/api/at/acme/billing')
  t.equal(own.proofs[0].decision, 'granted', JSON.stringify(own))
  t.equal(own.proofs[1].decision, 'refused', 'a key without the scope')
  t.match(JSON.stringify(own.proofs), /owner of acme, has the permission billing/)
  const foreign = await explain('/api/at/globex/billing')
  t.equal(foreign.decision, 'refused')
  t.match(JSON.stringify(foreign.proofs), /not a member of the organisation/)
  const matrix = await root.get('/svc/security/api/matrix?path=/api/at/:organization/billing&roles=ROLE_USER,anonymous')
  const [row] = matrix.json().items
  t.equal(row.requirement, 'ORG_BILLING')
  t.equal(row.cells[0], 'depends')
})

t.test('an explanation says what the request is answered, guarded or not', async (t) => {
  const app = await OrganizationsApp.start(t)
  const [ada, root] = [await app.user('ada@example.org'), await app.user('root', ['ROLE_SVC_ADMIN'])]
  const bob = await app.user('bob@example.org')
  const ids = [await app.organization(ada, 'acme'), await app.organization(bob, 'globex')]
  const [shut, going] = [await app.organization(ada, 'shut'), await app.organization(ada, 'going')]
  await app.fastify.organizations.suspend(shut, 'unpaid')
  await ada.post(`${API}/going/deletion`)
  const reasons: Readonly<Record<string, string | null>> = {
    acme: null,
    globex: 'no-member',
    nothing: 'no-organization',
    shut: 'organization-suspended',
    going: 'organization-closing'
  }
  for (const name of [...Object.keys(reasons), ...ids, shut, going]) {
    for (const path of [
      `/api/at/${name}/active`,
      `/api/at/${name}/billing`,
      `${API}/${name}`,
      `${API}/${name}/members`
    ]) {
      const asked = { method: 'GET', path, user: 'ada@example.org' }
      const { proofs } = (await root.post('/svc/security/api/explain', asked)).json()
      const real = (await ada.get(path)).statusCode
      t.equal(proofs[0].status ?? 200, real, path)
      if (path.endsWith('/billing') && name in reasons) t.equal(proofs[0].reason, reasons[name], path)
    }
  }
  const who = await app.fastify.userAccounts.find('ada@example.org')
  const access = await root.get(`/svc/security/api/users/${who?.id}/access?path=/api/at/:organization`)
  const cells = access.json().items.map((item: { access: string }) => item.access)
  t.ok(cells.length > 3)
  t.strictSame([...new Set(cells)], ['depends'], 'of an organisation that is not known')
})

t.test('a job runs in the organisation of its cause, and not once the cause has gone', async (t) => {
  const seen: unknown[] = []
  const app = await OrganizationsApp.start(t, {
    routes: (fastify) => {
      fastify.jobs.define('notes.count', {}, async (_body, job) => {
        seen.push([await fastify.orm.repository('Note').count(), job.cause?.organization])
      })
      fastify.post('/api/at/:organization/count', async () => (await fastify.jobs.add('notes.count')).id)
    }
  })
  const [ada, bob] = [await app.user('ada@example.org'), await app.user('bob@example.org')]
  const acme = await app.organization(ada, 'acme')
  await app.organization(ada, 'globex')
  const member = await app.member(acme, 'bob@example.org', 'reader')
  await ada.post('/api/at/acme/notes', { text: 'one' })
  await ada.post('/api/at/globex/notes', { text: 'two' })
  await bob.post('/api/at/acme/count')
  await app.fastify.jobs.drain()
  t.same(seen, [[1, acme]])
  const left = (await bob.post('/api/at/acme/count')).body
  const kept = (await ada.post('/api/at/acme/count')).body
  await ada.delete(`${API}/acme/members/${member}`)
  await app.fastify.jobs.drain()
  t.equal(seen.length, 2)
  t.equal((await app.fastify.jobs.get(left)).state, 'cancelled')
  t.equal((await app.fastify.jobs.get(kept)).state, 'done')
  const waiting = (await ada.post('/api/at/acme/count')).body
  await app.fastify.organizations.suspend(acme, 'unpaid')
  await app.fastify.jobs.drain()
  t.equal((await app.fastify.jobs.get(waiting)).state, 'cancelled')
  t.equal(seen.length, 2)
})

t.test('work of the application enters an organisation by itself', async (t) => {
  const app = await OrganizationsApp.start(t)
  const ada = await app.user('ada@example.org')
  const acme = await app.organization(ada, 'acme')
  const { orm, organizations } = app.fastify
  await organizations.within(acme, () => orm.repository('Note').create({ text: 'x' }))
  t.equal((await ada.get('/api/at/acme/notes')).json().length, 1)
  await t.rejects(() => orm.repository('Note').count(), { code: 'SVC_ORM_NO_SCOPE' })
  t.equal((await ada.get('/api/notes')).json().code, 'SVC_ORM_NO_SCOPE')
})
