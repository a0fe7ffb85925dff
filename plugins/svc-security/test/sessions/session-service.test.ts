/** `fastify.sessions`: what each call gives back, what the audit shows of it, and when the user comes with the session. */
import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { inMemory } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import { sessionRef } from '../../src/sessions/session-cookie.ts'
import { sessionStore } from '../../src/sessions/session-store.ts'
import { type UserStore, userStore } from '../../src/users/user-store.ts'
import { keptUsersApp, PASSWORD } from '../support/kept-users-app.ts'
import { Browser, loginApp } from '../support/login-app.ts'

async function sessionApp() {
  const clock = new ManualClock()
  const store = inMemory(sessionStore, { clock })
  const made = await loginApp({}, { clock, stores: { session: store } })
  const browser = new Browser(made.app)
  let inside: (request: FastifyRequest) => unknown = () => undefined
  made.app.get('/in/route', async (request) => void (await inside(request)))
  /** Calls `work` with a request of the browser. */
  const during = async <T>(work: (request: FastifyRequest) => T): Promise<Awaited<T>> => {
    let given: unknown
    inside = async (request) => {
      given = await work(request)
    }
    await browser.call('GET', '/in/route')
    return given as Awaited<T>
  }
  return { ...made, store, browser, during }
}

t.test('a login is audited with its session, and the session says by what it was proven', async (t) => {
  const { app, browser, records, store, clock } = await sessionApp()
  t.teardown(() => app.close())
  await browser.login()
  const id = sessionRef(browser.session ?? '')
  const { action, outcome, category, actor, resource } = records.find((event) => event.category === 'session') ?? {}
  t.same([category, action, outcome, actor, resource], ['session', 'session.opened', 'success', 'alice', id])
  t.match(await store.find(id), { user: 'alice', content: {}, flash: {}, meta: { proof: `${clock.now()} pwd` } })
})

t.test('who ends a session of someone else is in the audit, with what ended', async (t) => {
  const { app, browser, records, store, during } = await sessionApp()
  t.teardown(() => app.close())
  await browser.login()
  const other = new Browser(app)
  await other.login()
  const ref = sessionRef(other.session ?? '')
  records.length = 0
  t.equal(await during((request) => app.sessions.revoke(ref, request)), true)
  t.equal(await during((request) => app.sessions.revoke(ref, request)), false)
  t.equal(await app.sessions.revokeUser('bob'), 0)
  t.match(records, [{ action: 'session.revoked', outcome: 'success', actor: 'alice', resource: ref, metadata: {} }])
  t.equal(records.length, 1, 'what was not there leaves no trace')
  t.equal(await app.sessions.revokeUser('alice'), 1)
  t.strictSame(records.at(-1)?.metadata, { count: 1 })
  t.match(records.at(-1), { actor: null, resource: 'alice' })
  t.equal(await store.count({}), 0)
})

t.test('who holds on to sessions of a user hears that they ended, but for the one that goes on', async (t) => {
  const { app, browser } = await sessionApp()
  t.teardown(() => app.close())
  const heard: string[] = []
  const refs: string[] = []
  for (const [name, who] of Object.entries({ first: browser, second: new Browser(app) })) {
    await who.login()
    refs.push(sessionRef(who.session ?? ''))
    app.sessions.whenOver(refs.at(-1) ?? '', 'alice', () => heard.push(name))
  }
  t.equal(await app.sessions.revokeUser('alice', refs[0]), 1)
  t.same(heard, ['second'])
})

t.test('a session that was gone already is audited once', async (t) => {
  const { app, browser, records, store, during } = await sessionApp()
  t.teardown(() => app.close())
  await browser.login()
  records.length = 0
  await during(async (request) => {
    const record = await app.sessions.resume(request)
    if (record === null) return
    await store.destroy(record.id)
    await app.sessions.end(record, 'logout', request)
    t.equal(await app.sessions.resume(request), null, 'the request has none any more')
  })
  t.strictSame(records, [])
})

