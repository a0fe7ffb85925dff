/** Sessions in a zone: fresh users, bounds, ids, and what each costs the store. */
import { inMemory } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import { newSessionId, sessionRef } from '../../../src/sessions/session-cookie.ts'
import { type SessionStore, sessionStore } from '../../../src/sessions/session-store.ts'
import { echoRoute } from '../../support/guarded-app.ts'
import { API, Browser, loginApp } from '../../support/login-app.ts'

/** A memory store that counts what is asked of it, and may be down. */
function countedStore(clock: ManualClock) {
  const calls: Record<string, number> = {}
  const state: { failure: Error | null } = { failure: null }
  const store = new Proxy(inMemory(sessionStore, { clock }), {
    get(target, name) {
      const method = Reflect.get(target, name) as unknown
      if (typeof method !== 'function') return method
      return async (...given: unknown[]) => {
        calls[String(name)] = (calls[String(name)] ?? 0) + 1
        if (state.failure !== null) throw state.failure
        return (method as (...all: unknown[]) => unknown).apply(target, given)
      }
    }
  }) as SessionStore
  return { calls, state, store }
}

async function sessionApp(options = {}) {
  const clock = new ManualClock()
  const counted = countedStore(clock)
  const made = await loginApp(options, { clock, stores: { session: counted.store } })
  echoRoute(made.app, '/in/echo')
  return { ...made, ...counted, clock, browser: new Browser(made.app) }
}

t.test('a login writes once; a request reads once and writes nothing', async (t) => {
  const { app, browser, calls } = await sessionApp()
  await browser.login()
  t.strictSame(calls, { create: 1 })
  await browser.call('GET', '/in/echo')
  t.strictSame(calls, { create: 1, find: 1 })
  await app.close()
})

t.test('activity is written at most once a minute', async (t) => {
  const { app, browser, calls, clock } = await sessionApp()
  await browser.login()
  for (let time = 0; time < 100; time += 1) {
    await browser.call('GET', '/in/echo')
    clock.advance(1000)
  }
  t.equal(calls.touch, 1)
  t.equal(calls.update, undefined)
  await app.close()
})

t.test('a session without activity ends; one with activity ends at its absolute bound', async (t) => {
  const { app, browser, calls, clock, records } = await sessionApp({
    session: { idleTimeoutS: 100, absoluteTimeoutS: 1000 }
  })
  await browser.login()
  clock.advance(99_000)
  t.equal((await browser.call('GET', '/in/echo')).statusCode, 200)
  for (let time = 0; time < 10; time += 1) {
    clock.advance(90_000)
    t.equal((await browser.call('GET', '/in/echo')).statusCode, 200)
  }
  clock.advance(11_000)
  t.equal((await browser.call('GET', '/in/echo')).statusCode, 401)
  t.equal(calls.destroy, 1)
  t.match(records.slice(-2), [
    { action: 'session.destroyed', actor: 'alice', reason: 'expired' },
    { action: 'auth.denied', actor: null, reason: 'no_proof' }
  ])
  await browser.login()
  clock.advance(100_000)
  t.equal((await browser.call('GET', '/in/echo')).statusCode, 401)
  await app.close()
})

t.test('0 switches a bound off', async (t) => {
  const { app, browser, clock } = await sessionApp({ session: { idleTimeoutS: 0, absoluteTimeoutS: 0 } })
  await browser.login()
  clock.advance(1000 * 86_400_000)
  t.equal((await browser.call('GET', '/in/echo')).statusCode, 200)
  await app.close()
})

const bad: Array<[title: string, cookie: string]> = [
  ['an unknown id', `svc_session=${newSessionId()}`],
  ['the stored reference', `svc_session=${sessionRef(newSessionId())}`],
  ['garbage', 'svc_session=%00%ff'],
  ['8 KiB', `svc_session=${'x'.repeat(8000)}`],
  ['an operator', 'svc_session[$ne]=1'],
  ['a path', 'svc_session=../../etc/passwd'],
  ['no cookie at all', 'other=1']
]
t.test('an id that was never given out: 401, no session of that name', async (t) => {
  const { app, calls, store } = await sessionApp()
  for (const [title, cookie] of bad) {
    const answer = await app.inject({ url: '/in/echo', headers: { cookie } })
    t.equal(answer.statusCode, 401, title)
    t.equal(answer.headers['set-cookie'], undefined, title)
  }
  t.equal(calls.find, 2, 'what has the form of an id is asked for, nothing else')
  t.equal(await store.count({}), 0)
  await app.close()
})

