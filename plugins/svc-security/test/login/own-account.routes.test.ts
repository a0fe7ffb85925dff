/** The own account: its sessions, and its password, over HTTP. */
import t from 'tap'
import { type Accounts, ALICE_PASSWORD, someAccounts } from '../support/accounts.ts'
import { API, Browser, loginApp } from '../support/login-app.ts'

const PASSWORD = 'a much better one'

/** The application lets passwords be replaced. */
function writable(accounts: Accounts) {
  return {
    findByIdentifier: (name: string) => accounts.findByIdentifier(name),
    async replacePassword(id: string, expected: string | null, next: string) {
      const account = accounts.get(id)
      if (account.password !== expected) return false
      account.password = next
      return true
    }
  }
}

/** Two browsers of alice, signed in. */
async function twoBrowsers() {
  const accounts = await someAccounts()
  const world = await loginApp({}, { users: writable(accounts) })
  const [first, second] = [new Browser(world.app), new Browser(world.app)]
  await first.login()
  await second.login()
  const headers = { 'x-csrf-token': await first.csrfToken() }
  const sessions = async () => {
    const answer = await first.call('GET', `${API}/auth/sessions`)
    return answer.json<{ sessions: { ref: string; current: boolean }[] }>().sessions
  }
  return { ...world, accounts, first, second, headers, sessions }
}

const stillIn = async (browser: Browser) => (await browser.call('GET', `${API}/auth/me`)).statusCode

t.test('the sessions of who asks, with the one of this browser marked', async (t) => {
  const { app, first, second, sessions } = await twoBrowsers()
  const found = await sessions()
  t.equal(found.length, 2)
  t.equal(found.filter(({ current }) => current).length, 1)
  t.match(found[0], { ref: /^[\w-]{43}$/, ip: '127.0.0.1', createdAt: Number, updatedAt: Number })
  const others = (await second.call('GET', `${API}/auth/sessions`)).json().sessions
  t.not(others.find(({ current }: { current: boolean }) => current).ref, found.find(({ current }) => current)?.ref)
  t.notMatch(JSON.stringify(found), first.session ?? 'x', 'no session id')
  t.equal((await new Browser(app).call('GET', `${API}/auth/sessions`)).statusCode, 401)
  await app.close()
})

t.test('one session ends, or all but this one', async (t) => {
  const { app, accounts, first, second, headers, sessions, records } = await twoBrowsers()
  const other = (await sessions()).find(({ current }) => !current)?.ref ?? ''
  const path = (ref: string) => `${API}/auth/sessions/${ref}/revoke`
  t.equal((await first.call('POST', path(other))).statusCode, 403, 'without the CSRF token')
  t.equal((await first.call('POST', path('a'.repeat(43)), { headers })).json().code, 'SVC_SEC_SESSION_UNKNOWN')
  t.equal(await stillIn(second), 200)
  t.strictSame((await first.call('POST', path(other), { headers })).json(), { ok: true })
  t.equal(await stillIn(second), 401)
  t.match(records.at(-1), { action: 'session.revoked' })

  accounts.add({ ...accounts.get('alice'), identifier: 'eve' })
  const eve = new Browser(app)
  await eve.login('eve')
  const hers = (await eve.call('GET', `${API}/auth/sessions`)).json().sessions[0].ref
  t.equal((await first.call('POST', path(hers), { headers })).statusCode, 404, 'of somebody else')
  t.equal(await stillIn(eve), 200)

  await second.login()
  const answer = await first.call('POST', `${API}/auth/sessions/revoke-others`, { headers })
  t.strictSame(answer.json(), { count: 1, grants: 0 })
  t.strictSame([await stillIn(first), await stillIn(second), await stillIn(eve)], [200, 401, 200])
  await app.close()
})

t.test('the password, with the current one, ends every other session', async (t) => {
  const { app, first, second, headers, records } = await twoBrowsers()
  const change = (current: string, password: string, more: object = headers) =>
    first.call('POST', `${API}/auth/password`, { headers: { ...more }, payload: { current, password } })

  t.equal((await change(ALICE_PASSWORD, PASSWORD, {})).statusCode, 403, 'without the CSRF token')
  const foreign = { ...headers, origin: 'https://evil.example' }
  t.equal((await change(ALICE_PASSWORD, PASSWORD, foreign)).json().code, 'SVC_SEC_CROSS_SITE')
  records.length = 0
  const wrong = await change('not it', PASSWORD)
  t.match(wrong.json(), { statusCode: 401, code: 'SVC_SEC_CREDENTIALS', message: 'INVALID_CREDENTIALS' })
  t.match(records, [{ action: 'login.failure', actor: 'alice', reason: 'wrong_password' }])
  t.equal((await change(ALICE_PASSWORD, '')).statusCode, 400)
  t.equal(await stillIn(second), 200)

  records.length = 0
  t.strictSame((await change(ALICE_PASSWORD, PASSWORD)).json(), { ok: true })
  t.match(records, [{ action: 'user.password', actor: 'alice', resource: 'alice' }, { action: 'session.revoked' }])
  t.notMatch(JSON.stringify(records), PASSWORD)
  t.strictSame([await stillIn(first), await stillIn(second)], [200, 401])
  t.equal((await second.login('alice', ALICE_PASSWORD)).statusCode, 401)
  t.equal((await second.login('alice', PASSWORD)).statusCode, 200)
  await app.close()
})

t.test('who is not signed in changes nothing, whatever the body', async (t) => {
  const { app } = await loginApp()
  const nobody = new Browser(app)
  const payload = { current: ALICE_PASSWORD, password: PASSWORD }
  t.equal((await nobody.call('POST', `${API}/auth/password`, { payload })).statusCode, 401)
  t.equal((await nobody.call('POST', `${API}/auth/password`, { payload: {} })).statusCode, 401)
  t.equal((await nobody.call('POST', `${API}/auth/sessions/revoke-others`)).statusCode, 401)
  await app.close()
})

t.test('users that the application keeps itself, without a way to change them', async (t) => {
  const { app } = await loginApp()
  const browser = new Browser(app)
  await browser.login()
  const headers = { 'x-csrf-token': await browser.csrfToken() }
  const payload = { current: ALICE_PASSWORD, password: PASSWORD }
  const answer = await browser.call('POST', `${API}/auth/password`, { headers, payload })
  t.match(answer.json(), { statusCode: 409, code: 'SVC_SEC_PASSWORD_ELSEWHERE' })
  await app.close()
})
