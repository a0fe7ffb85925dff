/** `request.session` as the documentation of @fastify/session describes it, over the sessions of this plugin. */
import type { FastifyPluginAsync } from 'fastify'
import { inMemory } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import { isReservedKey } from '../../src/sessions/reserved-keys.ts'
import { sessionRef } from '../../src/sessions/session-cookie.ts'
import { type SessionStore, sessionStore } from '../../src/sessions/session-store.ts'
import { logLines, WARN } from '../support/log-lines.ts'
import { API, Browser, loginApp } from '../support/login-app.ts'

declare module 'fastify' {
  interface Session {
    cart?: string[]
    theme?: string
    user?: unknown
    pending?: unknown
    when?: unknown
  }
}

const PASSPORT: string = '@fastify/passport'

/** What is used of @fastify/passport. */
interface Passport {
  readonly Authenticator: new (
    options: object
  ) => { initialize(): FastifyPluginAsync; secureSession(): FastifyPluginAsync }
}

const areas = {
  in: { pattern: '^/in', authenticators: ['session'] },
  shop: { pattern: '^/shop', authenticators: ['session', 'anonymous'] }
}

/** Counts what the store is asked, and fails while it is told to. */
async function shop() {
  const clock = new ManualClock()
  const calls: string[] = []
  const state: { failure: Error | null } = { failure: null }
  const held = inMemory(sessionStore, { clock })
  const store = new Proxy(held, {
    get(target, name) {
      const method = Reflect.get(target, name) as unknown
      if (typeof method !== 'function') return method
      return async (...given: unknown[]) => {
        calls.push(String(name))
        if (state.failure !== null) throw state.failure
        return (method as (...all: unknown[]) => unknown).apply(target, given)
      }
    }
  }) as SessionStore
  const made = await loginApp({ areas }, { clock, stores: { session: store } })
  const { app } = made
  app.get('/shop/read', async ({ session }) => ({ cart: session.get('cart') ?? null, id: session.sessionId }))
  app.get('/shop/flash', async ({ session }) => ({ flash: session.get('flash' as never) ?? null }))
  app.get('/shop/add/:item', async ({ session, params }) => {
    session.set('cart', [...(session.get('cart') ?? []), (params as { item: string }).item])
    return session.cart
  })
  return { ...made, calls, state, clock, held, browser: new Browser(app) }
}

t.test('content: an anonymous visitor gets a session with the first write, by one call of the store', async (t) => {
  const { app, browser, calls, held } = await shop()
  const read = await browser.call('GET', '/shop/read')
  t.match(read.json(), { cart: null })
  t.equal(read.headers['set-cookie'], undefined, 'reading opens nothing')
  t.strictSame(calls, [])
  const added = await browser.call('GET', '/shop/add/book')
  t.match(added.headers['set-cookie'], /^svc_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/)
  t.strictSame(calls, ['create'])
  const again = await browser.call('GET', '/shop/add/pen')
  t.strictSame(again.json(), ['book', 'pen'])
  t.equal(again.headers['set-cookie'], undefined)
  t.strictSame(calls.splice(0), ['create', 'find', 'update'])
  const { cart, id } = (await browser.call('GET', '/shop/read')).json()
  t.strictSame(cart, ['book', 'pen'])
  t.strictSame(calls, ['find'], 'what did not change is not written')
  t.equal(id, sessionRef(browser.session ?? ''), 'the id that the application sees is no cookie')
  t.strictSame((await browser.call('GET', '/shop/flash')).json(), { flash: null }, 'without messages there are none')
  t.match(await held.find(id), { user: null, content: { cart: ['book', 'pen'] }, meta: { ip: '127.0.0.1' } })
  await app.close()
})

t.test('a login regenerates the id, and nothing of the visitor is carried over', async (t) => {
  const { app, browser, held } = await shop()
  await browser.call('GET', '/shop/add/book')
  const before = browser.session
  await browser.login()
  t.not(browser.session, before)
  t.match((await browser.call('GET', '/shop/read')).json(), { cart: null })
  t.equal(await held.count({}), 1)
  await browser.call('GET', '/shop/add/pen')
  t.match(await held.find(sessionRef(browser.session ?? '')), { user: 'alice', content: { cart: ['pen'] } })
  await app.close()
})

