/** Challenges in a whole application: no sessions, bounded for each network, good on every instance, and for one use. */
import type { FastifyInstance } from 'fastify'
import { inMemory } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import t, { type Test } from 'tap'
import { MOST_BEGUN } from '../../src/factors/challenge-store.ts'
import { passkeysStore } from '../../src/factors/passkeys/passkeys-store.ts'
import { idempotencyStore } from '../../src/idempotency/idempotency-store.ts'
import { sessionStore } from '../../src/sessions/session-store.ts'
import { API, Browser, loginApp } from '../support/login-app.ts'
import { SoftAuthenticator } from '../support/soft-authenticator.ts'

const passkeys = { rpId: 'shop.example', origins: ['https://shop.example'] }

async function instances(t: Test, count: number) {
  const clock = new ManualClock()
  const stores = {
    session: inMemory(sessionStore, { clock }),
    idempotency: inMemory(idempotencyStore, { clock }),
    passkeys: inMemory(passkeysStore, { clock })
  }
  const apps = await Promise.all(Array.from({ length: count }, () => loginApp({ passkeys }, { clock, stores })))
  t.teardown(() => Promise.all(apps.map(({ app }) => app.close())))
  return { stores, apps, ...(apps[0] as (typeof apps)[number]) }
}

const options = (app: FastifyInstance, ip = '192.0.2.7') =>
  app.inject({ method: 'POST', url: `${API}/webauthn/login/options`, payload: {}, remoteAddress: ip })

async function withPasskey(app: FastifyInstance) {
  const key = new SoftAuthenticator('https://shop.example', 'shop.example')
  const browser = new Browser(app)
  await browser.login()
  const headers = { 'x-csrf-token': await browser.csrfToken() }
  const made = (await browser.call('POST', `${API}/webauthn/register/options`, { headers, payload: {} })).json()
  const payload = { response: key.create(made.challenge) }
  await browser.call('POST', `${API}/webauthn/register/verify`, { headers, payload })
  return key
}

t.test('S5: anonymous challenges are no sessions, and each network begins so many and no more', async (t) => {
  const { app, accounts, clock, stores, records } = await instances(t, 1)
  accounts.add({ ...accounts.get('alice'), identifier: 'root', roles: ['ROLE_SVC_ADMIN'] })
  const root = new Browser(app)
  await root.login('root')
  const answers = []
  for (let n = 0; n < 2 * MOST_BEGUN; n += 1) answers.push(await options(app))
  t.equal(answers.filter(({ statusCode }) => statusCode === 200).length, MOST_BEGUN)
  const late = answers.at(-1)
  t.match(late?.json(), { statusCode: 429, code: 'SVC_SEC_THROTTLED' })
  t.equal(late?.headers['retry-after'], '60')
  t.equal(late?.headers['set-cookie'], undefined)
  t.match(records.at(-1), { action: 'login.throttled', reason: 'passkey', ip: '192.0.2.7' })
  t.equal((await options(app, '192.0.2.8')).statusCode, 200, 'another network')

  const { items } = (await root.call('GET', `${API}/sessions`)).json()
  t.strictSame(
    items.map(({ user }: { user: string }) => user),
    ['root'],
    'the list of sessions shows sessions'
  )
  clock.advance(60_000)
  t.equal((await options(app)).statusCode, 200, 'a minute later')
  t.equal(await stores.idempotency.purge(), MOST_BEGUN + 1, 'and they are gone by themselves')
})

t.test('S5: a challenge of one instance is answered on another, and once on all of them', async (t) => {
  const { apps } = await instances(t, 3)
  const [one, two, three] = apps.map(({ app }) => app) as [FastifyInstance, FastifyInstance, FastifyInstance]
  const key = await withPasskey(one)
  const asked = await options(one)
  const cookies = { svc_session_passkey: asked.cookies[0]?.value ?? '' }
  const payload = { response: key.get(asked.json().challenge) }
  const verify = (app: FastifyInstance) =>
    app.inject({ method: 'POST', url: `${API}/webauthn/login/verify`, payload, cookies })
  const answers = await Promise.all([verify(two), verify(three)])
  t.strictSame(answers.map(({ statusCode }) => statusCode).sort(), [200, 401], 'at once')
  for (const app of [one, two, three]) {
    const again = await verify(app)
    t.strictSame([again.statusCode, again.json().message], [401, 'INVALID_CREDENTIALS'], 'again')
  }
  t.match(apps[0]?.records.at(-1), { action: 'login.failure', reason: 'passkey_challenge' })
})

t.test('S5: what a challenge is kept as says nothing of it', async (t) => {
  const { app, stores } = await instances(t, 1)
  const kept: unknown[] = []
  const complete = stores.idempotency.complete.bind(stores.idempotency)
  stores.idempotency.complete = (id, owner, answer) => {
    kept.push({ id, owner, answer })
    return complete(id, owner, answer)
  }
  const asked = await options(app)
  t.equal(kept.length, 1)
  t.notMatch(JSON.stringify(kept), asked.json().challenge)
  t.notMatch(JSON.stringify(kept), asked.cookies[0]?.value ?? 'x')
})
