/** Domains: proven by DNS, one organisation each, checked again, and the provider that they may require. */
import t from 'tap'
import { Dns } from '../support/dns.ts'
import { API, type Caller, OrganizationsApp } from '../support/organizations-app.ts'

async function claimed(owner: Caller, slug: string, domain = 'example.org') {
  const answer = await owner.post(`${API}/${slug}/domains`, { domain })
  return answer.json<{ id: string; record: { name: string; value: string } }>()
}

t.test('a TXT record proves a domain, for one organisation; an outage proves nothing', async (t) => {
  const dns = new Dns()
  const app = await OrganizationsApp.start(t, { parts: { resolveTxt: dns.resolve } })
  const [ada, bob] = [await app.user('ada@example.org'), await app.user('bob@example.org')]
  await app.organization(ada, 'acme')
  await app.organization(bob, 'globex')
  for (const domain of ['', 'example', 'a b.org', '-a.example.org', 'https://example.org', '127.0.0.1']) {
    t.equal((await ada.post(`${API}/acme/domains`, { domain })).statusCode, 400, domain)
  }
  const own = await claimed(ada, 'acme', ' EXAMPLE.org ')
  t.equal((await ada.post(`${API}/acme/domains`, { domain: 'example.org' })).json().code, 'SVC_ORG_DOMAIN_CLAIMED')
  const foreign = await claimed(bob, 'globex')
  t.not(own.record.value, foreign.record.value)
  const verify = async (who: Caller, slug: string, id: string) => {
    const { statusCode, json } = await who.post(`${API}/${slug}/domains/${id}/verify`)
    return [statusCode, json().code ?? json().verified]
  }
  t.same(await verify(ada, 'acme', own.id), [409, 'SVC_ORG_DOMAIN_PROOF'])
  dns.failure = 'ESERVFAIL'
  t.same(await verify(ada, 'acme', own.id), [503, 'SVC_ORG_DNS'])
  dns.failure = null
  const half = own.record.value.length / 2
  dns.records.set(own.record.name, [['other'], [own.record.value.slice(0, half), own.record.value.slice(half)]])
  t.same(await verify(ada, 'acme', own.id), [200, true])
  t.same(await verify(ada, 'acme', foreign.id), [404, 'SVC_ORG_NO_DOMAIN'])
  t.same(await verify(bob, 'globex', foreign.id), [409, 'SVC_ORG_DOMAIN_PROOF'])
  dns.records.set(foreign.record.name, [[foreign.record.value], [own.record.value]])
  t.same(await verify(bob, 'globex', foreign.id), [409, 'SVC_ORG_DOMAIN_CLAIMED'])
  t.equal((await bob.delete(`${API}/globex/domains/${own.id}`)).statusCode, 404)
  t.equal((await ada.delete(`${API}/acme/domains/${own.id}`)).statusCode, 200)
  t.same(await verify(bob, 'globex', foreign.id), [200, true])
})

t.test('a proven domain requires its provider: passwords of its addresses hold no more', async (t) => {
  const dns = new Dns()
  const app = await OrganizationsApp.start(t, { parts: { resolveTxt: dns.resolve } })
  const ada = await app.user('ada@example.org')
  await app.user('eve@example.com')
  await app.organization(ada, 'acme')
  const { id, record } = await claimed(ada, 'acme')
  const one = `${API}/acme/domains/${id}`
  t.equal((await ada.patch(one, { provider: 'entra' })).statusCode, 409)
  dns.records.set(record.name, [[record.value]])
  await ada.post(`${one}/verify`)
  t.equal((await ada.patch(one, { provider: 'nothing' })).json().code, 'SVC_ORG_PROVIDER')
  const login = async (username: string, password = 'correct horse battery') => {
    const { statusCode, body } = await app.fastify.inject({
      method: 'POST',
      url: '/svc/security/api/auth/login',
      payload: { username, password }
    })
    return [statusCode, JSON.parse(body).code]
  }
  t.equal((await login('ada@example.org'))[0], 200)
  t.equal((await ada.patch(one, { provider: 'entra' })).json().provider, 'entra')
  const refused = [401, 'SVC_SEC_CREDENTIALS']
  t.same(await login('ada@example.org'), refused)
  t.same(await login('ada@EXAMPLE.org'), refused)
  t.same(await login('nobody@example.org'), refused)
  t.equal((await login('eve@example.com'))[0], 200)
  const signIn = async (address: string) => {
    return (await app.fastify.inject({ url: `${API}/sign-in?address=${encodeURIComponent(address)}` })).json()
  }
  for (const address of ['ada@example.org', 'nobody@example.org']) t.same(await signIn(address), { provider: 'entra' })
  for (const address of ['eve@example.com', 'example.org', '@example.org']) {
    t.same(await signIn(address), { provider: null }, address)
  }
  await ada.patch(one, { provider: null })
  t.equal((await login('ada@example.org'))[0], 200)
})

t.test('a domain is looked up again: an outage keeps the proof, a record that is gone ends it', async (t) => {
  const dns = new Dns()
  const app = await OrganizationsApp.start(t, { parts: { resolveTxt: dns.resolve } })
  const ada = await app.user('ada@example.org')
  await app.organization(ada, 'acme')
  const { id, record } = await claimed(ada, 'acme')
  dns.records.set(record.name, [[record.value]])
  await ada.post(`${API}/acme/domains/${id}/verify`)
  const state = async () => {
    const [domain] = (await ada.get(`${API}/acme/domains`)).json().domains
    return domain.verified
  }
  // A timer sees the clock as it is when it is due, so one more interval follows each time.
  const pass = async (hours: number) => {
    await app.elapse(hours * 3_600_000)
    await app.elapse(600_000)
  }
  dns.failure = 'ETIMEOUT'
  await pass(25)
  t.equal(await state(), true)
  dns.failure = null
  await pass(1)
  t.equal(await state(), true)
  dns.records.clear()
  await pass(20)
  t.equal(await state(), true)
  await pass(6)
  t.equal(await state(), false)
})