t.test('request.sessionStore ends the session that it is asked to, and no other', async (t) => {
  const { app, browser, records, during } = await sessionApp()
  t.teardown(() => app.close())
  await browser.login()
  const other = new Browser(app)
  await other.login()
  const [mine, hers] = [sessionRef(browser.session ?? ''), sessionRef(other.session ?? '')]
  records.length = 0
  const destroy = (ref: string) =>
    during((request) => new Promise<void>((resolve) => request.sessionStore.destroy(ref, () => resolve())))
  await destroy(hers)
  t.match(records, [{ action: 'session.revoked', actor: 'alice', resource: hers }])
  t.equal((await browser.call('GET', '/in/nothing')).statusCode, 404, 'that of the request goes on')
  records.length = 0
  await destroy(mine)
  t.match(records, [{ action: 'session.destroyed', actor: 'alice', resource: mine, reason: 'logout' }])
  t.equal((await browser.call('GET', '/in/nothing')).statusCode, 401)
})

t.test('a second proof is kept beside the first, with its time; without a login there is none to keep', async (t) => {
  const { app, browser, clock, store, during } = await sessionApp()
  t.teardown(() => app.close())
  app.get('/visit', async (request, reply) => {
    await app.sessions.open(request, reply, null)
    return app.sessions.confirm(request, ['otp'])
  })
  app.get('/nobody', async (request) => app.sessions.confirm(request, ['otp']))
  t.equal((await app.inject('/visit')).body, 'false')
  const [visitor] = (await store.list({}, {})).items
  t.strictSame([visitor?.user, visitor?.meta], [null, { ip: '127.0.0.1', userAgent: 'lightMyRequest' }])
  t.equal((await app.inject('/nobody')).body, 'false')
  await browser.login()
  const id = sessionRef(browser.session ?? '')
  const { meta } = (await store.find(id)) ?? { meta: {} }
  clock.advance(1000)
  t.equal(await during((request) => app.sessions.confirm(request, ['otp'])), true)
  const [, renewal = ''] = (browser.session ?? '').split('.')
  const kept = createHash('sha256').update(renewal).digest('base64url')
  t.strictSame((await store.find(id))?.meta, { ...meta, proof: `${clock.now()} pwd otp mfa`, renewal: kept })
})

t.test('users that are kept in tables come with the session, fresh, without a look-up of their own', async (t) => {
  const clock = new ManualClock()
  const user = inMemory(userStore, { clock })
  const lookups: string[] = []
  const counted = new Proxy(user, {
    get(target, name) {
      const own: unknown = Reflect.get(target, name)
      if (typeof own !== 'function') return own
      return (...given: unknown[]) => {
        lookups.push(String(name))
        return own.apply(target, given) as unknown
      }
    }
  }) as UserStore
  const { app, ids, browserOf } = await keptUsersApp(t, {}, { clock, stores: { user: counted } })
  const taken: unknown[] = []
  app.get('/in/taken', async (request) => void taken.push(app.sessions.takeUser(request)))
  const browser = await browserOf('alice')
  lookups.length = 0
  t.match((await browser.call('GET', '/in')).json(), { identifier: 'alice', roles: ['ROLE_USER'] })
  await user.update(ids.alice, { roles: ['ROLE_NEW'] })
  t.match((await browser.call('GET', '/in')).json(), { roles: ['ROLE_NEW'] })
  await browser.call('GET', '/in/taken')
  t.strictSame(taken, [undefined], 'it is given once')
  clock.advance(60_000)
  await browser.call('GET', '/in')
  const { items } = await app.sessions.list({ user: 'alice' }, {})
  t.equal(items[0]?.updatedAt, clock.now(), 'a request is activity')
  await user.update(ids.alice, { locked: true })
  t.equal((await browser.call('GET', '/in')).statusCode, 401)
  t.strictSame(lookups, [])
  t.equal((await browser.login('alice', PASSWORD)).statusCode, 401)
})
