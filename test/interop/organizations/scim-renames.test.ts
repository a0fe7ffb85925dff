/**
 * Names of accounts that change, on every database. A membership keeps the name that its organisation gave or met, by which
 * its provisioning system finds the user again; what is done to the user is done to the account, whatever its name is now.
 */
import Fastify from 'fastify'
import svcOrganizations from 'svc-organizations'
import svcSecurity from 'svc-security'
import t, { type Test } from 'tap'
import { CHEAP } from '../../support/account-app.ts'
import { onEveryEngine, type Register } from '../../support/engines.ts'

t.setTimeout(300_000)

const PASSWORD = 'correct horse battery'

/** Organisations with a domain and a provisioning system each. */
async function opened(t: Test, register: Register) {
  const records = new Map<string, string[][]>()
  const app = Fastify()
  t.teardown(() => app.close())
  await register(app)
  await app.register(svcSecurity, {
    areas: { api: { pattern: '^/(?:api|scim)', authenticators: ['userpassword', 'apikey'] } },
    passwords: CHEAP
  })
  await app.register(svcOrganizations, {
    create: {},
    keys: {},
    domains: {},
    roles: { clerk: { permissions: [] } },
    scim: { role: 'clerk' },
    parts: { resolveTxt: async (name) => records.get(name) ?? [], provenAddress: ({ identifier }) => identifier }
  })
  app.get('/api/at/:organization/active', async ({ user }) => user?.identifier)
  await app.ready()
  const side = async (slug: string) => {
    await app.userAccounts.create({ identifier: `owner-${slug}`, password: PASSWORD, roles: [] })
    const owner = { authorization: `Basic ${btoa(`owner-${slug}:${PASSWORD}`)}` }
    const api = async (url: string, payload: object = {}) =>
      (await app.inject({ method: 'POST', url: `/api/organizations${url}`, headers: owner, payload })).json()
    const { id } = await api('', { slug, name: slug })
    const domain = await api(`/${slug}/domains`, { domain: `${slug}.example` })
    records.set(domain.record.name, [[domain.record.value]])
    await api(`/${slug}/domains/${domain.id}/verify`)
    const key = await api(`/${slug}/keys`, { name: 'directory', permissions: ['provisioning'] })
    const scim = async (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, payload?: object) => {
      const headers = { authorization: `Bearer ${key.token}` }
      const { statusCode: status, body } = await app.inject({
        method,
        url: `/scim/v2/Users${path}`,
        headers,
        ...(payload && { payload })
      })
      return { status, body: body === '' ? null : JSON.parse(body) }
    }
    const rename = (member: string, value: string) =>
      scim('PATCH', `/${member}`, { Operations: [{ op: 'replace', path: 'userName', value }] })
    return { id, scim, rename }
  }
  const names = async (...identifiers: string[]) => {
    const found = await Promise.all(identifiers.map((identifier) => app.userAccounts.find(identifier)))
    return found.map((user) => user?.id ?? null)
  }
  return { app, side, names }
}

t.test('a name that changed elsewhere', (t) =>
  onEveryEngine(t, async (t, register) => {
    const { app, side, names } = await opened(t, register)
    const initech = await side('initech')
    const umbra = await side('umbra')

    const bob = (await initech.scim('POST', '', { userName: 'bob@initech.example' })).body.id
    const user = await app.userAccounts.find('bob@initech.example')
    if (user === null) throw new Error('no account was made')
    const { id: there } = await app.organizations.addMember(umbra.id, user, 'clerk')
    t.equal((await initech.rename(bob, 'rob@initech.example')).status, 200)
    t.strictSame(await names('bob@initech.example', 'rob@initech.example'), [null, user.id])
    t.match(
      await umbra.scim('GET', `/${there}`),
      { body: { userName: 'bob@initech.example' } },
      'of another organisation'
    )
    const key = await app.tokens.apiKeys.create('rob@initech.example', { name: 'own' })
    const own = async () =>
      (await app.inject({ url: '/api/at/umbra/active', headers: { authorization: `Bearer ${key.token}` } })).statusCode
    t.equal(await own(), 200)
    const same = { userName: 'bob@initech.example', active: false }
    t.match(await umbra.scim('PUT', `/${there}`, same), { status: 200, body: { active: false } })
    t.equal(await own(), 401, 'the account is signed out under its name of now')

    await app.userAccounts.rename('rob@initech.example', 'rob@home.example')
    await app.userAccounts.create({ identifier: 'rob@initech.example', password: PASSWORD, roles: [] })
    const [stranger] = await names('rob@initech.example')
    t.equal((await initech.rename(bob, 'robert@initech.example')).status, 200)
    t.strictSame(
      await names('rob@initech.example', 'robert@initech.example', 'rob@home.example'),
      [stranger, user.id, null],
      'the account of the member, and not whoever has its name of before'
    )
  })
)
