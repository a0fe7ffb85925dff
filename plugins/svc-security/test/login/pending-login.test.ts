/** A login that waits for its second factor ends with its first: a password that was changed meanwhile is none. */
import t from 'tap'
import { hashPassword } from '../../src/password-hashes/argon2id.ts'
import { userStore } from '../../src/users/user-store.ts'
import { codeOf, keptUsersApp, PASSWORD } from '../support/kept-users-app.ts'
import { API, Browser } from '../support/login-app.ts'

t.test('X4: a login that waits for a code ends with the password', async (t) => {
  const { app, clock, browserOf } = await keptUsersApp(t)
  const alice = await browserOf('alice')
  const secret = await alice.enrolCodes(clock)
  const waiting = new Browser(app)
  t.equal((await waiting.login('alice', PASSWORD)).statusCode, 202)
  const changed = await alice.change('POST', '/auth/password', { current: PASSWORD, password: 'quite long too' })
  t.equal(changed.statusCode, 200, changed.body)
  const code = { code: codeOf(secret, clock) }
  const refused = await waiting.call('POST', `${API}/auth/login/totp`, { payload: code })
  t.match(refused.json(), { statusCode: 401, code: 'SVC_SEC_SESSION' })
  t.equal((await waiting.login('alice', 'quite long too')).statusCode, 202)
  t.equal((await waiting.call('POST', `${API}/auth/login/totp`, { payload: code })).statusCode, 200)
})

t.test('X4: a hash that is renewed at the login does not end it', async (t) => {
  const weak = { memoryKib: 7168, passes: 1, parallelism: 1 }
  const { app, clock, browserOf } = await keptUsersApp(t, { passwords: { ...weak, passes: 2 } })
  const alice = await browserOf('alice')
  const secret = await alice.enrolCodes(clock)
  const { store } = app.stores.select(userStore, 'auto')
  const kept = await store?.findByIdentifier('alice')
  await store?.update(kept?.id ?? '', { password: await hashPassword(PASSWORD, weak) })
  const browser = new Browser(app)
  t.equal((await browser.login('alice', PASSWORD)).statusCode, 202)
  t.not((await store?.findByIdentifier('alice'))?.password, kept?.password, 'renewed')
  const code = { code: codeOf(secret, clock) }
  t.equal((await browser.call('POST', `${API}/auth/login/totp`, { payload: code })).statusCode, 200)
})
