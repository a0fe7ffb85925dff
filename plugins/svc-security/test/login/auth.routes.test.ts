/** Login, logout, me and csrf over HTTP. */
import t from 'tap'
import { ALICE_PASSWORD } from '../support/accounts.ts'
import { enrolledStore, totp } from '../support/enrolled.ts'
import { echoRoute } from '../support/guarded-app.ts'
import { API, Browser, loginApp } from '../support/login-app.ts'

t.test('a login opens a session under a new id; me tells who; logout ends it', async (t) => {
  const { app, records } = await loginApp()
  echoRoute(app, '/in/echo')
  const browser = new Browser(app)
  t.equal((await browser.call('GET', '/in/echo')).statusCode, 401)
  const login = await browser.login()
  t.equal(login.statusCode, 200)
  t.strictSame(login.json(), { user: { identifier: 'alice', roles: ['ROLE_USER'] } })
  t.equal(login.headers['cache-control'], 'no-store')
  t.match(login.cookies, [{ name: 'svc_session', httpOnly: true, sameSite: 'Lax', path: '/' }])
  t.match((await browser.call('GET', '/in/echo')).json(), { who: 'alice', proof: 'session' })
  const me = await browser.call('GET', `${API}/auth/me`)
  t.match(me.json(), { user: { identifier: 'alice', roles: ['ROLE_USER'] }, csrfToken: /^[\w-]{43}$/ })
  t.strictSame((await browser.call('GET', `${API}/auth/csrf`)).json(), { csrfToken: me.json().csrfToken })
  const cookie = browser.session
  t.strictSame((await browser.call('POST', `${API}/auth/logout`)).json(), { ok: true })
  t.equal(browser.session, undefined)
  t.equal((await browser.call('POST', `${API}/auth/logout`)).statusCode, 200, 'again')
  t.equal((await app.inject({ url: '/in/echo', headers: { cookie: `svc_session=${cookie}` } })).statusCode, 401)
  t.strictSame(
    records.filter(({ outcome }) => outcome === 'success').map(({ action, actor }) => [action, actor]),
    [
      ['session.opened', 'alice'],
      ['login.success', 'alice'],
      ['session.destroyed', 'alice'],
      ['logout', 'alice']
    ]
  )
  t.notMatch(JSON.stringify(records), new RegExp(cookie ?? 'x'))
  await app.close()
})

t.test('S8: a login over a session ends the one before, and the audit says so', async (t) => {
  const { app, records } = await loginApp()
  const browser = new Browser(app)
  await browser.login()
  const before = `svc_session=${browser.session}`
  const first = records.find(({ action }) => action === 'session.opened')?.resource
  records.length = 0
  await browser.login()
  t.match(records, [
    { action: 'session.destroyed', category: 'session', actor: 'alice', resource: first, reason: 'replaced' },
    { action: 'session.opened', actor: 'alice' },
    { action: 'login.success', actor: 'alice' }
  ])
  t.equal(records.length, 3)
  t.equal((await app.inject({ url: `${API}/auth/me`, headers: { cookie: before } })).statusCode, 401)
  records.length = 0
  await app.inject({
    method: 'POST',
    url: `${API}/auth/login`,
    headers: { cookie: before },
    payload: { username: 'alice', password: ALICE_PASSWORD }
  })
  t.strictSame(
    records.map(({ action }) => action),
    ['session.opened', 'login.success'],
    'one that is over already is not ended again'
  )
  await app.close()
})

t.test('every failed login has one answer; the audit knows the cause', async (t) => {
  const { app, records } = await loginApp({ rateLimit: { freeAttempts: 100 } })
  const causes = [
    ['alice', 'wrong', 'wrong_password'],
    ['nobody', ALICE_PASSWORD, 'unknown_user'],
    ['bob', ALICE_PASSWORD, 'locked'],
    ['carol', ALICE_PASSWORD, 'disabled'],
    ['dave', ALICE_PASSWORD, 'no_password']
  ] as const
  const answers = []
  for (const [username, password] of causes) answers.push(await new Browser(app).login(username, password))
  const whole = answers.map(({ statusCode, headers, body }) => {
    const { date: _, ...rest } = headers
    return { statusCode, rest, body }
  })
  for (const answer of whole) t.strictSame(answer, whole[0])
  t.strictSame(answers[0]?.json(), {
    statusCode: 401,
    code: 'SVC_SEC_CREDENTIALS',
    error: 'Unauthorized',
    message: 'INVALID_CREDENTIALS'
  })
  t.strictSame(
    records.map(({ action, actor, reason }) => [action, actor, reason]),
    causes.map(([username, , reason]) => ['login.failure', username, reason])
  )
  await app.close()
})

