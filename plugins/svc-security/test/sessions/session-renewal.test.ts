/** When a session gets another id or another cookie, and when the sessions of a user end: at a login, a lock, a deletion, a changed factor. */
import t from 'tap'
import { codeOf, keptUsersApp, PASSWORD, SignedIn } from '../support/kept-users-app.ts'
import { API } from '../support/login-app.ts'

const me = async (browser: SignedIn) => (await browser.call('GET', `${API}/auth/me`)).statusCode

t.test('a login begins a session under a new id, and ends the one that came with it', async (t) => {
  const { app } = await keptUsersApp(t)
  const browser = await SignedIn.as(app, 'alice')
  const before = browser.session ?? ''
  await browser.login('alice', PASSWORD)
  t.not(browser.session, before)
  t.ok((browser.session ?? '').length >= 43, '256 bits in base64url')
  t.equal(await me(browser), 200)
  const { items } = await app.sessions.list({ user: 'alice' }, {})
  t.equal(items.length, 1, 'the session of before is gone')
})

t.test('a confirmation gives the session another cookie, and ends the one before', async (t) => {
  const { app, clock } = await keptUsersApp(t)
  const browser = await SignedIn.as(app, 'alice')
  const secret = await browser.enrolCodes(clock)
  const [known] = (await app.sessions.list({ user: 'alice' }, {})).items
  const ways = [
    () => browser.change('POST', '/auth/confirm', { password: PASSWORD }),
    () => browser.change('POST', '/auth/confirm/totp', { code: codeOf(secret, clock) }),
    () => browser.change('POST', '/auth/password', { current: PASSWORD, password: 'another that is long' })
  ]
  for (const confirm of ways) {
    const before = browser.session ?? ''
    t.equal((await confirm()).statusCode, 200, 'the CSRF token of the session holds on')
    t.not(browser.session, before)
    const cookie = { headers: { cookie: `svc_session=${before}` } }
    const copied = await app.inject({ url: `${API}/auth/me`, ...cookie })
    t.equal(copied.statusCode, 401, 'who has a copy of the cookie of before is out')
    t.equal((await app.inject({ url: '/in', ...cookie })).statusCode, 401)
    t.equal(
      (await app.inject({ url: '/in', headers: { cookie: `svc_session=${before.slice(0, 43)}` } })).statusCode,
      401
    )
    t.equal(await me(browser), 200, 'and ends nothing by it')
  }
  const { items } = await app.sessions.list({ user: 'alice' }, {})
  t.strictSame(
    items.map(({ id }) => id),
    [known?.id],
    'it is the session of before'
  )
})

t.test('a cookie of before a confirmation is no activity of the session', async (t) => {
  const { app, clock } = await keptUsersApp(t, { session: { idleTimeoutS: 600 } })
  const browser = await SignedIn.as(app, 'alice')
  const before = browser.session ?? ''
  await browser.change('POST', '/auth/confirm', { password: PASSWORD })
  clock.advance(400_000)
  t.equal((await app.inject({ url: '/in', headers: { cookie: `svc_session=${before}` } })).statusCode, 401)
  clock.advance(300_000)
  t.equal(await me(browser), 401, 'idle for 700 s')
})

t.test('the new cookie comes with an answer that reports an error, and with content that was written', async (t) => {
  const { app } = await keptUsersApp(t)
  app.post('/in/failing', async (request) => {
    await app.sessions.confirm(request, ['pwd'])
    throw new Error('after it')
  })
  app.post('/in/writing', async (request) => {
    Object.assign(request.session, { colour: 'red' })
    return app.sessions.confirm(request, ['pwd'])
  })
  app.get('/in/colour', async ({ session }) => ({ colour: Reflect.get(session, 'colour') as unknown }))
  const browser = await SignedIn.as(app, 'alice')
  const headers = { 'x-csrf-token': browser.token }
  t.equal((await browser.call('POST', '/in/failing', { headers })).statusCode, 500)
  t.equal(await me(browser), 200)
  t.equal((await browser.call('POST', '/in/writing', { headers })).body, 'true')
  t.strictSame((await browser.call('GET', '/in/colour')).json(), { colour: 'red' })
})

for (const [what, end] of [
  ['locked', (app) => app.userAccounts.setLocked('alice', true)],
  ['switched off', (app) => app.userAccounts.setEnabled('alice', false)],
  ['deleted', (app) => app.userAccounts.remove('alice')]
] as readonly (readonly [string, (app: Awaited<ReturnType<typeof keptUsersApp>>['app']) => Promise<boolean>])[]) {
  t.test(`every session of a user who is ${what} ends`, async (t) => {
    const { app } = await keptUsersApp(t)
    const browsers = [await SignedIn.as(app, 'alice'), await SignedIn.as(app, 'alice')]
    const other = await SignedIn.as(app, 'root')
    t.ok(await end(app))
    for (const browser of browsers) t.equal(await me(browser), 401)
    t.equal(await me(other), 200)
    t.strictSame((await app.sessions.list({ user: 'alice' }, {})).items, [], 'none is kept')
  })
}

t.test('after a factor is added or removed, its user can end every other session', async (t) => {
  const { app, clock } = await keptUsersApp(t)
  const [here, there] = [await SignedIn.as(app, 'alice'), await SignedIn.as(app, 'alice')]
  await here.enrolCodes(clock)
  t.match((await here.change('POST', '/auth/sessions/revoke-others')).json(), { count: 1 })
  t.strictSame([await me(here), await me(there)], [200, 401])
})
