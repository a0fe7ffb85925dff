/** A provider logs somebody out: right tokens end the sessions that began there, wrong ones and old ones nothing. */
import { createHmac, randomUUID } from 'node:crypto'
import { generateKeyPair, SignJWT } from 'jose'
import { TOTP } from 'otpauth'
import { inMemory } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import t, { type Test } from 'tap'
import { providerSessionsStore } from '../../../src/factors/oauth/provider-sessions-store.ts'
import { idempotencyStore } from '../../../src/idempotency/idempotency-store.ts'
import type { SvcSecurityParts } from '../../../src/index.ts'
import { API, Browser } from '../../support/login-app.ts'
import { CLIENT } from '../../support/oidc-server.ts'
import { providerApp } from '../../support/provider-app.ts'

async function setUp(t: Test, parts: SvcSecurityParts = {}) {
  const made = await providerApp(t, { accounts: { create: true, identifier: 'sub' } }, parts)
  const { app, server, records, login } = made
  const isIn = async (browser: Browser) => (await browser.call('GET', `${API}/auth/me`)).statusCode === 200
  const signIn = async (subject: string, sid?: string) => {
    server.subject = subject
    server.claims = sid === undefined ? {} : { sid }
    const browser = new Browser(app)
    await login(browser)
    return browser
  }
  const logout = (logout_token: string, provider = 'home') =>
    app.inject({
      method: 'POST',
      url: `${API}/oauth2/${provider}/backchannel-logout`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ logout_token }).toString()
    })
  const failures = () => records.filter(({ action }) => action === 'oauth.failure')
  return { ...made, isIn, signIn, logout, failures }
}

t.test('a logout of one session, and of everything of a user', async (t) => {
  const { server, records, isIn, signIn, logout } = await setUp(t)
  const [one, two] = [await signIn('ann', 's-1'), await signIn('ann', 's-2')]
  const [ben, old] = [await signIn('ben', 's-3'), await signIn('ann')]
  t.same(await Promise.all([one, two, ben, old].map(isIn)), [true, true, true, true])

  const answer = await logout(await server.logoutToken({ sid: 's-1' }))
  t.strictSame([answer.statusCode, answer.headers['cache-control']], [200, 'no-store'])
  t.same(await Promise.all([one, two, ben, old].map(isIn)), [false, true, true, true], 'by its session')
  t.match(
    records.filter(({ action }) => action === 'oauth.logout'),
    [{ category: 'oauth', outcome: 'success', resource: 'home', metadata: { count: 1 } }]
  )
  t.ok(records.some(({ action }) => action === 'session.revoked'))

  await logout(await server.logoutToken({ sub: 'ben', sid: 's-2' }))
  t.same(await Promise.all([two, ben, old].map(isIn)), [true, true, true], 'a session of somebody else is not meant')
  await logout(await server.logoutToken({ sub: 'ann' }))
  t.same(await Promise.all([two, ben, old].map(isIn)), [false, true, false], 'by its user')
  t.equal((await logout(await server.logoutToken({ sub: 'stranger' }))).statusCode, 200, 'who has no session here')
  t.ok(await isIn(await signIn('ann', 's-4')), 'and may come again')
})

t.test('logins with a password are not meant', async (t) => {
  const { app, server, isIn, link, logout } = await setUp(t)
  const { browser } = await link('alice')
  await logout(await server.logoutToken({ sub: 'account-7' }))
  t.ok(await isIn(browser))
  const other = new Browser(app)
  await other.login()
  t.ok(await isIn(other))
})

t.test('a session after a second factor began at the provider too', async (t) => {
  const { app, server, clock, isIn, link, login, logout } = await setUp(t)
  const { browser: linking } = await link('alice')
  const headers = { 'x-csrf-token': await linking.csrfToken() }
  const { secret } = (await linking.call('POST', `${API}/totp/enroll`, { headers })).json()
  const code = () => new TOTP({ secret }).generate({ timestamp: clock.now() })
  await linking.call('POST', `${API}/totp/confirm`, { headers, payload: { code: code() } })
  clock.advance(30_000)
  const browser = new Browser(app)
  server.claims = { sid: 's-1' }
  await login(browser)
  t.notOk(await isIn(browser))
  await browser.call('POST', `${API}/auth/login/totp`, { payload: { code: code() } })
  t.ok(await isIn(browser))
  await logout(await server.logoutToken({ sid: 's-1' }))
  t.notOk(await isIn(browser))

  const waiting = new Browser(app)
  server.claims = { sid: 's-2' }
  await login(waiting)
  await logout(await server.logoutToken({ sid: 's-2' }))
  clock.advance(30_000)
  const late = await waiting.call('POST', `${API}/auth/login/totp`, { payload: { code: code() } })
  t.equal(late.statusCode, 401, 'a login that waits ends too')
})

