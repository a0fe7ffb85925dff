/** Plugins that build on @fastify/cookie and @fastify/session, and a second plugin of the same kind. */
import fastifyCookie from '@fastify/cookie'
import csrfProtection from '@fastify/csrf-protection'
import fastifyFlash from '@fastify/flash'
import fastifySession from '@fastify/session'
import Fastify, { type FastifyInstance } from 'fastify'
import { inMemory } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import svcSecurity, { type SvcSecurityOptions } from '../../src/index.ts'
import { sessionRef } from '../../src/sessions/session-cookie.ts'
import { sessionStore } from '../../src/sessions/session-store.ts'
import { someAccounts } from '../support/accounts.ts'
import { Browser, loginApp } from '../support/login-app.ts'

const areas = {
  in: { pattern: '^/in', authenticators: ['session'] },
  shop: { pattern: '^/shop', authenticators: ['session', 'anonymous'] }
}

async function shop(options: SvcSecurityOptions = {}) {
  const clock = new ManualClock()
  const store = inMemory(sessionStore, { clock })
  const made = await loginApp({ areas, ...options }, { clock, stores: { session: store } })
  return { ...made, store, browser: new Browser(made.app) }
}

t.test('@fastify/flash: a message is shown once, and lies among the messages of the session', async (t) => {
  const { app, browser, store } = await shop()
  await app.register(fastifyFlash)
  app.get('/shop/tell', async (request) => request.flash('info', 'saved %s', 'it'))
  app.get('/shop/shown', async (_request, reply) => reply.flash('info'))
  app.get('/shop/other', async (request) => app.sessions.flash(request, 'info', 'one'))
  app.get('/shop/taken', async (request) => app.sessions.takeFlash(request))
  t.equal((await browser.call('GET', '/shop/tell')).body, '1')
  t.match(await store.find(sessionRef(browser.session ?? '')), {
    content: {},
    flash: { info: ['saved it'] }
  })
  t.equal((await browser.call('GET', '/shop/tell')).body, '2')
  t.strictSame((await browser.call('GET', '/shop/shown')).json(), ['saved it', 'saved it'])
  t.strictSame((await browser.call('GET', '/shop/shown')).json(), [])
  await browser.call('GET', '/shop/other')
  t.equal((await browser.call('GET', '/shop/tell')).body, '2', 'both ways to keep a message are one')
  t.strictSame((await browser.call('GET', '/shop/taken')).json(), {
    info: ['one', 'saved it']
  })
  await app.close()
})

t.test('@fastify/csrf-protection keeps its secret in the session', async (t) => {
  const { app, browser } = await shop()
  await app.register(csrfProtection, { sessionPlugin: '@fastify/session' })
  app.get('/shop/form', async (_request, reply) => ({
    token: reply.generateCsrf()
  }))
  app.post('/shop/order', { onRequest: app.csrfProtection }, async () => 'ordered')
  const { token } = (await browser.call('GET', '/shop/form')).json()
  t.equal((await browser.call('POST', '/shop/order')).statusCode, 403)
  t.equal(
    (
      await browser.call('POST', '/shop/order', {
        headers: { 'csrf-token': 'x' }
      })
    ).statusCode,
    403
  )
  t.equal(
    (
      await browser.call('POST', '/shop/order', {
        headers: { 'csrf-token': token }
      })
    ).body,
    'ordered'
  )
  const stranger = await new Browser(app).call('POST', '/shop/order', {
    headers: { 'csrf-token': token }
  })
  t.equal(stranger.statusCode, 403)
  await app.close()
})

t.test('@fastify/cookie: cookies of the application, beside that of the session', async (t) => {
  const { app, browser } = await shop()
  app.get('/shop/theme', async (request, reply) => {
    reply.setCookie('theme', 'dark', { path: '/' })
    return request.cookies
  })
  app.get('/shop/keep', async (request, reply) => {
    reply.setCookie('theme', 'dark', { path: '/' })
    await app.sessions.open(request, reply, null)
    return request.cookies
  })
  app.get('/public', async (request) => request.cookies)
  const { headers } = await browser.call('GET', '/shop/keep')
  t.match(headers['set-cookie'], [/^svc_session=[\w-]{43}; /, /^theme=dark; Path=\/; SameSite=Lax$/])
  t.match((await browser.call('GET', '/public')).json(), { theme: 'dark' })
  t.equal((await browser.call('GET', '/shop/theme')).statusCode, 200)
  await app.close()
})

