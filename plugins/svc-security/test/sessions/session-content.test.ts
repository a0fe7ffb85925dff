/** What an application keeps in a session: written when it changed, by the last writer, without the login. */
import { inMemory } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import { sessionRef } from '../../src/sessions/session-cookie.ts'
import { sessionStore } from '../../src/sessions/session-store.ts'
import { Browser, loginApp } from '../support/login-app.ts'

async function contentApp() {
  const clock = new ManualClock()
  const store = inMemory(sessionStore, { clock })
  const made = await loginApp({}, { clock, stores: { session: store } })
  const { app } = made
  let updates = 0
  const update = store.update.bind(store)
  store.update = async (...given) => {
    updates += 1
    return update(...given)
  }
  app.get('/in/keep/:key/:value', async (request) => {
    const { key, value } = request.params as { key: string; value: string }
    return app.sessions.update(request, { [key]: value })
  })
  app.get('/in/read', async (request) => (await app.sessions.resume(request))?.content)
  app.get('/in/flash/:text', async (request) =>
    app.sessions.flash(request, 'info', (request.params as { text: string }).text)
  )
  app.get('/in/shown', async (request) => app.sessions.takeFlash(request))
  app.get('/in/late', async (request) => {
    await app.sessions.resume(request)
    await store.destroyByUser('alice')
    return app.sessions.update(request, { a: 1 })
  })
  app.get('/keep', async (request) => app.sessions.update(request, { a: 1 }))
  const browser = new Browser(app)
  await browser.login()
  return { ...made, store, browser, updates: () => updates }
}

t.test('kept, merged, and written only when it changed', async (t) => {
  const { app, browser, store, updates } = await contentApp()
  await browser.call('GET', '/in/keep/a/1')
  await browser.call('GET', '/in/keep/b/2')
  t.strictSame((await browser.call('GET', '/in/read')).json(), { a: '1', b: '2' })
  t.equal(updates(), 2)
  await browser.call('GET', '/in/keep/b/2')
  t.equal(updates(), 2)
  t.match(await store.find(sessionRef(browser.session ?? '')), { user: 'alice' })
  await app.close()
})

t.test('writers at the same time: the last one wins, the login stays', async (t) => {
  const { app, browser, store } = await contentApp()
  await Promise.all(['a', 'b', 'c'].map((key) => browser.call('GET', `/in/keep/${key}/1`)))
  t.match(await store.find(sessionRef(browser.session ?? '')), { user: 'alice' })
  t.equal((await browser.call('GET', '/in/read')).statusCode, 200)
  await app.close()
})

t.test('a message is shown once', async (t) => {
  const { app, browser, updates } = await contentApp()
  await browser.call('GET', '/in/flash/saved')
  t.strictSame((await browser.call('GET', '/in/shown')).json(), { info: 'saved' })
  t.strictSame((await browser.call('GET', '/in/shown')).json(), {})
  t.equal(updates(), 2)
  await app.close()
})

t.test('without a session nothing is kept, and none is opened', async (t) => {
  const { app, store } = await contentApp()
  const before = await store.count({})
  const answer = await app.inject('/keep')
  t.equal(answer.body, 'false')
  t.equal(answer.headers['set-cookie'], undefined)
  t.equal(await store.count({}), before)
  await app.close()
})

t.test('a session that ended meanwhile does not come back', async (t) => {
  const { app, browser, store } = await contentApp()
  t.equal((await browser.call('GET', '/in/late')).body, 'false')
  t.equal(await store.count({}), 0)
  await app.close()
})

t.test('a listing shows who and when, never what', async (t) => {
  const { app, browser } = await contentApp()
  await browser.call('GET', '/in/keep/secret/value')
  const { items } = await app.sessions.list({ user: 'alice' }, {})
  t.match(items, [{ user: 'alice', meta: { ip: '127.0.0.1' } }])
  t.notMatch(JSON.stringify(items), /secret|value|flash/)
  await app.close()
})

t.test('the sweep runs by the clock, and stops with the application', async (t) => {
  const { app, clock, store } = await contentApp()
  t.equal(await store.count({}), 1)
  clock.advance(43_200_000)
  await new Promise(setImmediate)
  clock.advance(600_000)
  await new Promise(setImmediate)
  t.equal(await store.count({}), 0)
  await app.close()
  t.equal(clock.pending, 0)
})
