/** When a session gets another id, and when the sessions of a user end: at a login, a lock, a deletion, a changed factor. */
import t from 'tap'
import { keptUsersApp, PASSWORD, SignedIn } from '../support/kept-users-app.ts'
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
