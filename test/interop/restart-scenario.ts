/** An application that keeps every record with one driver, stopped and started again. */
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { TOTP } from 'otpauth'
import svcAudit from 'svc-audit'
import type { ModuleEntry } from 'svc-host'
import { guardHooks } from 'svc-kernel'
import { hashPassword } from 'svc-security'
import { userStore } from 'svc-security/stores'
import { ManualClock } from 'svc-stores/conformance'
import svcWebhooks, { verifyWebhook } from 'svc-webhooks'
import type { Test } from 'tap'
import { API, Browser, CHEAP, KEY_SET, PASSWORD } from '../support/account-app.ts'
import { json } from '../support/audited-app.ts'
import { madePasskey, passkeyPair, provenPasskey } from '../support/made-passkey.ts'
import { rawExchange, rawRequest } from '../support/raw-http.ts'
import { startApp } from '../support/start-app.ts'
import { WebhookReceiver } from '../support/webhook-receiver.ts'

const PAGE = 'https://shop.example'
const ENCRYPTION_KEY = Buffer.alloc(32, 7).toString('base64')
/** Receivers of the test are on this machine. */
const WEBHOOKS = { encryptionKey: ENCRYPTION_KEY, allowHttp: true, denyPrivateIps: false }
const ADMIN = [[{ attribute: 'ROLE_SVC_ADMIN' }]]

export interface Driver {
  readonly name: string
  /** How the plugins that keep records name it. */
  readonly store: 'auto' | 'sqlorm' | 'docdb'
  /** The driver as a module, keeping what it has in a folder. */
  module(folder: string, clock: ManualClock): ModuleEntry
}

interface Place {
  readonly driver: Driver
  readonly folder: string
  readonly clock: ManualClock
}

async function start(t: Test, { driver, folder, clock }: Place) {
  const kept = { store: driver.store }
  const started = await startApp(t, {
    mode: 'test',
    before: [driver.module(folder, clock), [svcAudit, kept]],
    security: {
      areas: {
        in: { pattern: '^/in', authenticators: ['session'] },
        api: { pattern: '^/api', authenticators: ['jwt', 'apikey'] }
      },
      passwords: CHEAP,
      session: { ...kept, absoluteTimeoutS: 86_400, idleTimeoutS: 0 },
      users: kept,
      jwt: KEY_SET,
      tokenStore: kept,
      idempotency: { ...kept, ttlMs: 86_400_000 },
      totp: { ...kept, encryptionKey: ENCRYPTION_KEY },
      passkeys: { ...kept, rpId: 'shop.example', origins: [PAGE] },
      parts: { clock }
    },
    modules: [[svcWebhooks, { ...kept, ...WEBHOOKS, parts: { clock } }], routes]
  })
  const browser = () => new Browser(started.port)
  const bearer = (method: string, path: string, token: string, more = {}, body = '') =>
    rawExchange(started.port, rawRequest(method, path, { authorization: `Bearer ${token}`, ...more }, body))
  return { ...started, browser, bearer }
}

let effects = 0

const routes = fp(async (fastify: FastifyInstance) => {
  fastify.get('/in/who', async ({ user }) => ({ who: user?.identifier }))
  fastify.get('/in/vault', guardHooks(ADMIN), async () => 'gold')
  fastify.get('/api/who', async ({ user }) => ({ who: user?.identifier }))
  fastify.post('/in/cart', async (request) => fastify.sessions.update(request, { cart: [1, 2] }))
  fastify.get('/in/cart', async (request) => (await fastify.sessions.resume(request))?.content)
  fastify.post('/api/orders', { ...fastify.gates.idempotency }, async () => {
    effects += 1
    return { order: effects }
  })
})

/** The same person after the restart, with the cookies of before. */
function again(person: Browser, port: number): Browser {
  const same = new Browser(port)
  for (const [name, value] of person.cookies) same.cookies.set(name, value)
  return same
}

