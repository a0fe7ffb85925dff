/** Two organisations on SQLite, PostgreSQL and documents, from the first member to the deletion. */
import Fastify from 'fastify'
import svcJobs from 'svc-jobs'
import svcOrganizations from 'svc-organizations'
import svcOrm, { defineEntity } from 'svc-orm'
import svcSecurity from 'svc-security'
import { ensureStores } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import { onEveryEngine } from '../../support/engines.ts'

const Note = defineEntity({ name: 'Note', scope: 'organization', schema: { text: { type: 'string' } } })
const PASSWORD = 'correct horse battery'
const API = '/api/organizations'

t.test('from the first member to the deletion', (t) =>
  onEveryEngine(t, async (t, register) => {
    const clock = new ManualClock()
    const records = new Map<string, string[][]>()
    const fastify = Fastify()
    t.teardown(() => fastify.close())
    fastify.decorate('appHost', { name: 'shop', root: '.', mode: 'test', checkOnly: false, manualJobs: true } as never)
    await ensureStores(fastify, { clock })
    await fastify.register(svcOrm, { parts: { entities: [Note] } })
    await register(fastify)
    const areas = { api: { pattern: '^/(api|scim|svc)', authenticators: ['userpassword', 'apikey'] } }
    await fastify.register(svcSecurity, {
      areas,
      passwords: { memoryKib: 7168, passes: 1, parallelism: 1 },
      parts: { clock }
    })
    await fastify.register(svcJobs, { parts: { clock } })
    await fastify.register(svcOrganizations, {
      create: {},
      transfer: {},
      deletion: {},
      keys: {},
      domains: {},
      roles: { clerk: { permissions: ['billing'] } },
      scim: { role: 'clerk' },
      parts: { clock, resolveTxt: async (name) => records.get(name) ?? [] }
    })
    fastify.organizations.describe('notes', {
      export: () => fastify.orm.repository(Note).find(),
      erase: () => fastify.orm.repository(Note).delete({})
    })
    fastify.get('/api/:organization/notes', () => fastify.orm.repository(Note).find())
    await fastify.ready()
    const call = async (method: 'GET' | 'POST' | 'PATCH', url: string, authorization: string, payload?: object) => {
      const answer = await fastify.inject({ method, url, headers: { authorization }, ...(payload && { payload }) })
      return { status: answer.statusCode, body: answer.json() }
    }
    const basic = (name: string) => `Basic ${btoa(`${name}:${PASSWORD}`)}`
    const made: Record<string, string> = {}
    for (const name of ['ada', 'bob']) {
      await fastify.userAccounts.create({ identifier: name, password: PASSWORD, roles: [] })
      const { body } = await call('POST', API, basic(name), { slug: `${name}-inc`, name })
      made[name] = body.id
      await fastify.organizations.within(body.id, () => fastify.orm.repository(Note).create({ text: `of ${name}` }))
    }
    t.match((await call('GET', '/api/ada-inc/notes', basic('ada'))).body, [{ text: 'of ada' }])
    t.equal((await call('GET', '/api/bob-inc/notes', basic('ada'))).status, 404)
    t.equal((await call('POST', API, basic('bob'), { slug: 'ada-inc', name: 'x' })).body.code, 'SVC_ORG_SLUG')

    await fastify.userAccounts.create({ identifier: 'root', password: PASSWORD, roles: ['ROLE_SVC_ADMIN'] })
    const seen = async (query: string) => {
      const { body } = await call('GET', `/svc/organizations/api/organizations${query}`, basic('root'))
      return body.organizations.map(({ slug, members }: { slug: string; members: number }) => `${slug} ${members}`)
    }
    t.same((await seen('')).sort(), ['ada-inc 1', 'bob-inc 1'])
    t.same(await seen('?q=ADA-&state=active'), ['ada-inc 1'])
    t.same(await seen('?state=suspended'), [])

    const { body: domain } = await call('POST', `${API}/ada-inc/domains`, basic('ada'), { domain: 'example.org' })
    records.set(domain.record.name, [[domain.record.value]])
    t.equal((await call('POST', `${API}/ada-inc/domains/${domain.id}/verify`, basic('ada'))).body.verified, true)
    const key = await fastify.userAccounts.find('ada')
    t.ok(key)
    const { organizations } = fastify
    const owner = (await organizations.members(made.ada ?? ''))[0]
    t.match(owner, { identifier: 'ada', role: 'owner' })
    const proven = await call('POST', `${API}/ada-inc/keys`, basic('ada'), { name: 'k', permissions: ['provisioning'] })
    t.equal(proven.status, 201, JSON.stringify(proven.body))
    const bearer = `Bearer ${proven.body.token}`
    const user = (await call('POST', '/scim/v2/Users', bearer, { userName: 'eve@example.org' })).body
    const group = await call('POST', '/scim/v2/Groups', bearer, { displayName: 'G', members: [{ value: user.id }] })
    t.match(group.body, { displayName: 'G', members: [{ value: user.id }] })
    const off = { Operations: [{ op: 'Replace', path: 'active', value: 'False' }] }
    t.equal((await call('PATCH', `/scim/v2/Users/${user.id}`, bearer, off)).body.active, false)

    t.equal((await call('POST', `${API}/ada-inc/deletion`, basic('ada'))).status, 202)
    await fastify.jobs.drain()
    const archive = (await call('GET', `${API}/ada-inc/deletion/export`, basic('ada'))).body
    t.match(archive, { organization: { slug: 'ada-inc' }, notes: [{ text: 'of ada' }] })
    clock.advance(31 * 86_400_000)
    await fastify.jobs.schedules.runNow('svc.organizations.sweep')
    await fastify.jobs.drain()
    t.equal(await organizations.find('ada-inc'), null)
    t.match((await call('GET', '/api/bob-inc/notes', basic('bob'))).body, [{ text: 'of bob' }])
    const left = await fastify.orm.acrossScopes('to count what is left', () => fastify.orm.repository(Note).count())
    t.equal(left, 1)
  })
)