t.test('what is no logout token of this provider: 400, and nobody is logged out', async (t) => {
  const { server, isIn, signIn, logout, failures } = await setUp(t)
  const browser = await signIn('ann', 's-1')
  const right = { sub: 'ann', sid: 's-1' }
  const now = Math.floor(Date.now() / 1000)
  const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'
  const { privateKey: stranger } = await generateKeyPair('RS256')
  const claims = { iss: server.issuer, aud: CLIENT.id, iat: now, jti: 'x', events: { [logoutEvent]: {} }, ...right }
  const coded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const mac = `${coded({ alg: 'HS256', typ: 'logout+jwt' })}.${coded(claims)}`
  const rows: Array<[title: string, token: string | Promise<string>, reason: string]> = [
    [
      'another issuer',
      server.logoutToken({ ...right, iss: 'https://evil.example' }),
      'ERR_JWT_CLAIM_VALIDATION_FAILED'
    ],
    ['another client', server.logoutToken({ ...right, aud: 'another' }), 'ERR_JWT_CLAIM_VALIDATION_FAILED'],
    ['no audience', server.logoutToken({ ...right, aud: undefined }), 'ERR_JWT_CLAIM_VALIDATION_FAILED'],
    ['no iat', server.logoutToken({ ...right, iat: undefined }), 'ERR_JWT_CLAIM_VALIDATION_FAILED'],
    ['too old', server.logoutToken({ ...right, iat: now - 400, exp: undefined }), 'ERR_JWT_EXPIRED'],
    ['expired', server.logoutToken({ ...right, exp: now - 100 }), 'ERR_JWT_EXPIRED'],
    ['of the future', server.logoutToken({ ...right, iat: now + 120 }), 'ERR_JWT_CLAIM_VALIDATION_FAILED'],
    ['a nonce', server.logoutToken({ ...right, nonce: 'n' }), 'nonce'],
    ['a nonce that is null', server.logoutToken({ ...right, nonce: null }), 'nonce'],
    ['an ID token', server.logoutToken({ ...right, events: undefined, nonce: 'n' }), 'nonce'],
    ['no event', server.logoutToken({ ...right, events: undefined }), 'events'],
    ['another event', server.logoutToken({ ...right, events: { other: {} } }), 'events'],
    ['an event that is no object', server.logoutToken({ ...right, events: { [logoutEvent]: true } }), 'events'],
    ['nobody', server.logoutToken(), 'subject'],
    ['a subject that is no text', server.logoutToken({ ...right, sub: 7 }), 'subject'],
    ['no jti', server.logoutToken({ ...right, jti: undefined }), 'jti'],
    ['an access token', server.logoutToken(right, { typ: 'at+jwt' }), 'typ'],
    [
      'a key of another',
      new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: '1' }).sign(stranger),
      'SIGNATURE'
    ],
    [
      'a key that is not known',
      new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: '2' }).sign(stranger),
      'KEY'
    ],
    ['alg none', `${coded({ alg: 'none' })}.${coded(claims)}.`, 'ALG'],
    ['a MAC by the secret', `${mac}.${createHmac('sha256', CLIENT.secret).update(mac).digest('base64url')}`, 'ALG'],
    ['no token', 'a.b', 'ERR_JWS_INVALID']
  ]
  for (const [title, token, reason] of rows) {
    const { statusCode, body } = await logout(await token)
    t.equal(statusCode, 400, title)
    t.match(body, 'SVC_SEC_LOGOUT_TOKEN', title)
    t.match(
      failures().at(-1),
      { outcome: 'failure', resource: 'home', reason: new RegExp(`^logout .*${reason}`) },
      title
    )
  }
  t.ok(await isIn(browser))
  t.equal((await logout(await server.logoutToken(right), 'away')).statusCode, 404)
  t.ok(await isIn(browser))
  t.equal((await logout(await server.logoutToken(right, { typ: undefined }))).statusCode, 200, 'the right one')
  t.notOk(await isIn(browser))
})