const malformed: Array<[title: string, payload: unknown, at: string]> = [
  ['email instead of username', { email: 'a', password: 'b' }, 'username'],
  ['no password', { username: 'alice' }, 'password'],
  ['a number', { username: 1, password: 'b' }, 'username'],
  ['an operator', { username: 'alice', password: { $ne: null } }, 'password'],
  ['a list', { username: ['alice'], password: 'b' }, 'username'],
  ['null', { username: null, password: 'b' }, 'username'],
  ['one key too many', { username: 'alice', password: 'b', admin: true }, '/admin'],
  ['empty', { username: '', password: 'b' }, 'username'],
  ['too long', { username: 'alice', password: 'x'.repeat(1025) }, 'password'],
  ['not an object', [], 'object']
]
t.test('what is no login is a 400, and asks nobody', async (t) => {
  const { app, accounts, records } = await loginApp()
  for (const [title, payload, at] of malformed) {
    const answer = await app.inject({ method: 'POST', url: `${API}/auth/login`, payload: payload as object })
    t.equal(answer.statusCode, 400, title)
    t.match(answer.body, new RegExp(at), title)
  }
  t.equal(accounts.lookups, 0)
  t.strictSame(records, [])
  await app.close()
})

const types: Array<[type: string, payload: string, status: number]> = [
  ['text/plain', JSON.stringify({ username: 'alice', password: ALICE_PASSWORD }), 415],
  ['application/x-www-form-urlencoded', 'username=alice&password=x', 415],
  ['multipart/form-data; boundary=x', '--x--', 415],
  ['application/json', '{"username":', 400],
  ['application/json', '{"username":"a","password":"b","__proto__":{}}', 400],
  ['application/json; charset=utf-8', JSON.stringify({ username: 'alice', password: ALICE_PASSWORD }), 200]
]
for (const [type, payload, status] of types) {
  t.test(`${type}: ${status}`, async (t) => {
    const { app } = await loginApp()
    app.addContentTypeParser('application/x-www-form-urlencoded', (_request, _payload, done) => done(null, {}))
    const headers = { 'content-type': type }
    const answer = await app.inject({ method: 'POST', url: `${API}/auth/login`, headers, payload })
    t.equal(answer.statusCode, status)
    await app.close()
  })
}

const pages: Array<[title: string, headers: Record<string, string>, status: number]> = [
  ['no browser', {}, 200],
  ['our own page', { origin: 'http://localhost', 'sec-fetch-site': 'same-origin' }, 200],
  ['a trusted page', { origin: 'https://app.example', 'sec-fetch-site': 'cross-site' }, 200],
  ['another page', { origin: 'https://evil.example' }, 403],
  ['no origin to tell', { origin: 'null' }, 403],
  ['another site', { 'sec-fetch-site': 'cross-site' }, 403],
  ['a sibling host', { 'sec-fetch-site': 'same-site' }, 403],
  ['typed by hand', { 'sec-fetch-site': 'none' }, 200]
]
t.test('a login from a foreign page is refused before its password is looked at', async (t) => {
  const { app, accounts, records } = await loginApp({ csrf: { trustedOrigins: ['https://app.example'] } })
  for (const [title, headers, status] of pages) {
    const before = accounts.lookups
    const answer = await new Browser(app).login('alice', ALICE_PASSWORD, { headers })
    t.equal(answer.statusCode, status, title)
    t.equal(accounts.lookups - before, status === 200 ? 1 : 0, title)
  }
  t.equal(records.filter(({ action }) => action === 'csrf.rejected').length, 4)
  await app.close()
})

t.test('a second factor: 202, a session without a user, nothing open yet', async (t) => {
  const { app } = await loginApp({ totp }, { stores: { totp: enrolledStore((identifier) => identifier === 'alice') } })
  echoRoute(app, '/in/echo')
  const browser = new Browser(app)
  const login = await browser.login()
  t.equal(login.statusCode, 202)
  t.strictSame(login.json(), { mfaRequired: true, methods: ['totp'] })
  t.equal((await browser.call('GET', '/in/echo')).statusCode, 401)
  t.equal((await browser.call('GET', `${API}/auth/me`)).statusCode, 401)
  await app.close()
})

t.test('a second factor that cannot answer lets nobody past', async (t) => {
  const down = enrolledStore(() => Promise.reject(new Error('down')))
  const { app } = await loginApp({ totp }, { stores: { totp: down } })
  const answer = await new Browser(app).login()
  t.equal(answer.statusCode, 503)
  t.strictSame(answer.cookies, [])
  await app.close()
})

t.test('guessing is slowed down, and told with Retry-After; the verifier is not asked', async (t) => {
  const { app, accounts, clock, records } = await loginApp()
  for (let time = 0; time < 4; time += 1) t.equal((await new Browser(app).login('alice', 'wrong')).statusCode, 401)
  const before = accounts.lookups
  const blocked = await new Browser(app).login()
  t.equal(blocked.statusCode, 429)
  t.equal(blocked.headers['retry-after'], '1')
  t.equal(accounts.lookups, before)
  t.match(records.at(-1), { action: 'login.throttled', actor: 'alice' })
  clock.advance(1000)
  t.equal((await new Browser(app).login()).statusCode, 200)
  await app.close()
})

t.test('a user source that fails is 503, and no failure of the user', async (t) => {
  const { app, accounts } = await loginApp()
  accounts.failure = new Error('connection to 10.0.0.7 refused')
  for (let time = 0; time < 6; time += 1) {
    const answer = await new Browser(app).login()
    t.equal(answer.statusCode, 503)
    t.notMatch(answer.body, /10\.0\.0\.7/)
  }
  accounts.failure = null
  t.equal((await new Browser(app).login()).statusCode, 200)
  await app.close()
})
