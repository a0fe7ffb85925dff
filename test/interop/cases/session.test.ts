/** Area `session`: what a browser holds, and what the server makes of it. */
import { registerAuthenticatorFactory } from 'svc-security'
import { type SessionStore, sessionStore } from 'svc-security/stores'
import { inMemory } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import { AccountBook, API, accountApp, PASSWORD } from '../../support/account-app.ts'
import { ActingAs, actingRoutes, asOneselfAlone } from './acting-as.ts'
import { securityCase } from './security-case.ts'

/** A memory store that counts what is asked of it, and may be down. */
function watchedStore(clock: ManualClock) {
  const calls: Record<string, number> = {}
  const state: { failure: Error | null } = { failure: null }
  const memory = inMemory(sessionStore, { clock })
  const store = new Proxy(memory, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name)
      if (typeof method !== 'function') return method
      return async (...given: unknown[]) => {
        calls[String(name)] = (calls[String(name)] ?? 0) + 1
        if (state.failure !== null) throw state.failure
        return (method as (...all: unknown[]) => unknown).apply(target, given)
      }
    }
  }) as SessionStore
  return { calls, state, memory, store }
}

async function sessionApp(t: Parameters<typeof accountApp>[0], given: Parameters<typeof accountApp>[1] = {}) {
  const clock = new ManualClock()
  const watched = watchedStore(clock)
  const parts = { ...given.parts, clock, stores: { session: watched.store } }
  const app = await accountApp(t, { ...given, parts })
  return { ...app, ...watched, clock }
}

securityCase('SES-02', async (t) => {
  const { fastify, browser } = await sessionApp(t, {
    modules: [
      Object.assign(
        async (instance: Awaited<ReturnType<typeof accountApp>>['fastify']) => {
          instance.get('/visit', async (request, reply) => instance.sessions.open(request, reply, null))
        },
        { [Symbol.for('skip-override')]: true }
      )
    ]
  })
  const visitor = browser()
  await visitor.call('GET', '/visit')
  t.ok(visitor.session)
  t.equal((await visitor.call('GET', '/in/who')).status, 401)
  t.ok(fastify.sessions)
})

securityCase('SES-03', async (t) => {
  const { browser, calls, memory } = await sessionApp(t)
  for (const id of ['x', 'A'.repeat(42), 'A'.repeat(44), 'A'.repeat(7000), '..%2f..', 'a b', '"quoted"']) {
    const answer = await browser().call('GET', '/in/who', { cookie: `svc_session=${id}` })
    t.equal(answer.status, 401, id.slice(0, 50))
    t.equal(answer.headers['set-cookie'], undefined)
  }
  t.equal(calls.find, undefined)
  t.equal((await browser().call('GET', '/in/who', { cookie: `svc_session=${'A'.repeat(43)}` })).status, 401)
  t.equal(await memory.count({}), 0)
})

securityCase('SES-04', async (t) => {
  const { browser } = await sessionApp(t)
  const [first, second] = [browser(), browser()]
  await first.login()
  const planted = first.session
  second.cookies.set('svc_session', planted)
  await second.login()
  t.not(second.session, planted)
  t.equal((await browser().call('GET', '/in/who', { cookie: `svc_session=${planted}` })).status, 401)
})

securityCase('SES-05', async (t) => {
  const { browser } = await sessionApp(t)
  const victim = browser()
  await victim.login()
  const old = victim.session
  const raced = await Promise.all([
    victim.login(),
    ...Array.from({ length: 10 }, () => browser().call('GET', `${API}/auth/me`, { cookie: `svc_session=${old}` }))
  ])
  t.equal(raced[0]?.status, 200)
  t.equal((await browser().call('GET', '/in/who', { cookie: `svc_session=${old}` })).status, 401)
})

securityCase('SES-07', async (t) => {
  const { alice, browser } = await sessionApp(t)
  const person = browser()
  await person.login()
  alice.roles = ['ROLE_ADMIN']
  t.match(JSON.parse((await person.call('GET', '/in/who')).body), { roles: ['ROLE_ADMIN'] })
})

securityCase('SES-08', async (t) => {
  for (const change of ['lock', 'delete'] as const) {
    const { alice, book, browser, memory } = await sessionApp(t)
    const person = browser()
    await person.login()
    if (change === 'lock') alice.locked = true
    else book.accounts.delete('alice')
    const answer = await person.call('GET', '/in/who')
    t.equal(answer.status, 401, change)
    t.match(answer.body, /INVALID_SESSION/)
    t.equal(await memory.count({}), 0)
  }
})

securityCase('SES-09', async (t) => {
  const { book, browser } = await sessionApp(t)
  const person = browser()
  await person.login()
  book.failure = new Error('down')
  t.equal((await person.call('GET', '/in/who')).status, 503)
})

