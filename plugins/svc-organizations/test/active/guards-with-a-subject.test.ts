/** A guard with a subject, as that of a channel, asks about the organisation which the subject names. */
import { createAccessToken, guardHooks } from 'svc-kernel'
import t from 'tap'
import { API, OrganizationsApp } from '../support/organizations-app.ts'

t.test('the subject is the organisation that is asked about, and no other than that of the request', async (t) => {
  const guard = guardHooks([[{ attribute: 'ORG_BILLING', subject: 'rest' }]])
  const app = await OrganizationsApp.start(t, {
    routes: (fastify) => {
      fastify.get('/api/at/:organization/channel/:rest', guard, () => 'heard')
      fastify.get('/api/channel/:rest', guard, () => 'heard')
    }
  })
  const [ada, eve] = [await app.user('ada@example.org'), await app.user('eve@example.org')]
  const [acme, globex] = [await app.organization(ada, 'acme'), await app.organization(eve, 'globex')]
  const initech = await app.organization(ada, 'initech')
  const status = async (url: string, headers = {}) => (await ada.get(url, headers)).statusCode
  for (const own of [acme, 'acme']) {
    t.equal(await status(`/api/at/acme/channel/${own}`), 200)
    t.equal(await status(`/api/channel/${own}`), 200, 'the request names none')
    t.equal(await status(`/api/channel/${own}`, { 'x-organization': 'acme' }), 200)
  }
  for (const other of [globex, 'globex', 'nothing', '']) {
    t.equal(await status(`/api/at/acme/channel/${other}`), 403, other)
    t.equal(await status(`/api/channel/${other}`), 403, other)
    t.equal(await status(`/api/channel/${other}`, { 'x-organization': 'acme' }), 403, other)
  }
  // An own organisation as well: a request works in one.
  t.equal(await status(`/api/at/acme/channel/${initech}`), 403)
  t.equal(await status(`/api/channel/${initech}`), 200)
})

t.test(
  'within an organisation that is being deleted nothing is granted, by work of the application neither',
  async (t) => {
    const app = await OrganizationsApp.start(t)
    const ada = await app.user('ada@example.org')
    const acme = await app.organization(ada, 'acme')
    const token = createAccessToken({ type: 'session', user: { identifier: 'ada@example.org' } })
    const { jury, organizations } = app.fastify
    const granted = () => organizations.within(acme, async () => jury.decide(token, 'ORG_BILLING'))
    t.equal(await granted(), true)
    t.equal((await ada.post(`${API}/acme/deletion`)).statusCode, 202)
    t.equal(await granted(), false)
  }
)

t.test('a route whose path names an organisation tells what that refuses', async (t) => {
  const told = new Map<string, readonly string[]>()
  await OrganizationsApp.start(t, {
    routes: (fastify) => {
      fastify.addHook('onRoute', ({ url, schema }) => {
        told.set(
          url,
          (schema?.errors ?? []).map(({ code }) => code)
        )
      })
      fastify.get('/api/told/:organization/x', () => 'x')
      fastify.get('/api/told/x', () => 'x')
      fastify.get('/api/told/:organization/y', { config: { organization: false } }, () => 'y')
    }
  })
  t.strictSame(told.get('/api/told/:organization/x'), ['SVC_ORG_NOT_FOUND', 'SVC_ORG_SUSPENDED', 'SVC_ORG_CLOSING'])
  t.strictSame([told.get('/api/told/x'), told.get('/api/told/:organization/y')], [[], []])
})
