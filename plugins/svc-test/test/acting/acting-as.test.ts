/** A caller of one's choice: real zones, guards and jury, without an account; and nobody else gets in by it. */
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { actingAs, buildApp } from '../../src/index.ts'

const FIXTURE = new URL('../fixtures', import.meta.url).pathname

async function fixture(t: Test) {
  const app = await buildApp(FIXTURE)
  t.teardown(() => app.close())
  return app
}

const ada = { identifier: 'ada', roles: ['ROLE_ADMIN'] }

t.test('the application is built for a test, and ready', async (t) => {
  const app = await fixture(t)
  t.match(app.appHost, { name: 'fixture', mode: 'test' })
  t.strictSame((await app.inject('/api/open')).json(), {
    user: { identifier: 'anonymous', roles: [] },
    type: 'anonymous'
  })
  t.equal((await app.inject('/admin/closed')).statusCode, 401)
})

t.test('as a user: the guard decides', async (t) => {
  const app = await fixture(t)
  const admin = actingAs(app, ada)
  t.strictSame((await admin.inject('/admin/closed')).json(), { user: ada, type: 'session' })
  t.equal((await admin.inject({ method: 'POST', url: '/admin/change' })).statusCode, 200)
  t.equal((await actingAs(app, { identifier: 'bob' }).inject('/admin/closed')).statusCode, 403)
  t.strictSame((await admin.inject('/api/open')).json().user, ada, 'also where anybody may call')
  t.equal((await admin.inject('/outside')).statusCode, 403, 'outside every zone nobody is anybody')
  t.equal((await admin.inject('/svc/security/api/roles')).statusCode, 403, 'a guard asks for its own role')
  const svc = actingAs(app, { identifier: 'eve', roles: ['ROLE_SVC_ADMIN'] })
  t.equal((await svc.inject('/svc/security/api/roles')).statusCode, 200)
})

t.test('as a machine: its scopes count', async (t) => {
  const app = await fixture(t)
  const reading = actingAs(app, { identifier: 'robot', type: 'apikey', scopes: ['orders:read'] })
  const idle = actingAs(app, { identifier: 'robot', type: 'apikey', scopes: [] })
  t.equal((await reading.inject('/admin/scoped')).statusCode, 200)
  t.equal((await idle.inject('/admin/scoped')).statusCode, 403)
})

t.test('several callers at once stay apart', async (t) => {
  const app = await fixture(t)
  const names = Array.from({ length: 30 }, (_, index) => `user${index}`)
  const answers = await Promise.all(names.map((identifier) => actingAs(app, { identifier }).inject('/api/open')))
  t.strictSame(
    answers.map((answer) => answer.json().user.identifier),
    names
  )
})

t.test('a guessed ticket is no ticket, nor is one of another application', async (t) => {
  const [app, other] = [await fixture(t), await fixture(t)]
  const { headers } = actingAs(other, ada)
  for (const ticket of ['', 'act_guess', 'undefined', headers['x-svc-acting-as'] ?? '']) {
    const answer = await app.inject({ url: '/admin/closed', headers: { 'x-svc-acting-as': ticket } })
    t.equal(answer.statusCode, 401, ticket)
  }
  const real = await other.inject({ url: '/admin/closed', headers })
  t.equal(real.statusCode, 200)
})

t.test('a zone that asks for all of its proofs is not opened', async (t) => {
  const app = await fixture(t)
  t.equal((await actingAs(app, ada).inject('/strict/both')).statusCode, 401)
})

t.test('an application built otherwise', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  t.throws(() => actingAs(app, ada), { code: 'SVC_TEST_CANNOT_ACT' })
})

t.test('a folder without an application', async (t) => {
  await t.rejects(buildApp(t.testdir({})), { code: 'SVC_TEST_NO_APP' })
  await t.rejects(buildApp(t.testdir({ 'app.js': 'export const x = 1' })), { code: 'SVC_TEST_NO_APP' })
})

t.test('C3: an application whose own module registers svc-security', async (t) => {
  const source = `
    import { application } from 'svc-host'
    import svcSecurity from 'svc-security'
    const own = Object.assign(async (fastify) => { await fastify.register(svcSecurity, { areas: {} }) }, {
      [Symbol.for('skip-override')]: true,
      [Symbol.for('plugin-meta')]: { name: 'own' }
    })
    export default application({ name: 'own', mode: 'test', modules: [own] }, import.meta.url)
  `
  const app = await buildApp(t.testdir({ 'app.js': source, 'package.json': '{"type":"module"}' }))
  t.teardown(() => app.close())
  t.throws(() => actingAs(app, ada), { code: 'SVC_TEST_CANNOT_ACT', message: /\[svcSecurity, options\]/ })
})
