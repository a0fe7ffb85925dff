/** More sessions than a page shows, and keys that no content of a session can have. */
import { inMemory } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import { sessionStore } from '../../src/sessions/session-store.ts'
import { API, Browser, loginApp } from '../support/login-app.ts'

t.test('X7: every session can be ended by itself, beyond the newest 200 too', async (t) => {
  const clock = new ManualClock()
  const session = inMemory(sessionStore, { clock })
  const { app } = await loginApp({}, { clock, stores: { session } })
  t.teardown(() => app.close())
  const oldest = new Browser(app)
  await oldest.login()
  const list = async (by: Browser, query = '') => (await by.call('GET', `${API}/auth/sessions${query}`)).json()
  const { ref } = (await list(oldest)).sessions[0]
  for (let index = 0; index < 205; index += 1) {
    clock.advance(1000)
    await session.create({ id: `${index}`.padStart(43, 'a'), user: 'alice', content: {}, flash: {}, meta: {} })
  }
  clock.advance(1000)
  const first = new Browser(app)
  await first.login()
  const [newest, rest] = [await list(first), await list(first, '?offset=200')]
  t.match(newest, { limit: 200, offset: 0, hasNext: true })
  t.equal(newest.sessions.length, 200)
  t.match(rest, { limit: 200, offset: 200, hasNext: false })
  t.equal(rest.sessions.length, 7)
  t.equal(rest.sessions.at(-1).ref, ref, 'the oldest is on the last page')
  for (const bad of ['?limit=0', '?limit=201', '?offset=-1', '?nonsense=1']) {
    t.equal((await list(first, bad)).statusCode, 400, bad)
  }
  const headers = { 'x-csrf-token': await first.csrfToken() }
  const revoke = async () => (await first.call('POST', `${API}/auth/sessions/${ref}/revoke`, { headers })).statusCode
  t.same([await revoke(), await revoke()], [200, 404])
  t.equal((await oldest.call('GET', `${API}/auth/me`)).statusCode, 401)
})

t.test('X7: sessions.update takes no key that decides on a login', async (t) => {
  const clock = new ManualClock()
  const session = inMemory(sessionStore, { clock })
  const { app } = await loginApp({}, { clock, stores: { session } })
  t.teardown(() => app.close())
  app.post('/keep', async (request) => app.sessions.update(request, request.body as Record<string, string>))
  const browser = new Browser(app)
  await browser.login()
  const [before] = (await session.list({}, {})).items
  for (const key of ['user', 'pending', 'cookie', 'flash', 'save', 'constructor', 'toString']) {
    const refused = await browser.call('POST', '/keep', { payload: { fine: 'yes', [key]: 'x' } })
    t.match(refused.json(), { statusCode: 500, code: 'SVC_SEC_SESSION_KEY' }, key)
  }
  t.same((await session.find(before?.id ?? ''))?.content, {}, 'and nothing beside it')
  t.equal((await browser.call('POST', '/keep', { payload: { fine: 'yes' } })).body, 'true')
  t.same((await session.find(before?.id ?? ''))?.content, { fine: 'yes' })
})
