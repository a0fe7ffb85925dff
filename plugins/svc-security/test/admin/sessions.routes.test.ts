/** The listing of sessions and their revocation, over the real session service. */
import Fastify from 'fastify'
import { ensureKernel } from 'svc-kernel'
import { inMemory } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import { sessionsRoutes } from '../../src/admin/sessions.routes.ts'
import { SecurityJournal } from '../../src/journal/security-journal.ts'
import { RevocationNotifier } from '../../src/sessions/revocation-notifier.ts'
import { SessionCookie, sessionRef } from '../../src/sessions/session-cookie.ts'
import { SessionService } from '../../src/sessions/session-service.ts'
import { sessionStore } from '../../src/sessions/session-store.ts'
import { ADMIN, admitByHeader } from '../support/admitting.ts'

const PATH = '/svc/security/api/sessions'

async function setUp() {
  const app = Fastify()
  await ensureKernel(app)
  admitByHeader(app)
  const clock = new ManualClock()
  const store = inMemory(sessionStore, { clock })
  const sessions = new SessionService({
    store,
    cookie: new SessionCookie({ cookieName: 'svc_session', secureCookie: 'auto' }),
    bounds: { idleTimeoutS: 1800, absoluteTimeoutS: 43_200 },
    clock,
    journal: new SecurityJournal(app),
    revocations: new RevocationNotifier()
  })
  const csrf = { calls: 0 }
  sessionsRoutes(app, {
    sessions,
    csrf: (_request, _reply, payload, done) => {
      csrf.calls += 1
      done(null, payload)
    }
  })
  for (const user of ['alice', 'bob', 'alice']) {
    const meta = { ip: '192.0.2.1', userAgent: 'test', other: 'kept back' }
    await store.create({ id: sessionRef(`${user}${clock.now()}`), user, content: { a: 1 }, flash: { b: 2 }, meta })
    clock.advance(1000)
  }
  const get = (query = '', headers: Record<string, string> = ADMIN) => app.inject({ url: PATH + query, headers })
  const revoke = (ref: string, headers: Record<string, string> = ADMIN) =>
    app.inject({ method: 'POST', url: `${PATH}/${ref}/revoke`, headers })
  return { app, store, csrf, get, revoke }
}

t.test('403 without the role, before anything is read or checked', async (t) => {
  const { get, revoke, csrf, store } = await setUp()
  t.equal((await get('?nonsense=1', {})).statusCode, 403)
  t.equal((await get('', { 'x-role': 'ROLE_USER' })).statusCode, 403)
  const [{ id } = { id: '' }] = (await store.list({}, {})).items
  t.equal((await revoke(id, { 'x-role': 'ROLE_USER' })).statusCode, 403)
  t.equal(csrf.calls, 0)
  t.equal(await store.count({}), 3)
})

t.test('newest first, by page, by user; content and flash stay', async (t) => {
  const { get } = await setUp()
  const whole = await get()
  t.equal(whole.headers['cache-control'], 'no-store')
  t.strictSame(
    whole.json().items.map(({ user }: { user: string }) => user),
    ['alice', 'bob', 'alice']
  )
  t.strictSame(Object.keys(whole.json().items[0]).sort(), [
    'createdAt',
    'device',
    'ip',
    'ref',
    'updatedAt',
    'user',
    'userAgent'
  ])
  const page = (await get('?limit=1&offset=1')).json()
  t.match(page, { items: [{ user: 'bob', ip: '192.0.2.1' }], limit: 1, offset: 1, hasNext: true })
  t.equal((await get('?user=alice')).json().items.length, 2)
  t.equal((await get('?limit=9999')).json().limit, 200)
  for (const bad of ['?limit=x', '?offset=-1', '?nonsense=1', '?user=']) {
    t.equal((await get(bad)).statusCode, 400, bad)
  }
})

t.test('revoking ends one session, once', async (t) => {
  const { store, revoke, csrf } = await setUp()
  const [{ id } = { id: '' }] = (await store.list({ user: 'bob' }, {})).items
  t.strictSame((await revoke(id)).json(), { ok: true })
  t.equal(csrf.calls, 1)
  t.equal(await store.count({}), 2)
  t.match((await revoke(id)).json(), { statusCode: 404, code: 'SVC_SEC_SESSION_UNKNOWN' })
  t.equal((await revoke('short')).statusCode, 400)
})
