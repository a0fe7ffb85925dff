/** When and by what the identity of a request was proven, for each kind of proof and through each way of logging in. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { TOTP } from 'otpauth'
import { inMemory } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import type { SvcSecurityOptions } from '../../src/index.ts'
import { sessionStore } from '../../src/sessions/session-store.ts'
import { ALICE_PASSWORD } from '../support/accounts.ts'
import { totp } from '../support/enrolled.ts'
import { API, Browser, type LoginApp, loginApp } from '../support/login-app.ts'
import { keySetJson } from '../support/token-app.ts'

const BASIC = `Basic ${Buffer.from(`alice:${ALICE_PASSWORD}`).toString('base64')}`

/** `/in/proof` says what the token says; `/in/confirm` confirms it. */
async function provingApp(options: SvcSecurityOptions = {}, parts = {}): Promise<LoginApp> {
  const made = await loginApp(options, parts)
  const say = ({ token }: FastifyRequest) => ({ provenAt: token?.provenAt, factors: token?.factors })
  made.app.get('/in/proof', async (request) => say(request))
  made.app.post('/confirm', async (request) => ({ done: await made.app.sessions.confirm(request, ['passkey']) }))
  return made
}

const proofFor = async (browser: Browser) => (await browser.call('GET', '/in/proof')).json()

t.test('a session keeps the time of its login, and a confirmation moves it', async (t) => {
  const { app, clock } = await provingApp()
  const browser = new Browser(app)
  await browser.login()
  const login = clock.now()
  clock.advance(60_000)
  t.same(await proofFor(browser), { provenAt: login, factors: ['pwd'] })
  t.same((await browser.call('POST', '/confirm')).json(), { done: true })
  clock.advance(60_000)
  t.same(await proofFor(browser), { provenAt: login + 60_000, factors: ['pwd', 'passkey', 'mfa'] })
  await app.close()
})

t.test('without a session there is nothing to confirm', async (t) => {
  const { app } = await provingApp()
  t.same((await new Browser(app).call('POST', '/confirm')).json(), { done: false })
  await app.close()
})

t.test('a password and a code are two factors', async (t) => {
  const { app, clock } = await provingApp({ totp })
  const browser = new Browser(app)
  await browser.login()
  const headers = { 'x-csrf-token': await browser.csrfToken() }
  const { secret } = (await browser.call('POST', `${API}/totp/enroll`, { headers })).json<{ secret: string }>()
  const confirmed = await browser.call('POST', `${API}/totp/confirm`, {
    headers,
    payload: { code: codeOf(secret, clock) }
  })
  t.equal(confirmed.statusCode, 200, confirmed.body)
  clock.advance(60_000)
  t.equal((await browser.login()).statusCode, 202)
  clock.advance(30_000)
  const passed = await browser.call('POST', `${API}/auth/login/totp`, { payload: { code: codeOf(secret, clock) } })
  t.equal(passed.statusCode, 200, passed.body)
  t.same(await proofFor(browser), { provenAt: clock.now(), factors: ['pwd', 'otp', 'mfa'] })
  await app.close()
})

t.test('a session of an older version says neither', async (t) => {
  const clock = new ManualClock()
  const session = inMemory(sessionStore, { clock })
  const { app } = await provingApp({}, { clock, stores: { session } })
  const browser = new Browser(app)
  await browser.login()
  const { items } = await session.list({}, {})
  await session.update(items[0]?.id ?? '', { meta: { ip: null, userAgent: null } })
  t.same(await proofFor(browser), { provenAt: null, factors: [] })
  await app.close()
})

t.test('a password on the request is proven now', async (t) => {
  const { app, clock } = await provingApp({ areas: { in: { pattern: '^/in', authenticators: ['userpassword'] } } })
  clock.advance(5)
  const answer = await app.inject({ url: '/in/proof', headers: { authorization: BASIC } })
  t.same(answer.json(), { provenAt: clock.now(), factors: ['pwd'] })
  await app.close()
})

t.test('an issued token and a key prove no time', async (t) => {
  const areas = { in: { pattern: '^/in', authenticators: ['jwt', 'apikey'] } }
  const { app } = await provingApp({ areas, jwt: { keySetJson } })
  await app.ready()
  const { accessToken } = await app.tokens.issue({ identifier: 'alice' })
  const { token: key } = await app.tokens.apiKeys.create('alice', { name: 'ci', scopes: [] })
  for (const credential of [accessToken, key]) t.same(await bearer(app, credential), { provenAt: null, factors: [] })
  await app.close()
})

async function bearer(app: FastifyInstance, credential: string) {
  return (await app.inject({ url: '/in/proof', headers: { authorization: `Bearer ${credential}` } })).json()
}

function codeOf(secret: string, clock: ManualClock): string {
  return new TOTP({ secret }).generate({ timestamp: clock.now() })
}