t.test('the id before a login is not the one after; what it held is gone', async (t) => {
  const { app, browser, store } = await sessionApp()
  app.get('/visit', { config: {} }, async (request, reply) => app.sessions.open(request, reply, null, { cart: 1 }))
  const { cookies } = await browser.call('GET', '/visit')
  const planted = cookies[0]?.value ?? ''
  t.equal((await browser.call('GET', '/in/echo')).statusCode, 401, 'a session without a user proves nobody')
  await browser.login()
  t.not(browser.session, planted)
  const old = await app.inject({ url: '/in/echo', headers: { cookie: `svc_session=${planted}` } })
  t.equal(old.statusCode, 401)
  t.equal(await store.count({}), 1)
  t.match(await store.find(sessionRef(browser.session ?? '')), { user: 'alice', content: {} })
  await app.close()
})

t.test('roles are fresh; who may not act any more is refused and loses the session', async (t) => {
  const { app, accounts, browser, records, store } = await sessionApp()
  app.get('/in/roles', async (request) => request.user?.roles)
  await browser.login()
  accounts.get('alice').roles = ['ROLE_ADMIN']
  t.strictSame((await browser.call('GET', '/in/roles')).json(), ['ROLE_ADMIN'])
  accounts.get('alice').locked = true
  const refused = await browser.call('GET', '/in/roles')
  t.equal(refused.statusCode, 401)
  t.match(refused.json(), { code: 'SVC_SEC_SESSION', message: 'INVALID_SESSION' })
  t.equal(refused.headers['www-authenticate'], undefined)
  t.equal(await store.count({}), 0)
  t.match(
    records.filter(({ reason }) => reason === 'user_locked').map(({ action }) => action),
    ['session.destroyed', 'auth.failure']
  )
  await browser.login('alice')
  accounts.get('alice').locked = false
  await browser.login()
  accounts.records.delete('alice')
  t.equal((await browser.call('GET', '/in/roles')).statusCode, 401)
  t.match(
    records.filter(({ reason }) => reason === 'user_gone').map(({ action }) => action),
    ['session.destroyed', 'auth.failure']
  )
  t.equal(await store.count({}), 0)
  await app.close()
})

t.test('a store or a user source that fails: 503, never the stale user, never anonymous', async (t) => {
  const areas = { in: { pattern: '^/in', authenticators: ['session', 'anonymous'] } }
  const { app, accounts, browser, state } = await sessionApp({ areas })
  await browser.login()
  state.failure = new Error('store at 10.0.0.7 is down')
  const down = await browser.call('GET', '/in/echo')
  t.equal(down.statusCode, 503)
  t.notMatch(down.body, /10\.0\.0\.7/)
  t.equal((await browser.call('GET', `${API}/auth/me`)).statusCode, 503)
  t.equal((await new Browser(app).login()).statusCode, 503)
  state.failure = null
  accounts.failure = new Error('down')
  t.equal((await browser.call('GET', '/in/echo')).statusCode, 503)
  accounts.failure = null
  t.match((await browser.call('GET', '/in/echo')).json(), { who: 'alice' })
  await app.close()
})

t.test('a visitor whose session is over is anonymous where that is admitted', async (t) => {
  const areas = { in: { pattern: '^/in', authenticators: ['session', 'anonymous'] } }
  const { app, browser, clock } = await sessionApp({ areas })
  await browser.login()
  clock.advance(86_400_000)
  t.match((await browser.call('GET', '/in/echo')).json(), { who: 'anonymous' })
  await app.close()
})

t.test('all sessions of a user end, but one', async (t) => {
  const { app, browser, records } = await sessionApp()
  const other = new Browser(app)
  await browser.login()
  await other.login()
  const mine = sessionRef(browser.session ?? '')
  t.equal(await app.sessions.revokeUser('alice', mine), 1)
  t.equal((await browser.call('GET', '/in/echo')).statusCode, 200)
  t.equal((await other.call('GET', '/in/echo')).statusCode, 401)
  t.equal(await app.sessions.revoke(mine), true)
  t.equal(await app.sessions.revoke(mine), false)
  t.equal((await browser.call('GET', '/in/echo')).statusCode, 401)
  t.match(
    records.filter(({ action }) => action === 'session.revoked').map(({ metadata }) => metadata),
    [{ count: 1 }, {}]
  )
  await app.close()
})
