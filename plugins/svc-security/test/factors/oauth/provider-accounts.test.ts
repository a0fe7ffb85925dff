/** Accounts that a first login creates, and those that somebody else has already; linking and unlinking, never the last way in. */
import t from 'tap'
import { StoredAccounts } from '../../../src/factors/oauth/stored-accounts.ts'
import { API, Browser } from '../../support/login-app.ts'
import { providerApp } from '../../support/provider-app.ts'

const create = { create: true }

t.test('a first login creates an account, the next one finds it', async (t) => {
  const { app, server, store, records, login } = await providerApp(t, {
    accounts: { ...create, roles: ['ROLE_STAFF'] }
  })
  server.claims = { email: 'ann@corp.example', email_verified: true }
  const browser = new Browser(app)
  t.strictSame((await login(browser)).statusCode, 303)
  const me = (await browser.call('GET', `${API}/auth/me`)).json()
  t.strictSame(me.user, { identifier: 'ann@corp.example', roles: ['ROLE_STAFF'] })
  const created = records.find(({ action }) => action === 'user.created')
  t.match(created, { actor: 'ann@corp.example', resource: 'ann@corp.example', metadata: { provider: 'home' } })
  const ann = await store.findByIdentifier('ann@corp.example')
  t.match(ann, { password: null, socialAccounts: [{ provider: 'home', subject: 'account-7' }] })

  server.claims = { email: 'ann@evil.example', email_verified: false }
  t.equal((await login()).statusCode, 303, 'known by its subject, whatever its address is now')
  t.equal(await store.count({}), 3)
})

t.test('two pages of one person at once make one account', async (t) => {
  const { server, store, login } = await providerApp(t, { accounts: create })
  server.claims = { email: 'ann@corp.example', email_verified: true }
  const answers = await Promise.all([login(), login(), login()])
  t.same(
    answers.map(({ statusCode }) => statusCode),
    [303, 303, 303]
  )
  t.equal(await store.count({}), 3)
})

t.test('an account that is there already is never taken over by an address', async (t) => {
  const { server, store, records, login, id } = await providerApp(t, { accounts: create })
  await store.update(id, { identifier: 'alice@corp.example' })
  server.claims = { email: 'alice@corp.example', email_verified: true }
  const { statusCode, body } = await login()
  t.equal(statusCode, 401)
  t.match(body, 'INVALID_CREDENTIALS')
  t.match(records.at(-1), { action: 'oauth.failure', reason: 'identifier_taken' })
  t.strictSame((await store.find(id))?.socialAccounts, [])
})

t.test('an address that somebody got after its owner is another person', async (t) => {
  const { server, store, records, login } = await providerApp(t, { accounts: create })
  server.claims = { email: 'ann@corp.example', email_verified: true }
  await login()
  server.subject = 'account-8'
  t.equal((await login()).statusCode, 401)
  t.match(records.at(-1), { reason: 'identifier_taken' })
  const ann = await store.findByIdentifier('ann@corp.example')
  await store.delete(ann?.id ?? '')
  t.equal((await login()).statusCode, 303, 'a name that is free is given')
  t.not((await store.findByIdentifier('ann@corp.example'))?.id, ann?.id)
})

t.test('whoever does not fit the rule has no account: 401, one text', async (t) => {
  const setting = { requireClaims: { hd: ['corp.example'] }, accounts: { ...create, domains: ['corp.example'] } }
  const { server, store, records, login } = await providerApp(t, setting)
  const right = { email: 'ann@corp.example', email_verified: true, hd: 'corp.example' }
  const rows: Array<[claims: Record<string, unknown>, reason: string]> = [
    [{ ...right, email_verified: false }, 'email_unverified'],
    [{ ...right, email: 'ann@evil.example' }, 'domain'],
    [{ ...right, hd: 'evil.example' }, 'claim hd'],
    [{ email: right.email, email_verified: true }, 'claim hd']
  ]
  const bodies = new Set<string>()
  for (const [claims, reason] of rows) {
    server.claims = claims
    const { statusCode, body } = await login()
    t.equal(statusCode, 401, reason)
    t.match(records.at(-1), { action: 'oauth.failure', reason })
    bodies.add(body)
  }
  t.equal(bodies.size, 1)
  t.equal(await store.count({}), 2)
  server.claims = right
  t.equal((await login()).statusCode, 303)
  server.claims = { ...right, hd: 'evil.example' }
  t.equal((await login()).statusCode, 401, 'who has left the organisation comes in no more')
})

