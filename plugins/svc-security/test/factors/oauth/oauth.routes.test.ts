/** Logins at a provider, from end to end, in a whole application; everything the answer may lack is refused. */
import type { JWTPayload } from 'jose'
import { TOTP } from 'otpauth'
import t from 'tap'
import { API, Browser } from '../../support/login-app.ts'
import { providerApp } from '../../support/provider-app.ts'

t.test('linked by its user, an account logs in', async (t) => {
  const { app, store, id, records, login, link } = await providerApp(t)
  t.equal((await login()).statusCode, 401, 'a login makes no user and no link')
  t.match(records.at(-1), { action: 'oauth.failure', reason: 'not_linked' })

  const { answer } = await link('alice')
  t.strictSame([answer.statusCode, answer.headers.location], [303, '/home'])
  t.match(records.at(-1), { category: 'oauth', action: 'oauth.linked', actor: 'alice', resource: 'home' })
  t.match((await store.find(id))?.socialAccounts, [{ provider: 'home', subject: 'account-7' }])

  const browser = new Browser(app)
  const done = await login(browser)
  t.strictSame([done.statusCode, done.headers.location], [303, '/home'])
  t.match(records.at(-1), { action: 'login.success', actor: 'alice', reason: 'oauth' })
  t.equal((await browser.call('GET', `${API}/auth/me`)).json().user.identifier, 'alice')

  t.equal((await link('eve')).answer.statusCode, 409, 'an account never changes hands')
  await store.update(id, { locked: true })
  t.equal((await login()).statusCode, 401)
  t.match(records.at(-1), { reason: 'locked' })
})

t.test('where a second factor stands, the login waits for it', async (t) => {
  const { app, clock, records, login, link } = await providerApp(t)
  const { browser: linking } = await link('alice')
  const headers = { 'x-csrf-token': await linking.csrfToken() }
  const enrolled = await linking.call('POST', `${API}/totp/enroll`, { headers })
  const codes = new TOTP({ secret: enrolled.json().secret })
  const code = () => codes.generate({ timestamp: clock.now() })
  await linking.call('POST', `${API}/totp/confirm`, { headers, payload: { code: code() } })

  const browser = new Browser(app)
  const waiting = await login(browser)
  t.strictSame([waiting.statusCode, waiting.headers.location], [303, '/home?mfaRequired=totp'])
  t.match(records.at(-1), { action: 'login.mfa_required', actor: 'alice', reason: 'totp' })
  t.equal((await browser.call('GET', `${API}/auth/me`)).statusCode, 401, 'nobody is logged in yet')

  clock.advance(30_000)
  const before = browser.session
  const done = await browser.call('POST', `${API}/auth/login/totp`, { payload: { code: code() } })
  t.equal(done.statusCode, 200)
  t.not(browser.session, before)
  t.equal((await browser.call('GET', `${API}/auth/me`)).json().user.identifier, 'alice')
})

t.test('linking takes a session and its token', async (t) => {
  const { app } = await providerApp(t)
  const browser = new Browser(app)
  t.equal((await browser.call('POST', `${API}/oauth2/home/authorize`)).statusCode, 401)
  await browser.login()
  t.equal((await browser.call('POST', `${API}/oauth2/home/authorize`)).statusCode, 403)
})

t.test('each attempt has its own state, nonce and PKCE challenge', async (t) => {
  const { app, begin } = await providerApp(t)
  const urls = [new URL(await begin(new Browser(app))), new URL(await begin(new Browser(app)))]
  for (const name of ['state', 'nonce', 'code_challenge']) {
    t.equal(new Set(urls.map((url) => url.searchParams.get(name))).size, 2, name)
  }
  const [url] = urls
  t.equal(url?.searchParams.get('code_challenge_method'), 'S256')
  t.equal(url?.searchParams.get('redirect_uri'), `https://shop.example${API}/oauth2/home/callback`)
})

