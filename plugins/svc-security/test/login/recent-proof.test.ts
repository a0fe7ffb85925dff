/** Factors, keys and roles change only a short while after their user was proven; a confirmation by any factor renews that. */
import { createAccessToken } from 'svc-kernel'
import t, { type Test } from 'tap'
import { checkProof } from '../../src/login/recent-proof.ts'
import { codeOf, keptUsersApp, ORIGIN, PASSWORD } from '../support/kept-users-app.ts'
import { API } from '../support/login-app.ts'
import { SoftAuthenticator } from '../support/soft-authenticator.ts'

const WINDOW_MS = 600_000
const DUE = { statusCode: 403, code: 'SVC_SEC_PROOF_DUE' }

/** What a user, and what an administrator, is asked to prove again before. */
const OF_USERS = [
  ['POST', '/totp/enroll'],
  ['POST', '/webauthn/register/options'],
  ['DELETE', '/webauthn/credentials/x'],
  ['POST', '/oauth2/idp/authorize'],
  ['POST', '/keys', { name: 'for ever', expiresInDays: null }],
  ['POST', '/keys', { name: 'for a day', expiresInDays: 1 }],
  ['POST', `/auth/sessions/${'a'.repeat(43)}/revoke`],
  ['POST', '/auth/sessions/revoke-others'],
  ['POST', '/auth/grants/x/revoke']
] as const

const OF_ADMINISTRATORS = [
  ['POST', '/users', { identifier: 'zoe', password: PASSWORD }],
  ['PUT', '/users/:alice/roles', { roles: ['ROLE_SVC_DATA'] }],
  ['DELETE', '/users/:alice/factors/totp'],
  ['DELETE', '/users/:alice/factors/passkeys/x']
] as const

/** What takes rights of keys and of others away, or changes none, is never held up. */
const NEVER = [
  ['POST', '/users/:alice/sessions/revoke'],
  ['POST', '/keys/x/revoke'],
  ['DELETE', '/keys/x'],
  ['POST', '/explain', { method: 'GET', path: '/' }],
  ['POST', '/users/:alice/lock']
] as const

const oauth2 = {
  publicUrl: ORIGIN,
  providers: { idp: { issuer: 'http://127.0.0.1:1', clientId: 'shop' } }
}

async function setUp(t: Test, options = {}) {
  const made = await keptUsersApp(t, { oauth2, ...options })
  const root = await made.browserOf('root')
  const ask = async ([method, path, payload]: readonly [
    method: 'POST' | 'PUT' | 'DELETE',
    path: string,
    payload?: object
  ]) => (await root.change(method, path.replace(':alice', made.ids.alice), payload)).json()
  return { ...made, root, ask }
}

t.test('X5: factors, keys and roles ask for a recent proof, and nothing else does', async (t) => {
  const { app, clock, root, ask } = await setUp(t)
  clock.advance(WINDOW_MS)
  for (const row of [...OF_USERS, ...OF_ADMINISTRATORS]) t.notMatch(await ask(row), DUE, `in time: ${row[0]} ${row[1]}`)
  await app.userAccounts.remove('zoe')
  await app.userAccounts.setRoles('alice', ['ROLE_USER'])
  const { items } = await app.userAccounts.list({}, {})
  clock.advance(1)
  for (const row of [...OF_USERS, ...OF_ADMINISTRATORS]) t.match(await ask(row), DUE, `too late: ${row[0]} ${row[1]}`)
  for (const row of NEVER.slice(0, -1)) t.notMatch(await ask(row), DUE, `never: ${row[0]} ${row[1]}`)
  t.same((await app.userAccounts.list({}, {})).items, items, 'nothing changed')
  t.match(await ask(NEVER.at(-1) as (typeof NEVER)[4]), { locked: true })
  t.equal((await root.call('GET', `${API}/keys`)).statusCode, 200, 'and everything can be looked at')
})

t.test('X5: the password confirms, and a wrong one does not', async (t) => {
  const { clock, records, ask, root } = await setUp(t)
  clock.advance(WINDOW_MS + 1)
  const [, , , , key] = OF_USERS
  records.length = 0
  const wrong = await root.change('POST', '/auth/confirm', { password: 'not it at all' })
  t.match(wrong.json(), { statusCode: 401, code: 'SVC_SEC_CREDENTIALS', message: 'INVALID_CREDENTIALS' })
  t.match(records, [{ action: 'login.failure', actor: 'root', reason: 'wrong_password' }])
  t.match(await ask(key), DUE)
  t.equal(
    (await root.call('POST', `${API}/auth/confirm`, { payload: { password: PASSWORD } })).statusCode,
    403,
    'no CSRF'
  )
  t.same((await root.change('POST', '/auth/confirm', { password: PASSWORD })).json(), { ok: true })
  t.match(await ask(key), { name: 'for ever', expiresAt: null })
  clock.advance(WINDOW_MS + 1)
  t.match(await ask(key), DUE, 'for a while')
  for (let tries = 0; tries < 6; tries += 1) await root.change('POST', '/auth/confirm', { password: 'not it at all' })
  const throttled = await root.change('POST', '/auth/confirm', { password: PASSWORD })
  t.match(throttled.json(), { statusCode: 429, code: 'SVC_SEC_THROTTLED' }, 'guesses are slowed down as at a login')
})