t.test('an application may register @fastify/cookie first, with settings that our cookie does not take', async (t) => {
  for (const hook of ['onRequest', 'preHandler', false] as const) {
    const app = Fastify()
    await app.register(fastifyCookie, {
      hook,
      parseOptions: { domain: 'shop.example', secure: true }
    })
    await app.register(svcSecurity, {
      areas,
      parts: { users: await someAccounts() }
    })
    app.get('/shop/keep', async ({ session }) => session.set('a' as never, 1 as never))
    const { headers } = await app.inject('/shop/keep')
    t.match(headers['set-cookie'], /^svc_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/)
    await app.close()
  }
})

t.test('over TLS the cookie of a visitor is __Host- as well', async (t) => {
  const { app } = await shop({ session: { secureCookie: 'always' } })
  app.get('/shop/keep', async ({ session }) => {
    session.set('a' as never, 1 as never)
    return session.cookie
  })
  const answer = await app.inject('/shop/keep')
  t.match(answer.headers['set-cookie'], /^__Host-svc_session=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
  t.match(answer.json(), {
    secure: true,
    httpOnly: true,
    sameSite: 'lax',
    path: '/'
  })
  const [cookie = ''] = String(answer.headers['set-cookie']).split(';')
  const twice = await app.inject({
    url: '/shop/keep',
    headers: { cookie: `${cookie}; ${cookie}` }
  })
  t.ok(twice.headers['set-cookie'], 'two cookies of one name are no session: the visitor gets a new one')
  await app.close()
})

const SESSION = { secret: 'x'.repeat(32), cookie: { secure: false } }

/** @returns what the boot fails with */
async function refusedBoot(boot: (app: FastifyInstance) => Promise<unknown>): Promise<{ message?: string }> {
  const app = Fastify()
  const error = await boot(app).then(
    () => ({}),
    (failure: Error) => failure
  )
  await app.close().catch(() => undefined)
  return error
}

const ours = async (app: FastifyInstance) =>
  app.register(svcSecurity, { areas, parts: { users: await someAccounts() } })
const cookies = async (app: FastifyInstance) => app.register(fastifyCookie)
const theirs = async (app: FastifyInstance) => app.register(fastifySession, SESSION)
const inScope =
  (...steps: Array<(scope: FastifyInstance) => Promise<unknown>>) =>
  async (app: FastifyInstance) =>
    app.register(async (scope) => {
      for (const step of steps) await step(scope)
    })

const twice: ReadonlyArray<[title: string, steps: ReadonlyArray<(app: FastifyInstance) => Promise<unknown>>, RegExp]> =
  [
    [
      '@fastify/session before',
      [cookies, theirs, ours],
      /@fastify\/session both add request\.session\n[\s\S]*shared: false/
    ],
    [
      '@fastify/cookie after',
      [ours, cookies],
      /@fastify\/cookie both add fastify\.serializeCookie\n[\s\S]*register it before svc-security/
    ],
    ['@fastify/cookie in a scope', [ours, inScope(cookies)], /@fastify\/cookie\n[\s\S]*register it before svc-security/]
  ]
for (const [title, steps, says] of twice) {
  t.test(`twice, ${title}: one message, with the way out`, async (t) => {
    const error = await refusedBoot(async (app) => {
      for (const step of steps) await step(app)
    })
    t.match(error, { code: 'SVC_DECORATOR_TAKEN', message: says })
  })
}

const without = async (app: FastifyInstance) =>
  app.register(svcSecurity, {
    areas,
    session: { shared: false },
    parts: { users: await someAccounts() }
  })

for (const [title, steps] of [
  ['before', [cookies, theirs, without]],
  ['after', [without, cookies, theirs]]
] as const) {
  t.test(`session.shared: false leaves request.session to the application, registered ${title}`, async (t) => {
    const app = Fastify()
    for (const step of steps) await step(app)
    app.get('/in/foreign', async ({ session, user }) => {
      session.set('a' as never, 1 as never)
      return user
    })
    const browser = new Browser(app)
    await browser.login()
    t.match((await browser.call('GET', '/in/foreign')).json(), {
      identifier: 'alice'
    })
    t.ok(browser.cookies.get('sessionId'))
    t.ok(browser.session)
    await app.close()
  })
}