/** Everything of an application survives its restart: what was written before `close` is there, and works, after the next start. */
export async function survivesRestart(t: Test, driver: Driver): Promise<void> {
  effects = 0
  const place = { driver, folder: t.testdir({}), clock: new ManualClock(Date.now()) }
  const before = await start(t, place)
  const code = (secret: string) => new TOTP({ secret }).generate({ timestamp: place.clock.now() })
  const users = before.fastify.stores.select(userStore, driver.name).store
  const password = await hashPassword(PASSWORD, { ...CHEAP, parallelism: 1 })
  await users?.create({ identifier: 'alice', password, roles: ['ROLE_USER'] })
  await users?.create({ identifier: 'bob', password, roles: ['ROLE_USER'] })
  await users?.create({ identifier: 'root', password, roles: ['ROLE_SVC_ADMIN'] })

  const alice = before.browser()
  await alice.login('alice')
  const proof = await alice.csrf()
  t.equal((await alice.post('/in/cart', {}, proof)).body, 'true')
  const { secret } = json(await alice.post(`${API}/totp/enroll`, {}, proof)) as { secret: string }
  const { recoveryCodes } = json(await alice.post(`${API}/totp/confirm`, { code: code(secret) }, proof))

  const bob = before.browser()
  await bob.login('bob')
  const bobProof = await bob.csrf()
  const pair = passkeyPair()
  const wanted = json(await bob.post(`${API}/webauthn/register/options`, {}, bobProof))
  const { id: userHandle } = wanted.user as { id: string }
  const passkey = madePasskey(String(wanted.challenge), PAGE, 'shop.example', pair)
  const registered = await bob.post(`${API}/webauthn/register/verify`, { response: passkey }, bobProof)
  t.equal(registered.status, 201, registered.body)
  const { token: apiKey } = json(await bob.post(`${API}/keys`, { name: 'robot' }, bobProof)) as { token: string }
  const gone = json(await bob.post(`${API}/keys`, { name: 'gone' }, bobProof)) as { id: string; token: string }
  t.equal((await bob.call('DELETE', `${API}/keys/${gone.id}`, bobProof)).status, 200)
  const tokens = json(await before.browser().post(`${API}/token`, { username: 'bob', password: PASSWORD }))
  const rotated = json(await before.browser().post(`${API}/token/refresh`, { refresh_token: tokens.refresh_token }))
  const ordered = await before.bearer('POST', '/api/orders', apiKey, { 'idempotency-key': 'order-1' })
  t.equal(ordered.status, 200, ordered.body)
  const visitor = before.browser()
  await visitor.login('bob')
  await visitor.post(`${API}/auth/logout`, {}, await visitor.csrf())
  const receiver = await WebhookReceiver.start(t)
  const root = before.browser()
  await root.login('root')
  const rootProof = await root.csrf()
  const order = { url: receiver.url('/hook'), events: ['login.failure'], description: 'kept', metadata: { team: 'a' } }
  const created = json(await root.post(`${API}/webhooks`, order, rootProof)) as {
    endpoint: { id: string }
    secret: string
  }
  const { endpoint, secret: webhookSecret } = created
  const failing = { ...order, url: receiver.url('/hook/failing') }
  const second = json(await root.post(`${API}/webhooks`, failing, rootProof)) as typeof created
  await root.call(
    'PATCH',
    `${API}/webhooks/${second.endpoint.id}`,
    { ...rootProof, 'content-type': 'application/json' },
    '{"enabled":false}'
  )
  await before.fastify.close()

  const after = await start(t, place)

  await t.test('sessions, with their content', async (t) => {
    t.match(await again(alice, after.port).call('GET', '/in/who'), { status: 200, body: '{"who":"alice"}' })
    t.equal((await again(alice, after.port).call('GET', '/in/cart')).body, '{"cart":[1,2]}')
    t.equal((await again(alice, after.port).call('GET', '/in/vault')).status, 403, 'and no more than before')
    t.equal((await again(visitor, after.port).call('GET', '/in/who')).status, 401, 'but none that was over')
  })

  await t.test('users, and their second factor', async (t) => {
    t.equal((await after.browser().login('alice', 'wrong')).status, 401)
    const person = after.browser()
    t.match(json(await person.login('alice')), { mfaRequired: true })
    t.equal((await person.post(`${API}/auth/login/totp`, { code: code(secret) })).status, 401, 'a step works once')
    place.clock.advance(30_000)
    t.equal((await person.post(`${API}/auth/login/totp`, { code: code(secret) })).status, 200)
    const locked = after.browser()
    await locked.login('alice')
    const [recovery] = recoveryCodes as [string]
    t.equal((await locked.post(`${API}/auth/login/totp`, { code: recovery })).status, 200, 'a recovery code')
  })

  await t.test('passkeys', async (t) => {
    const person = after.browser()
    const { challenge } = json(await person.post(`${API}/webauthn/login/options`, {}))
    const facts = { challenge: String(challenge), origin: PAGE, rpId: 'shop.example', userHandle }
    const response = provenPasskey(passkey.id, pair.privateKey, facts)
    const login = await person.post(`${API}/webauthn/login/verify`, { response })
    t.equal(login.status, 200, login.body)
    t.match(await person.call('GET', '/in/who'), { body: '{"who":"bob"}' })
  })

  await t.test('API keys, tokens and their ends', async (t) => {
    t.match(await after.bearer('GET', '/api/who', apiKey), { status: 200, body: '{"who":"bob"}' })
    t.equal((await after.bearer('GET', '/api/who', gone.token)).status, 401, 'what was revoked stays so')
    t.equal((await after.bearer('GET', '/api/who', String(rotated.access_token))).status, 200)
    const refresh = (token: unknown) => after.browser().post(`${API}/token/refresh`, { refresh_token: token })
    t.equal((await refresh(rotated.refresh_token)).status, 200)
    t.equal((await refresh(tokens.refresh_token)).status, 401, 'a rotated one is a reuse')
    t.equal((await refresh(rotated.refresh_token)).status, 401, 'which ends its family')
  })

  await t.test('answers to repeated requests', async (t) => {
    const repeated = await after.bearer('POST', '/api/orders', apiKey, { 'idempotency-key': 'order-1' })
    t.match(repeated, { status: 200, body: ordered.body, headers: { 'idempotency-replayed': 'true' } })
    t.equal(effects, 1)
  })

  await t.test('the journal', async (t) => {
    const root = after.browser()
    await root.login('root')
    const { items } = json(await root.call('GET', `${API}/audit/events?limit=200`)) as { items: { action: string }[] }
    const actions = new Set(items.map(({ action }) => action))
    for (const action of ['passkey.registered', 'apikey.created', 'apikey.revoked', 'token.issued', 'logout']) {
      t.ok(actions.has(action), `${action}, from before`)
    }
    t.ok(actions.has('token.reuse_detected'), 'and what came since')
  })

  await t.test('webhook endpoints, with their secrets', async (t) => {
    const admin = after.browser()
    await admin.login('root')
    const proof = await admin.csrf()
    const list = json(await admin.call('GET', `${API}/webhooks?order=url:ASC`))
    t.match(list, {
      driver: driver.name,
      total: 2,
      endpoints: [{ id: endpoint.id, description: 'kept', metadata: { team: 'a' } }, { enabled: false }]
    })
    t.notMatch(JSON.stringify(list), webhookSecret)
    t.equal(json(await admin.post(`${API}/webhooks/${endpoint.id}/reveal`, {}, proof)).secret, webhookSecret)
    await after.browser().login('alice', 'wrong')
    await receiver.until(() => receiver.received.length > 0)
    const [message] = receiver.received
    t.match(message, { path: '/hook', headers: { 'webhook-signature': /^v1,/ } })
    const { headers = {}, body = Buffer.alloc(0) } = message ?? {}
    t.ok(verifyWebhook({ secret: webhookSecret, headers, body, now: () => place.clock.now() }), 'signed as before')
  })
}