t.test('X5: a code and a passkey confirm, of this user alone', async (t) => {
  const { clock, ask, root, browserOf } = await setUp(t)
  const [, , , , key] = OF_USERS
  const secret = await root.enrolCodes(clock)
  const passkey = new SoftAuthenticator(ORIGIN, 'localhost')
  const { challenge } = (await root.change('POST', '/webauthn/register/options')).json<{ challenge: string }>()
  const registered = await root.change('POST', '/webauthn/register/verify', { response: passkey.create(challenge) })
  t.equal(registered.statusCode, 201, registered.body)

  clock.advance(WINDOW_MS + 1)
  t.match(await ask(key), DUE)
  t.equal((await root.change('POST', '/auth/confirm/totp', { code: '000000' })).statusCode, 401)
  t.match(await ask(key), DUE)
  t.same((await root.change('POST', '/auth/confirm/totp', { code: codeOf(secret, clock) })).json(), { ok: true })
  t.notMatch(await ask(key), DUE)

  clock.advance(WINDOW_MS + 1)
  const confirm = async (browser: typeof root) => {
    const options = (await browser.change('POST', '/webauthn/login/options', {})).json<{ challenge: string }>()
    return browser.change('POST', '/auth/confirm/passkey', { response: passkey.get(options.challenge) })
  }
  const alice = await browserOf('alice')
  t.equal((await confirm(alice)).statusCode, 401, 'the passkey of another user')
  t.match(await ask(key), DUE)
  t.same((await confirm(root)).json(), { ok: true })
  t.notMatch(await ask(key), DUE)
})

t.test('X5: the current password, shown to change it, is a proof', async (t) => {
  const { clock, root, ask } = await setUp(t)
  const [, , , , key] = OF_USERS
  clock.advance(WINDOW_MS + 1)
  const changed = await root.change('POST', '/auth/password', { current: PASSWORD, password: 'quite long too' })
  t.equal(changed.statusCode, 200, changed.body)
  t.notMatch(await ask(key), DUE)
})

t.test('X5: a token says when its user was proven, and its successors keep that time', async (t) => {
  const { app, clock } = await setUp(t)
  const post = (url: string, payload: object, token?: string) => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
    return app.inject({ method: 'POST', url: API + url, payload, headers })
  }
  const login = { username: 'root', password: PASSWORD }
  const { access_token: access, refresh_token: refresh } = (await post('/token', login)).json<Record<string, string>>()
  t.equal((await post('/keys', { name: 'ci' }, access)).statusCode, 201)
  clock.advance(WINDOW_MS - 1000)
  const renewed = (await post('/token/refresh', { refresh_token: refresh })).json<Record<string, string>>()
  t.equal((await post('/keys', { name: 'ci' }, renewed.access_token)).statusCode, 201, 'as old as its login')
  clock.advance(1001)
  const late = await post('/keys', { name: 'ci' }, renewed.access_token)
  t.match(late.json(), { statusCode: 401, code: 'SVC_SEC_STEP_UP', maxAge: 600 })
  t.match(late.headers['www-authenticate'], /^Bearer error="insufficient_user_authentication", .*max_age="600"$/)
  const again = (await post('/token/refresh', { refresh_token: renewed.refresh_token })).json<Record<string, string>>()
  t.match((await post('/keys', { name: 'ci' }, again.access_token)).json(), { code: 'SVC_SEC_STEP_UP' })
})

t.test('X5: null asks for none, and the window is an option', async (t) => {
  const unasked = await setUp(t, { session: { recentProofS: null, idleTimeoutS: 0 } })
  unasked.clock.advance(WINDOW_MS * 10)
  for (const row of [...OF_USERS, ...OF_ADMINISTRATORS]) t.notMatch(await unasked.ask(row), DUE, `${row[0]} ${row[1]}`)
  const short = await setUp(t, { session: { recentProofS: 5 } })
  short.clock.advance(5001)
  t.match(await short.ask(OF_USERS[0]), DUE)
})

t.test('X5: a machine is not asked to confirm', (t) => {
  const setting = { recent: { maxAgeS: 600 }, clock: { now: () => 0 }, scheme: 'Bearer' }
  const robot = createAccessToken({ type: 'robot', user: { identifier: 'r2' } })
  t.throws(() => checkProof(robot, setting.recent, setting), { statusCode: 403, code: 'SVC_SEC_PERSON' })
  t.doesNotThrow(() => checkProof(robot, null, setting))
  t.end()
})