t.test('what does not hold: 401, one text; the audit has the cause', async (t) => {
  const { app, server, clock, records, callback, begin, link } = await providerApp(t)
  await link('alice')
  const bodies = new Set<string>()
  const refused = async (what: string, work: (browser: Browser) => Promise<{ statusCode: number; body: string }>) => {
    const { statusCode, body } = await work(new Browser(app))
    t.equal(statusCode, 401, what)
    t.match(records.at(-1), { action: 'oauth.failure', outcome: 'failure', resource: 'home', reason: /./ }, what)
    bodies.add(body)
  }
  await refused('no attempt', (browser) => callback(browser, 'code=1&state=2'))
  await refused('of another browser', async (browser) =>
    callback(browser, await server.visit(await begin(new Browser(app))))
  )
  await refused('another state', async (browser) => {
    const query = await server.visit(await begin(browser))
    query.set('state', 'AAAA')
    return callback(browser, query)
  })
  await refused('a code of another attempt', async (browser) => {
    const [mine, other] = [await begin(browser), await begin(new Browser(app))]
    const query = await server.visit(mine)
    query.set('code', (await server.visit(other)).get('code') ?? '')
    return callback(browser, query)
  })
  await refused('used twice', async (browser) => {
    const query = await server.visit(await begin(browser))
    t.equal((await callback(browser, query)).statusCode, 303)
    return callback(browser, query)
  })
  await refused('too late', async (browser) => {
    const query = await server.visit(await begin(browser))
    clock.advance(600_000)
    return callback(browser, query)
  })
  await refused('refused by the person', async (browser) => {
    const state = new URL(await begin(browser)).searchParams.get('state')
    return callback(browser, `error=access_denied&state=${state}`)
  })
  for (const claims of [{ nonce: 'AAAA' }, { aud: 'another' }, { iss: 'https://evil.example' }, { exp: 1 }]) {
    await refused(JSON.stringify(claims), async (browser) => {
      const query = await server.visit(await begin(browser))
      server.claims = claims
      const answer = await callback(browser, query)
      server.claims = {}
      return answer
    })
  }
  t.equal(bodies.size, 1)
  t.match([...bodies][0], 'INVALID_CREDENTIALS')
})

t.test('a provider that is unknown, or cannot be asked', async (t) => {
  const { app, server, callback, begin } = await providerApp(t)
  const browser = new Browser(app)
  t.equal((await browser.call('GET', `${API}/oauth2/other/authorize`)).statusCode, 404)
  t.equal((await callback(browser, 'code=1', 'other')).statusCode, 404)
  const issuer = server.issuer
  server.issuer = 'http://127.0.0.1:1'
  t.equal((await browser.call('GET', `${API}/oauth2/home/authorize`)).statusCode, 503, 'its document names another')
  server.issuer = issuer
  t.match(await begin(browser), issuer, 'asked again')
})

t.test('a login is as old as the provider says, and a factor there counts where it is accepted', async (t) => {
  const { app, server, clock, callback, link } = await providerApp(t)
  await link('alice')
  await app.sessions.revokeUser('alice')
  const seconds = Math.floor(clock.now() / 1000)
  const rows: ReadonlyArray<readonly [JWTPayload, number, readonly string[]]> = [
    [{}, clock.now(), ['social']],
    [{ auth_time: seconds - 3600 }, (seconds - 3600) * 1000, ['social']],
    [{ auth_time: seconds - 5, amr: ['otp'] }, (seconds - 5) * 1000, ['social', 'social:otp']],
    [{ auth_time: seconds, amr: ['mfa'] }, seconds * 1000, ['social', 'federated', 'social:mfa', 'mfa']]
  ]
  for (const [claims, provenAt, factors] of rows) {
    server.claims = claims
    const browser = new Browser(app)
    const begun = await browser.call('GET', `${API}/oauth2/home/authorize`)
    t.equal((await callback(browser, await server.visit(String(begun.headers.location)))).statusCode, 303)
    const { items } = await app.sessions.list({ user: 'alice' }, { limit: 1, order: [['createdAt', 'DESC']] })
    t.equal(items[0]?.meta.proof, [provenAt, ...factors].join(' '), JSON.stringify(claims))
    await app.sessions.revokeUser('alice')
  }
})

t.test('a login that must be recent is asked of the provider, and checked', async (t) => {
  const { app, server, callback, link, records } = await providerApp(t)
  await link('alice')
  const login = async (claims: JWTPayload, query = '?maxAge=60') => {
    server.claims = claims
    const browser = new Browser(app)
    const begun = await browser.call('GET', `${API}/oauth2/home/authorize${query}`)
    const url = new URL(String(begun.headers.location))
    t.equal(url.searchParams.get('max_age'), query === '' ? null : '60')
    return (await callback(browser, await server.visit(url.href))).statusCode
  }
  const seconds = Math.floor(Date.now() / 1000)
  t.equal(await login({ auth_time: seconds - 3600 }, ''), 303)
  t.equal(await login({ auth_time: seconds }), 303)
  t.equal(await login({ auth_time: seconds - 3600 }), 401, 'older than was asked')
  t.equal(await login({}), 401, 'and not said')
  t.match(records.at(-1), { action: 'oauth.failure' })
  const bad = await new Browser(app).call('GET', `${API}/oauth2/home/authorize?maxAge=-1`)
  t.equal(bad.statusCode, 400)
})
