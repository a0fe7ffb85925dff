/** WSK-14, WSK-15: an open socket ends with the session that opened it. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import fastifyWebsocket from '@fastify/websocket'
import type { FastifyRequest } from 'fastify'
import type { LiveIdentity } from 'svc-kernel/plugin'
import { inMemory } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import t, { type Test } from 'tap'
import { WebSocket } from 'ws'
import { SessionRevalidation } from '../../../src/authentication/revalidation/revalidation.ts'
import { sessionRef } from '../../../src/sessions/session-cookie.ts'
import { type SessionStore, sessionStore } from '../../../src/sessions/session-store.ts'
import { Browser, loginApp } from '../../support/login-app.ts'

const WINDOW_MS = 1000
const IDLE_MS = 600_000
const ABSOLUTE_MS = 3_600_000

/** A socket of a page in which alice is signed in, and what its route sees. */
async function opened(t: Test) {
  const clock = new ManualClock()
  const store: SessionStore = inMemory(sessionStore, { clock })
  const state = { down: false }
  const failing = new Proxy(store, {
    get(target, name) {
      const own: unknown = Reflect.get(target, name)
      if (typeof own !== 'function') return own
      return async (...given: unknown[]) => {
        if (state.down) throw new Error('store is down')
        return own.apply(target, given) as unknown
      }
    }
  })
  const made = await loginApp(
    {
      areas: { ws: { pattern: '^/ws', authenticators: ['session'] } },
      session: { idleTimeoutS: IDLE_MS / 1000, absoluteTimeoutS: ABSOLUTE_MS / 1000 },
      realtime: { revalidateWindowMs: WINDOW_MS }
    },
    { clock, stores: { session: failing } }
  )
  const { app } = made
  const requests: FastifyRequest[] = []
  await app.register(fastifyWebsocket)
  await app.register(async (scope) => {
    scope.get('/ws', { websocket: true }, (_socket, request) => void requests.push(request))
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const browser = new Browser(app)
  await browser.login()
  const origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/ws`, {
    headers: { origin, cookie: `svc_session=${browser.session}` }
  })
  await once(socket, 'open')
  t.teardown(async () => {
    socket.terminate()
    await app.close()
  })
  const [request] = requests
  const ref = sessionRef(browser.session ?? '')
  const identity = request?.liveIdentity as LiveIdentity
  return { ...made, state, store, browser, request, ref, identity, later: (ms = WINDOW_MS) => clock.advance(ms) }
}

t.test('holds, with the roles that the user has now', async (t) => {
  const { accounts, identity, request, ref, later } = await opened(t)
  t.equal(await identity.holds(), true)
  accounts.get('alice').roles = ['ROLE_NEW']
  later()
  t.equal(await identity.holds(), true)
  t.match(request?.token, { type: 'session', sessionRef: ref, user: { identifier: 'alice', roles: ['ROLE_NEW'] } })
})

type Opened = Awaited<ReturnType<typeof opened>>

const ends: Record<string, (opened: Opened) => unknown> = {
  'the session was revoked elsewhere': ({ store, ref }) => store.destroy(ref),
  'the session is another user’s': async ({ store, ref }) => {
    await store.destroy(ref)
    await store.create({ id: ref, user: 'bob', content: {}, flash: {}, meta: {} })
  },
  'the user is locked': ({ accounts }) => {
    accounts.get('alice').locked = true
  },
  'the user is gone': ({ accounts }) => accounts.records.delete('alice'),
  'the session was idle for too long': ({ later }) => later(IDLE_MS)
}

for (const [title, end] of Object.entries(ends)) {
  t.test(`over: ${title}`, async (t) => {
    const made = await opened(t)
    t.equal(await made.identity.holds(), true)
    await end(made)
    made.later()
    t.strictSame([await made.identity.holds(), made.identity.unavailable], [false, false])
  })
}

t.test('logged out in this process, it is over at once', async (t) => {
  const { app, identity, ref } = await opened(t)
  let over = 0
  identity.whenOver(() => (over += 1))
  await app.sessions.revoke(ref)
  t.equal(over, 1)
})

t.test('messages keep the session alive, up to its absolute bound', async (t) => {
  const { identity, store, ref, clock, later } = await opened(t)
  const begun = clock.now()
  for (let time = IDLE_MS - 1; time < ABSOLUTE_MS; time += IDLE_MS - 1) {
    later(IDLE_MS - 1)
    t.equal(await identity.holds(), true)
    t.equal((await store.find(ref))?.updatedAt, clock.now())
  }
  later(begun + ABSOLUTE_MS - clock.now())
  t.equal(await identity.holds(), false)
})

t.test('without messages it ends when the session does', async (t) => {
  const { identity, later } = await opened(t)
  const over = new Promise<void>((resolve) => identity.whenOver(resolve))
  later(IDLE_MS)
  await over
  t.equal(await identity.holds(), false)
})

t.test('a message that comes while the session cannot be read ends the identity', async (t) => {
  const { identity, state, later } = await opened(t)
  t.equal(await identity.holds(), true)
  state.down = true
  later()
  t.strictSame([await identity.holds(), identity.unavailable], [false, false])
})

t.test('a check without a message ends nothing while the session cannot be read', async (t) => {
  const { identity, state, later } = await opened(t)
  t.equal(await identity.holds(), true)
  state.down = true
  later()
  const checked = new Promise<void>((resolve) => identity.whenChecked(resolve))
  identity.recheck()
  await new Promise(setImmediate)
  t.equal(identity.unavailable, true)
  state.down = false
  later()
  identity.recheck()
  await checked
  t.equal(await identity.holds(), true)
})

t.test('without a session of a user there is nothing that holds, and no time at which it ends', async (t) => {
  const sources = { sessions: null as never, users: null as never, tokenOf: null as never }
  const record = { id: 's', user: null, content: {}, flash: {}, meta: {}, createdAt: 0, updatedAt: 0 }
  const none = new SessionRevalidation(null as never, null, sources)
  t.strictSame([none.endsAt(), await none.check(true), await none.check(false)], [null, false, false])
  t.equal(await new SessionRevalidation(null as never, record, sources).check(true), false)
})
