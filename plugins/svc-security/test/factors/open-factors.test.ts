/** Factors and admin views in a whole application: switched on by their sections, one login with all of them. */
import { randomBytes } from 'node:crypto'
import Fastify from 'fastify'
import { TOTP } from 'otpauth'
import t from 'tap'
import svcSecurity from '../../src/index.ts'
import { API, Browser, loginApp } from '../support/login-app.ts'
import { SoftAuthenticator } from '../support/soft-authenticator.ts'

const totp = { encryptionKey: randomBytes(32).toString('base64') }
const passkeys = { rpId: 'shop.example', origins: ['https://shop.example'] }

t.test('off unless their sections are given', async (t) => {
  const { app } = await loginApp()
  for (const path of ['/totp/enroll', '/auth/login/totp', '/webauthn/login/options']) {
    t.equal((await app.inject({ method: 'POST', url: API + path, payload: {} })).statusCode, 401, path)
  }
  t.notOk(app.hasRoute({ method: 'POST', url: `${API}/totp/enroll` }))
  t.notOk(app.hasRoute({ method: 'POST', url: `${API}/webauthn/login/options` }))
})

t.test('a password, then a code', async (t) => {
  const { app, clock, records } = await loginApp({ totp })
  const browser = new Browser(app)
  await browser.login()
  const headers = { 'x-csrf-token': await browser.csrfToken() }
  t.equal((await browser.call('POST', `${API}/totp/enroll`)).statusCode, 403, 'a change needs the token')
  const { secret, uri } = (await browser.call('POST', `${API}/totp/enroll`, { headers })).json()
  t.match(uri, /^otpauth:\/\/totp\//)
  const code = () => new TOTP({ secret }).generate({ timestamp: clock.now() })
  t.equal((await browser.login()).statusCode, 200, 'not due before the first code')
  headers['x-csrf-token'] = await browser.csrfToken()
  const confirmed = await browser.call('POST', `${API}/totp/confirm`, { headers, payload: { code: code() } })
  t.equal(confirmed.json().recoveryCodes.length, 10)

  clock.advance(30_000)
  const other = new Browser(app)
  const first = await other.login()
  t.strictSame([first.statusCode, first.json()], [202, { mfaRequired: true, methods: ['totp'] }])
  t.match(records.at(-1), { action: 'login.mfa_required', actor: 'alice' })
  const half = other.session
  t.equal((await other.call('GET', `${API}/auth/me`)).statusCode, 401, 'half a login is none')
  t.equal((await other.call('POST', `${API}/totp/disable`, { payload: { code: code() } })).statusCode, 403)
  const refused = await other.call('POST', `${API}/auth/login/totp`, { payload: { code: '000000' } })
  t.strictSame([refused.statusCode, refused.json().message], [401, 'INVALID_CREDENTIALS'])
  const foreign = { headers: { origin: 'https://evil.example' }, payload: { code: code() } }
  t.equal((await other.call('POST', `${API}/auth/login/totp`, foreign)).statusCode, 403, 'from another page')
  const second = await other.call('POST', `${API}/auth/login/totp`, { payload: { code: code() } })
  t.strictSame([second.statusCode, second.json()], [200, { user: { identifier: 'alice', roles: ['ROLE_USER'] } }])
  t.match(records.at(-1), { action: 'login.success', actor: 'alice', reason: 'totp' })
  t.not(other.session, half, 'under a new id')
  t.equal((await other.call('GET', `${API}/auth/me`)).statusCode, 200)
})

t.test('a passkey alone', async (t) => {
  const { app, records } = await loginApp({ passkeys })
  const key = new SoftAuthenticator('https://shop.example', 'shop.example')
  const browser = new Browser(app)
  await browser.login()
  const headers = { 'x-csrf-token': await browser.csrfToken() }
  const made = (await browser.call('POST', `${API}/webauthn/register/options`, { headers, payload: {} })).json()
  const payload = { response: key.create(made.challenge) }
  t.equal((await browser.call('POST', `${API}/webauthn/register/verify`, { headers, payload })).statusCode, 201)

  const other = new Browser(app)
  const asked = (await other.call('POST', `${API}/webauthn/login/options`, { payload: {} })).json()
  const proof = { payload: { response: key.get(asked.challenge) } }
  const answer = await other.call('POST', `${API}/webauthn/login/verify`, proof)
  t.strictSame([answer.statusCode, answer.json()], [200, { user: { identifier: 'alice', roles: ['ROLE_USER'] } }])
  t.match(records.at(-1), { action: 'login.success', reason: 'webauthn' })
  t.equal((await other.call('GET', `${API}/auth/me`)).statusCode, 200)
})

t.test('an administrator sees sessions and ends one', async (t) => {
  const { app, accounts, records } = await loginApp()
  accounts.add({ ...accounts.get('alice'), identifier: 'root', roles: ['ROLE_SVC_ADMIN'] })
  const [alice, root] = [new Browser(app), new Browser(app)]
  await alice.login()
  await root.login('root')
  t.equal((await alice.call('GET', `${API}/sessions`)).statusCode, 403)
  t.equal((await new Browser(app).call('GET', `${API}/sessions`)).statusCode, 401)
  t.equal((await root.call('GET', `${API}/firewall`)).json().zones.at(-1).name, 'svc')
  t.equal((await root.call('GET', `${API}/roles`)).statusCode, 200)
  const [session] = (await root.call('GET', `${API}/sessions?user=alice`)).json().items
  const revoke = `${API}/sessions/${session.ref}/revoke`
  t.equal((await root.call('POST', revoke)).statusCode, 403, 'a change needs the token')
  const headers = { 'x-csrf-token': await root.csrfToken() }
  t.equal((await root.call('POST', revoke, { headers })).statusCode, 200)
  t.match(records.at(-1), { action: 'session.revoked', resource: session.ref })
  t.equal((await alice.call('GET', `${API}/auth/me`)).statusCode, 401)
})

t.test('in production secrets need a key', async (t) => {
  for (const [section, message] of [
    [{}, /the encryption key for one-time codes is missing/],
    [{ encryptionKey: 'c2hvcnQ=' }, /5 bytes/]
  ] as const) {
    const app = Fastify()
    app.register(svcSecurity, { totp: section })
    const error = await app.ready().then(
      () => null,
      (thrown: unknown) => thrown
    )
    t.match(error, { problems: [{ code: 'SVC_SEC_TOTP_KEY', message }] })
  }
})