t.test('the application decides', async (t) => {
  const asked: unknown[] = []
  const providerAccounts = async (identity: { readonly claims: Readonly<Record<string, unknown>> }) => {
    asked.push(identity)
    if (identity.claims.email === 'down@corp.example') throw new Error('directory away')
    return identity.claims.email === 'ann@corp.example' ? { identifier: 'ann', roles: ['ROLE_USER'] } : null
  }
  const { server, store, records, login } = await providerApp(t, { accounts: create }, { providerAccounts })
  server.claims = { email: 'ben@corp.example', email_verified: true }
  t.equal((await login()).statusCode, 401)
  t.match(records.at(-1), { reason: 'no_account' })
  server.claims = { email: 'down@corp.example', email_verified: true }
  t.equal((await login()).statusCode, 503, 'not able now is no refusal')
  server.claims = { email: 'ann@corp.example', email_verified: true }
  t.equal((await login()).statusCode, 303)
  t.equal((await store.findByIdentifier('ann'))?.socialAccounts.length, 1)
  t.match(asked.at(-1), { provider: 'home', subject: 'account-7', claims: { iss: server.issuer } })
})

t.test('a user unlinks an account, and never the last way in', async (t) => {
  const { app, server, store, id, records, link, login } = await providerApp(t, { accounts: create })
  const { browser } = await link('alice')
  const own = async (who: Browser) => ({ headers: { 'x-csrf-token': await who.csrfToken() } })
  t.match((await browser.call('GET', `${API}/oauth2/accounts`)).json(), {
    accounts: [{ provider: 'home' }],
    providers: ['home']
  })
  t.equal((await browser.call('DELETE', `${API}/oauth2/home`)).statusCode, 403, 'not without the token of the session')
  t.equal((await browser.call('DELETE', `${API}/oauth2/away`, await own(browser))).statusCode, 404)
  const done = await browser.call('DELETE', `${API}/oauth2/home`, await own(browser))
  t.strictSame([done.statusCode, done.json()], [200, { ok: true }])
  t.match(records.at(-1), { category: 'oauth', action: 'oauth.unlinked', actor: 'alice', resource: 'home' })
  t.strictSame((await store.find(id))?.socialAccounts, [])
  const again = await browser.call('DELETE', `${API}/oauth2/home`, await own(browser))
  t.match([again.statusCode, again.json()], [404, { code: 'SVC_SEC_LINK_UNKNOWN' }])

  server.claims = { email: 'ann@corp.example', email_verified: true }
  const ann = new Browser(app)
  await login(ann)
  const last = await ann.call('DELETE', `${API}/oauth2/home`, await own(ann))
  t.match([last.statusCode, last.json()], [409, { code: 'SVC_SEC_LAST_WAY_IN' }])
  const { id: annId = '' } = (await store.findByIdentifier('ann@corp.example')) ?? {}
  await store.linkSocialAccount(annId, 'home', 'account-9')
  t.equal((await ann.call('DELETE', `${API}/oauth2/home`, await own(ann))).statusCode, 409, 'nor all of one provider')
  await store.linkSocialAccount(annId, 'other', 'x')
  t.equal((await ann.call('DELETE', `${API}/oauth2/home`, await own(ann))).statusCode, 200)
  t.match((await store.find(annId))?.socialAccounts, [{ provider: 'other' }])
})

t.test('two accounts that are unlinked at once leave one', async (t) => {
  const { store } = await providerApp(t)
  const accounts = new StoredAccounts(store, async () => false)
  const [one, two] = [
    { provider: 'one', subject: '1' },
    { provider: 'two', subject: '2' }
  ]
  const { id } = await store.create({ identifier: 'ann', socialAccounts: [one, two] })
  const both = await Promise.allSettled(['one', 'two'].map((name) => accounts.unlinkSocialAccount(id, name)))
  t.same(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  t.equal((await store.find(id))?.socialAccounts.length, 1)
  const withPasskey = new StoredAccounts(store, async (user) => user === id)
  await withPasskey.unlinkSocialAccount(id, (await store.find(id))?.socialAccounts[0]?.provider ?? '')
  t.strictSame((await store.find(id))?.socialAccounts, [], 'who has a passkey may unlink all')
})

t.test('unlinking takes a recent proof', async (t) => {
  const { clock, link } = await providerApp(t)
  const { browser } = await link('alice')
  const headers = { 'x-csrf-token': await browser.csrfToken() }
  clock.advance(600_001)
  const due = await browser.call('DELETE', `${API}/oauth2/home`, { headers })
  t.match([due.statusCode, due.json()], [403, { code: 'SVC_SEC_PROOF_DUE' }])
})

t.test('a link that is made while its session ends is taken back, also where it is the only way in', async (t) => {
  const { app, server, store, id, begin, callback } = await providerApp(t)
  const { linkSocialAccount: link } = store
  store.linkSocialAccount = async (...given) => {
    await app.userAccounts.setPassword('alice', null)
    return link.apply(store, given)
  }
  const browser = new Browser(app)
  await browser.login('alice')
  const headers = { 'x-csrf-token': await browser.csrfToken() }
  const { url } = (await browser.call('POST', `${API}/oauth2/home/authorize`, { headers })).json()
  t.equal((await callback(browser, await server.visit(url))).statusCode, 401)
  t.strictSame((await store.find(id))?.socialAccounts, [])
  const stranger = new Browser(app)
  t.equal((await callback(stranger, await server.visit(await begin(stranger)))).statusCode, 401)
})
