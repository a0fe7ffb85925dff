/** Suspension by administrators, and deletion with its export, days of grace and sweep. */
import t from 'tap'
import { organizationStore } from '../../src/stores.ts'
import { API, OrganizationsApp } from '../support/organizations-app.ts'

const DAY_MS = 86_400_000
const ADMIN = '/svc/organizations/api/organizations'

t.test('a suspended organisation is closed at every door, and its keys are gone', async (t) => {
  const app = await OrganizationsApp.start(t)
  const [ada, root] = [await app.user('ada@example.org'), await app.user('root', ['ROLE_SVC_ADMIN'])]
  const acme = await app.organization(ada, 'acme')
  const made = await ada.post(`${API}/acme/keys`, { name: 'ci', permissions: ['billing'] })
  const key = app.key(made.json().token)
  t.equal((await key.get('/api/billing')).statusCode, 200)
  t.equal((await ada.post(`${ADMIN}/${acme}/suspend`, { reason: 'x' })).statusCode, 403)
  t.equal((await root.post(`${ADMIN}/${acme}/suspend`, { reason: 'unpaid' })).json().state, 'suspended')
  for (const url of ['/api/at/acme/notes', `${API}/acme`, `${API}/acme/members`, '/api/at/acme/active']) {
    t.match((await ada.get(url)).json().code, 'SVC_ORG_SUSPENDED', url)
  }
  t.equal((await key.get('/api/billing')).statusCode, 401)
  t.match((await root.get(ADMIN)).json(), { organizations: [{ id: acme, suspendedReason: 'unpaid' }], hasNext: false })
  t.equal((await root.post(`${ADMIN}/${acme}/resume`)).json().state, 'active')
  t.equal((await ada.get('/api/at/acme/notes')).statusCode, 200)
  t.equal((await key.get('/api/billing')).statusCode, 401)
  t.equal((await root.post(`${ADMIN}/org_none/resume`)).statusCode, 404)
})

t.test('a deletion closes the organisation, exports it, and removes it after its days of grace', async (t) => {
  const app = await OrganizationsApp.start(t)
  const erased: string[] = []
  const ada = await app.user('ada@example.org')
  const acme = await app.organization(ada, 'acme')
  const globex = await app.organization(ada, 'globex')
  await ada.post('/api/at/acme/notes', { text: 'one' })
  await ada.post('/api/at/globex/notes', { text: 'two' })
  app.fastify.organizations.describe('notes', {
    export: () => app.fastify.orm.repository('Note').find(),
    erase: async ({ id }) => {
      erased.push(id)
      await app.fastify.orm.repository('Note').delete({})
    }
  })
  t.throws(() => app.fastify.organizations.describe('notes', { export: () => null }), { code: 'SVC_ORG_PART' })
  const going = await ada.post(`${API}/acme/deletion`)
  t.equal(going.statusCode, 202)
  t.equal(going.json().deleteAt, app.clock.now() + 30 * DAY_MS)
  t.equal((await ada.get('/api/at/acme/notes')).json().code, 'SVC_ORG_CLOSING')
  t.equal((await ada.get(`${API}/acme`)).json().state, 'closing')
  t.equal((await ada.get(`${API}/acme/deletion/export`)).statusCode, 404)
  await app.fastify.jobs.drain()
  const archive = (await ada.get(`${API}/acme/deletion/export`)).json()
  t.match(archive, { organization: { slug: 'acme' }, members: [{ role: 'owner' }], notes: [{ text: 'one' }] })
  t.equal(archive.notes.length, 1)
  t.equal((await ada.post(`${API}/acme/deletion/cancel`)).statusCode, 200)
  t.equal((await ada.get('/api/at/acme/notes')).json().length, 1)
  t.equal((await ada.get(`${API}/acme/deletion/export`)).statusCode, 404)
  await ada.post(`${API}/acme/deletion`)
  await app.fastify.jobs.drain()
  const sweep = async (ms: number) => {
    app.clock.advance(ms)
    await app.fastify.jobs.schedules.runNow('svc.organizations.sweep')
    await app.fastify.jobs.drain()
  }
  await sweep(30 * DAY_MS - 60_000)
  t.same(erased, [])
  await sweep(60_000)
  t.same(erased, [acme])
  // Written by work that began before.
  await app.fastify.organizations.within(acme, () => app.fastify.orm.repository('Note').create({ text: 'late' }))
  t.equal((await ada.get(`${API}/acme`)).statusCode, 404)
  t.equal((await ada.get('/api/at/globex/notes')).json().length, 1)
  t.same(
    (await app.fastify.organizations.of(await userOf(app))).map(({ id }) => id),
    [globex]
  )
  const left = () => app.fastify.organizations.within(acme, () => app.fastify.orm.repository('Note').count())
  await sweep(600_000 - 1)
  t.equal(await left(), 1)
  await sweep(1)
  t.same([erased, await left()], [[acme, acme], 0])
})

t.test('a sweep that ends before the row is gone leaves the second erasure to the next', async (t) => {
  const app = await OrganizationsApp.start(t)
  const ada = await app.user('ada@example.org')
  const acme = await app.organization(ada, 'acme')
  let erased = 0
  app.fastify.organizations.describe('counted', {
    export: () => null,
    erase: () => {
      erased += 1
    }
  })
  await ada.post(`${API}/acme/deletion`)
  await app.fastify.jobs.drain()
  const { store } = app.fastify.stores.select(organizationStore, 'auto')
  const remove = store?.remove.bind(store)
  let stopped = 0
  const stop = () => {
    stopped += 1
    return Promise.reject(new Error('killed'))
  }
  Object.assign(store ?? {}, { remove: stop })
  const state = async () => (await app.fastify.organizations.find(acme))?.state
  const elapse = async (ms: number) => {
    app.clock.advance(ms)
    await app.fastify.jobs.drain()
  }
  await elapse(31 * DAY_MS)
  await app.fastify.jobs.schedules.runNow('svc.organizations.sweep')
  await elapse(0)
  t.same([await state(), erased, stopped], ['closing', 1, 1])
  await elapse(3_600_000)
  t.equal(await state(), 'closing')
  t.ok(stopped > 1, 'tried again')
  t.equal(erased, stopped, 'a sweep erases, and what it left erases nothing while the row is there')
  Object.assign(store ?? {}, { remove })
  while ((await state()) !== undefined) await elapse(60_000)
  const atEnd = erased
  await elapse(600_000)
  t.ok(erased > atEnd)
})

t.test('what cannot be exported is not removed', async (t) => {
  const app = await OrganizationsApp.start(t)
  const ada = await app.user('ada@example.org')
  await app.organization(ada, 'acme')
  app.fastify.organizations.describe('broken', {
    export: () => {
      throw new Error('no answer')
    }
  })
  await ada.post(`${API}/acme/deletion`)
  await app.fastify.jobs.drain()
  app.clock.advance(31 * DAY_MS)
  await app.fastify.jobs.schedules.runNow('svc.organizations.sweep')
  await app.fastify.jobs.drain()
  t.equal((await ada.get(`${API}/acme`)).json().state, 'closing')
})

async function userOf({ fastify }: OrganizationsApp) {
  const user = await fastify.userAccounts.find('ada@example.org')
  if (user === null) throw new Error('no user')
  return user
}