securityCase('SES-10', async (t) => {
  const { browser } = await sessionApp(t, { server: { trustProxy: true } })
  const { headers } = await browser().login('alice', undefined, { 'x-forwarded-proto': 'https' })
  t.match(headers['set-cookie'], /^__Host-svc_session=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
})

securityCase(
  'SES-11',
  async (t) => {
    const { browser, lines } = await sessionApp(t)
    const { headers } = await browser().login()
    t.match(headers['set-cookie'], /^svc_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/)
    t.ok(lines.some(({ code }) => code === 'SVC_SEC_BARE_COOKIE'))
  },
  'no __Host- and no Secure without TLS; a production application says so at the first one'
)

securityCase('SES-12', async (t) => {
  const { browser, lines, memory, records } = await sessionApp(t)
  const person = browser()
  await person.login()
  await person.call('GET', '/in/who')
  t.equal(Buffer.from(person.session, 'base64url').length, 32)
  const { items } = await memory.list({}, {})
  t.notMatch(JSON.stringify({ items, lines, records }), new RegExp(person.session))
})

securityCase('SES-13', async (t) => {
  const { browser, clock, memory } = await sessionApp(t, { security: { session: { idleTimeoutS: 60 } } })
  const person = browser()
  await person.login()
  clock.advance(59_999)
  t.equal((await person.call('GET', '/in/who')).status, 200)
  clock.advance(60_000)
  t.equal((await person.call('GET', '/in/who')).status, 401)
  t.equal(await memory.count({}), 0)
})

securityCase('SES-15', async (t) => {
  const { browser, calls, clock } = await sessionApp(t)
  const person = browser()
  await person.login()
  clock.advance(60_000)
  for (let time = 0; time < 100; time += 1) await person.call('GET', '/in/who')
  t.strictSame([calls.touch, calls.update], [1, undefined])
})

securityCase('SES-18', async (t) => {
  const { fastify, browser } = await sessionApp(t)
  const devices = [browser(), browser(), browser()]
  for (const device of devices) await device.login()
  t.equal(await fastify.sessions.revokeUser('alice'), 3)
  for (const device of devices) t.equal((await device.call('GET', '/in/who')).status, 401)
})

securityCase('SES-20', async (t) => {
  const { browser, calls, clock, memory, state } = await sessionApp(t)
  const person = browser()
  await person.login()
  clock.advance(61_000)
  const touch = memory.touch.bind(memory)
  memory.touch = async () => Promise.reject(new Error('disconnected'))
  t.equal((await person.call('GET', '/in/who')).status, 200, 'a touch that fails')
  memory.touch = touch
  state.failure = new Error('disconnected')
  t.equal((await person.call('GET', '/in/who')).status, 503, 'a read that fails')
  t.ok(calls.touch)
})

securityCase('SES-21', async (t) => {
  const { browser, memory } = await sessionApp(t, {
    modules: [
      Object.assign(
        async (instance: Awaited<ReturnType<typeof accountApp>>['fastify']) => {
          instance.get('/in/keep/:key', async (request) =>
            instance.sessions.update(request, { [(request.params as { key: string }).key]: true })
          )
        },
        { [Symbol.for('skip-override')]: true }
      )
    ]
  })
  const person = browser()
  await person.login()
  await Promise.all(['a', 'b', 'c', 'd'].map((key) => person.call('GET', `/in/keep/${key}`)))
  t.equal(await memory.count({ user: 'alice' }), 1)
  t.equal((await person.call('GET', '/in/who')).status, 200)
})

securityCase(
  'SES-23',
  async (t) => {
    const book = new AccountBook()
    registerAuthenticatorFactory('acting-as', ({ container }) => new ActingAs(container, book))
    const { browser, records } = await sessionApp(t, {
      security: { areas: { in: { pattern: '^/in', authenticators: ['acting-as', 'session'] } } },
      parts: { users: book, voters: [asOneselfAlone] },
      modules: [actingRoutes]
    })
    const admin = await book.add('root', PASSWORD, { roles: ['ROLE_ADMIN'] })
    await book.add('alice')
    const person = browser()
    await person.login('root')
    const proof = await person.csrf()
    const post = async (target: string, payload = {}) => (await person.post(target, payload, proof)).status
    const seen = async () => JSON.parse((await person.call('GET', '/in/acting')).body) as object

    t.equal(await post('/in/act', { user: 'alice' }), 200)
    t.strictSame(await seen(), { who: 'alice', by: 'root' })
    t.match(JSON.parse((await person.call('GET', '/in/who')).body), { who: 'alice', roles: ['ROLE_USER'] })
    t.equal(await post('/in/act', { user: 'alice' }), 403, 'roles are those of the target')
    t.equal(await post('/in/pay'), 403)
    t.match(records.at(-1), { action: 'access.denied', actor: 'alice', metadata: { detail: 'root acts as alice' } })

    t.equal(await post('/in/act/end'), 200)
    t.strictSame(await seen(), { who: 'root', by: null })
    t.equal(await post('/in/pay'), 200)

    await post('/in/act', { user: 'alice' })
    admin.roles = ['ROLE_USER']
    t.equal((await person.call('GET', '/in/acting')).status, 401, 'who loses the right is out at once')
  },
  'an authenticator of the application: the token keeps who acts, a refusal shows both, the end restores'
)