t.test('a form of one field, and nothing else', async (t) => {
  const { app, server } = await setUp(t)
  const url = `${API}/oauth2/home/backchannel-logout`
  const token = await server.logoutToken({ sub: 'ann' })
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  t.equal((await app.inject({ method: 'POST', url, headers: form, payload: '' })).statusCode, 400)
  const long = `logout_token=${'a'.repeat(9000)}`
  t.equal((await app.inject({ method: 'POST', url, headers: form, payload: long })).statusCode, 413)
  const elsewhere = { method: 'POST', url: `${API}/auth/login`, headers: form, payload: 'username=alice' } as const
  t.equal((await app.inject(elsewhere)).statusCode, 415, 'other routes take no form')
  t.equal((await app.inject({ method: 'GET', url: `${url}?logout_token=${token}` })).statusCode, 401)
})

t.test('a token counts once, on all instances, and until it succeeds', async (t) => {
  const clock = new ManualClock(Date.now())
  const providerSessions = inMemory(providerSessionsStore, { clock })
  const stores = { providerSessions, idempotency: inMemory(idempotencyStore, { clock }) }
  const { server, isIn, signIn, logout, failures } = await setUp(t, { clock, stores })
  const token = await server.logoutToken({ sub: 'ann' })
  const first = await signIn('ann')
  const find = providerSessions.find.bind(providerSessions)
  providerSessions.find = () => Promise.reject(new Error('away'))
  t.equal((await logout(token)).statusCode, 503, 'the provider may come again')
  t.ok(await isIn(first))
  providerSessions.find = find
  t.equal((await logout(token)).statusCode, 200)
  t.notOk(await isIn(first))
  const second = await signIn('ann')
  t.equal((await logout(token)).statusCode, 400)
  t.match(failures().at(-1), { reason: 'logout replayed' })
  t.ok(await isIn(second), 'who logged in afterwards stays')
})

t.test('a login whose origin cannot be kept does not go on', async (t) => {
  const clock = new ManualClock(Date.now())
  const providerSessions = inMemory(providerSessionsStore, { clock })
  const { app, isIn, login } = await setUp(t, { clock, stores: { providerSessions } })
  providerSessions.add = () => Promise.reject(new Error('away'))
  const browser = new Browser(app)
  t.equal((await login(browser)).statusCode, 503)
  t.notOk(await isIn(browser))
})

t.test('keys that cannot be read are an outage, not a refusal', async (t) => {
  const { server, logout } = await setUp(t)
  server.keysStatus = 503
  t.equal((await logout(await server.logoutToken({ sub: 'ann' }))).statusCode, 503)
})

t.test('a user logs out here, and is shown the way to do so there', async (t) => {
  const { server, records, isIn, signIn } = await setUp(t)
  const browser = await signIn('ann', 's-1')
  const url = `${API}/oauth2/home/logout`
  t.equal((await browser.call('POST', url)).statusCode, 403, 'not without the token of the session')
  t.ok(await isIn(browser))
  const answer = await browser.call('POST', url, { headers: { 'x-csrf-token': await browser.csrfToken() } })
  t.equal(answer.statusCode, 200)
  const page = new URL(answer.json().url)
  t.equal(page.origin + page.pathname, `${server.issuer}/logout`)
  t.strictSame(Object.fromEntries(page.searchParams), {
    client_id: CLIENT.id,
    post_logout_redirect_uri: 'https://shop.example/home'
  })
  t.notOk(await isIn(browser))
  t.match(records.at(-1), { action: 'logout', actor: 'home:ann' })
  t.equal((await browser.call('POST', url)).statusCode, 401, 'without a session')
})

t.test('a provider without such a page', async (t) => {
  const { server, isIn, signIn } = await setUp(t)
  server.endsSessions = false
  const browser = await signIn('ann')
  const headers = { 'x-csrf-token': await browser.csrfToken() }
  t.strictSame((await browser.call('POST', `${API}/oauth2/home/logout`, { headers })).json(), { url: null })
  t.notOk(await isIn(browser))
  t.equal((await browser.call('POST', `${API}/oauth2/${randomUUID()}/logout`, { headers })).statusCode, 401)
})