t.test('a change in depth is written; what JSON has no words for is left out', async (t) => {
  const { app, browser, held } = await shop()
  app.get('/shop/push', async ({ session }) => session.cart?.push('ink'))
  app.get('/shop/when', async ({ session }) => {
    session.when = { at: new Date(0), nothing: undefined }
    return {}
  })
  await browser.call('GET', '/shop/add/book')
  await browser.call('GET', '/shop/push')
  await browser.call('GET', '/shop/when')
  t.strictSame((await held.find(sessionRef(browser.session ?? '')))?.content, {
    cart: ['book', 'ink'],
    when: { at: '1970-01-01T00:00:00.000Z' }
  })
  await app.close()
})

t.test('save, touch, reload: with promises and with callbacks', async (t) => {
  const { app, browser, calls, clock, held } = await shop()
  let laterMs = 0
  app.get('/shop/save', async ({ session }) => {
    session.theme = 'dark'
    await session.save()
    const saved = [session.isSaved(), session.isModified()]
    session.touch()
    await new Promise((resolve) => session.save(resolve))
    return saved
  })
  app.get('/shop/reload', async (request) => {
    request.session.theme = 'light'
    clock.advance(laterMs)
    await request.session.reload()
    return request.session.theme
  })
  t.strictSame((await browser.call('GET', '/shop/save')).json(), [true, false])
  t.strictSame(calls.splice(0), ['create', 'update'])
  t.equal((await browser.call('GET', '/shop/reload')).body, 'dark')
  t.strictSame(calls, ['find', 'find'])
  t.match(await held.find(sessionRef(browser.session ?? '')), { content: { theme: 'dark' } })
  clock.advance(59_000)
  laterMs = 2000
  await browser.call('GET', '/shop/reload')
  t.match(await held.find(sessionRef(browser.session ?? '')), { updatedAt: clock.now() }, 'a reload is activity')
  await app.close()
})

t.test('regenerate: a new id, the old one is over, and the login with it', async (t) => {
  const { app, browser, held, records } = await shop()
  app.get('/shop/regenerate', async ({ session }) => session.regenerate(['theme']))
  app.get('/shop/keep-user', async ({ session }) => session.regenerate(['user']))
  app.get('/shop/dark', async ({ session }) => session.set('theme', 'dark'))
  await browser.login()
  await browser.call('GET', '/shop/add/book')
  await browser.call('GET', '/shop/dark')
  const before = browser.session ?? ''
  await browser.call('GET', '/shop/regenerate')
  t.not(browser.session, before)
  t.equal(await held.find(sessionRef(before)), null)
  t.match(await held.find(sessionRef(browser.session ?? '')), { user: null, content: { theme: 'dark' } })
  t.match(records.at(-1), { action: 'session.destroyed', actor: 'alice', reason: 'logout' })
  t.equal((await browser.call('GET', '/in/any')).statusCode, 401)
  await browser.call('GET', '/shop/keep-user')
  t.equal(
    (await held.list({}, {})).items.every(({ user }) => user === null),
    true
  )
  await app.close()
})

t.test('destroy: gone from the store, audited, and the cookie is cleared', async (t) => {
  const { app, browser, held, records } = await shop()
  app.get('/in/leave', async (request) => {
    await request.session.destroy()
    return { session: request.session }
  })
  await browser.login()
  const left = await browser.call('GET', '/in/leave')
  t.strictSame(left.json(), { session: null })
  t.match(left.headers['set-cookie'], /^svc_session=; Max-Age=0; /)
  t.equal(await held.count({}), 0)
  t.match(records.at(-1), { action: 'session.destroyed', actor: 'alice', reason: 'logout', ip: '127.0.0.1' })
  await app.close()
})

t.test('what was destroyed meanwhile does not come back, whoever saves it', async (t) => {
  const { app, browser, held } = await shop()
  for (const [path, id] of [
    ['/shop/late', 'found'],
    ['/shop/fresh', 'new']
  ]) {
    app.get(path as string, async ({ session }) => {
      session.theme = 'dark'
      if (id === 'new') await session.save()
      await held.destroy(session.sessionId)
      session.theme = 'light'
      await session.save()
      await Promise.all([session.save(), session.save()])
      return {}
    })
  }
  await browser.login()
  t.equal((await browser.call('GET', '/shop/late')).statusCode, 200)
  t.equal(await held.count({}), 0)
  t.equal((await new Browser(app).call('GET', '/shop/fresh')).statusCode, 200)
  t.equal(await held.count({}), 0)
  await app.close()
})

t.test('a login cannot be forged by content', async (t) => {
  const { app, browser, held } = await shop()
  const forged = [{ user: 'root' }, { pending: { identifier: 'root', methods: ['totp'], since: 0 } }, { save: 'root' }]
  app.get('/shop/forge/:index', async ({ session, params }) => {
    Object.assign(session, forged[Number((params as { index: string }).index)])
    return {}
  })
  app.get('/shop/shown', async ({ session }) => [session.user ?? null, typeof session.get, session.pending ?? null])
  for (const index of forged.keys()) {
    const answer = await browser.call('GET', `/shop/forge/${index}`)
    t.equal(answer.statusCode, 500)
    t.equal(answer.headers['set-cookie'], undefined)
    t.equal(await held.count({}), 0)
  }
  // Content of before: shown neither as a login nor as a method, and left as it is.
  await browser.login()
  const ref = sessionRef(browser.session ?? '')
  await held.update(ref, { content: { user: 'root', get: 1, pending: 'x', theme: 'dark' } })
  t.strictSame((await browser.call('GET', '/shop/shown')).json(), [null, 'function', null])
  t.equal((await browser.call('GET', `${API}/auth/me`)).json().user.identifier, 'alice')
  await browser.call('GET', '/shop/add/book')
  t.match(await held.find(ref), { user: 'alice', content: { user: 'root', get: 1, pending: 'x', cart: ['book'] } })
  await app.close()
})

t.test('every field and method of request.session is a reserved key', async (t) => {
  const { app } = await shop()
  app.get('/shop/names', async ({ session }) => [
    ...Object.getOwnPropertyNames(session),
    ...Object.getOwnPropertyNames(Object.getPrototypeOf(session))
  ])
  const names = (await app.inject('/shop/names')).json<string[]>()
  t.ok(names.length > 10)
  t.strictSame(
    names.filter((name) => !isReservedKey(name)),
    []
  )
  t.equal(isReservedKey('cart'), false)
  await app.close()
})

t.test(
  'U3: a route outside of session zones reads no store, and has an empty request.session until it is resumed',
  async (t) => {
    const { app, browser, calls, state } = await shop()
    app.get('/public', async ({ session }) => ({ theme: session.get('theme') ?? null, id: typeof session.sessionId }))
    app.get('/resumed', async (request) => {
      await app.sessions.resume(request)
      request.session.theme = 'dark'
      return {}
    })
    await browser.login()
    calls.length = 0
    state.failure = new Error('down')
    t.strictSame((await browser.call('GET', '/public')).json(), { theme: null, id: 'string' })
    t.strictSame(calls, [])
    t.equal((await browser.call('GET', '/shop/read')).statusCode, 503)
    t.equal((await browser.call('GET', '/resumed')).statusCode, 503)
    state.failure = null
    calls.length = 0
    t.equal((await browser.call('GET', '/resumed')).statusCode, 200)
    t.strictSame(calls, ['find', 'update'])
    await app.close()
  }
)

t.test('U3: the log says once where a session was not resumed, and what to do', async (t) => {
  const { lines, logger } = logLines()
  const { app } = await loginApp({ areas }, {}, { logger })
  app.get('/public/:page', async ({ session }) => ({ theme: session.theme ?? null }))
  const browser = new Browser(app)
  await browser.call('GET', '/public/visitor')
  const warned = () => lines.filter(({ code }) => code === 'SVC_SEC_SESSION_NOT_RESUMED')
  t.equal(warned().length, 0, 'a visitor has none')
  await browser.login()
  for (const page of ['one', 'two']) await browser.call('GET', `/public/${page}`)
  t.equal(warned().length, 1)
  t.match(warned()[0], { level: WARN, at: 'GET /public/:page', msg: /not resumed/, fix: /list session in the route/ })
  await app.close()
})

t.test('U3: without a cookie, request.session outside of session zones is that of a visitor', async (t) => {
  const { app, browser, calls } = await shop()
  app.get('/public/read', async ({ session }) => ({ theme: session.theme ?? null }))
  app.get('/public/write', async ({ session }) => {
    session.theme = 'dark'
    return {}
  })
  t.strictSame((await browser.call('GET', '/public/read')).json(), { theme: null })
  t.strictSame([calls.length, browser.session], [0, undefined], 'reading opens nothing')
  t.equal((await browser.call('GET', '/public/write')).statusCode, 200)
  t.strictSame(calls, ['create'])
  t.ok(browser.session)
  await app.close()
})

t.test('U3: a session that was not resumed is not replaced by a write, and stays', async (t) => {
  const { app, browser, calls, held } = await shop()
  app.get('/public/write', async ({ session }) => {
    session.theme = 'dark'
    return {}
  })
  app.get('/public/save', async ({ session }) => session.save())
  app.get('/public/leave', async ({ session }) => session.destroy())
  await browser.login()
  const before = browser.session
  calls.length = 0
  for (const url of ['/public/write', '/public/save']) {
    const answer = await browser.call('GET', url)
    t.match(answer.json(), { statusCode: 500, code: 'SVC_SEC_SESSION_UNREAD' }, url)
    t.equal(answer.headers['set-cookie'], undefined)
  }
  t.strictSame([calls, browser.session], [[], before])
  t.equal((await browser.call('GET', '/public/leave')).statusCode, 200, 'nor ended')
  t.equal(browser.session, before)
  t.equal(await held.count({}), 1)
  await app.close()
})

t.test('U3: @fastify/passport finds a session on every route', async (t) => {
  const { app, browser, calls } = await shop()
  // Its types declare websocket routes of their own.
  const { Authenticator } = (await import(PASSPORT)) as Passport
  const passport = new Authenticator({ userProperty: 'account' })
  await app.register(passport.initialize())
  await app.register(passport.secureSession())
  app.get('/public', async () => ({ ok: true }))
  t.equal((await browser.call('GET', '/public')).statusCode, 200)
  await browser.login()
  calls.length = 0
  t.equal((await browser.call('GET', '/public')).statusCode, 200)
  t.strictSame(calls, [])
  await app.close()
})

t.test('U8: plugins that depend on @fastify/session by name load', async (t) => {
  const { app } = await shop()
  const dependent = Object.assign(async () => undefined, {
    [Symbol.for('skip-override')]: true,
    [Symbol.for('plugin-meta')]: { name: 'dependent', fastify: '5.x', dependencies: ['@fastify/session'] }
  })
  await app.register(dependent)
  await app.ready()
  t.equal(app.hasPlugin('@fastify/session'), true)
  await app.close()
})

t.test('a store that cannot write: 503, and one attempt', async (t) => {
  const { app, browser, calls, state } = await shop()
  app.get('/shop/fail', async ({ session }) => {
    session.theme = 'dark'
    state.failure = new Error('store at 10.0.0.7 is down')
    return {}
  })
  const answer = await browser.call('GET', '/shop/fail')
  t.equal(answer.statusCode, 503)
  t.notMatch(answer.body, /10\.0\.0\.7/)
  t.equal(answer.headers['set-cookie'], undefined)
  t.strictSame(calls, ['create'])
  await app.close()
})

t.test('fastify.sessions and request.session are one state', async (t) => {
  const { app, browser, held } = await shop()
  app.get('/shop/both', async (request) => {
    request.session.theme = 'dark'
    await app.sessions.update(request, { cart: ['book'] })
    await app.sessions.flash(request, 'info', 'saved')
    return [request.session.theme, request.session.cart]
  })
  app.get('/shop/login', async (request, reply) => {
    request.session.theme = 'dark'
    await request.session.save()
    await app.sessions.open(request, reply, 'alice')
    const { theme } = request.session
    request.session.cart = ['pen']
    return { theme }
  })
  t.strictSame((await browser.call('GET', '/shop/both')).json(), ['dark', ['book']])
  t.match(await held.find(sessionRef(browser.session ?? '')), { flash: { info: 'saved' } })
  t.strictSame((await browser.call('GET', '/shop/login')).json(), {})
  t.equal(await held.count({}), 1)
  t.match(await held.find(sessionRef(browser.session ?? '')), { user: 'alice', content: { cart: ['pen'] } })
  t.equal((await app.inject({ url: '/in/x', headers: { cookie: `svc_session=${browser.session}` } })).statusCode, 404)
  await app.close()
})
