/** Passkeys from end to end, against an authenticator in software; everything it bends is refused. */
import type { LightMyRequestResponse } from 'fastify'
import { inMemory } from 'svc-stores'
import t from 'tap'
import { ChallengeStore } from '../../../src/factors/challenge-store.ts'
import { passkeyRoutes } from '../../../src/factors/passkeys/passkey.routes.ts'
import { CHALLENGE_MS, PasskeyService } from '../../../src/factors/passkeys/passkey-service.ts'
import { passkeysStore } from '../../../src/factors/passkeys/passkeys-store.ts'
import { idempotencyStore } from '../../../src/idempotency/idempotency-store.ts'
import { SessionCookie } from '../../../src/sessions/session-cookie.ts'
import { guardedStore } from '../../../src/stores/guarded-store.ts'
import { MemoryCounter } from '../../../src/throttling/attempt-counter.ts'
import { factorApp } from '../../support/factor-app.ts'
import { type Bend, FLAGS, SoftAuthenticator } from '../../support/soft-authenticator.ts'

const API = '/svc/security/api/webauthn'
const ORIGIN = 'https://shop.example'
const RP = { id: 'shop.example', name: 'shop', origins: [ORIGIN] }

async function setUp(hasAnotherWay: () => boolean = () => true) {
  const parts = await factorApp()
  const { app, host, clock } = parts
  const store = inMemory(passkeysStore, { clock })
  const attemptStore = inMemory(idempotencyStore, { clock })
  const challenges = new ChallengeStore({
    store: guardedStore(idempotencyStore, attemptStore),
    cookie: new SessionCookie({ cookieName: 'svc_passkey', secureCookie: 'auto' }),
    counter: new MemoryCounter(clock),
    journal: host.journal,
    kind: 'passkey',
    lifeMs: CHALLENGE_MS
  })
  const passkeys = new PasskeyService(guardedStore(passkeysStore, store), RP)
  passkeyRoutes(app, { passkeys, challenges, host, hasAnotherWay: async () => hasAnotherWay() })

  const post = (path: string, payload: object = {}, headers: Record<string, string> = {}) =>
    app.inject({ method: 'POST', url: API + path, payload, headers })
  const begin = async (path: string, session = '') => {
    const answer = await post(path, {}, { 'x-session': session })
    return { challenge: answer.json().challenge as string, cookie: cookieOf(answer), options: answer.json() }
  }
  const key = new SoftAuthenticator(ORIGIN, RP.id)
  const register = async (bend: Bend = {}, session = 'alice', by = key) => {
    const { challenge, cookie } = await begin('/register/options', session)
    const response = by.create(challenge, bend)
    return post('/register/verify', { response, nickname: 'laptop' }, { cookie, 'x-session': session })
  }
  const login = async (bend: Bend = {}, by = key) => {
    const { challenge, cookie } = await begin('/login/options')
    return post('/login/verify', { response: by.get(challenge, bend) }, { cookie })
  }
  return { ...parts, store, attemptStore, post, begin, key, register, login }
}

function cookieOf(answer: LightMyRequestResponse): string {
  return String(answer.headers['set-cookie']).split(';')[0] ?? ''
}

t.test('register, list, log in, remove', async (t) => {
  const { app, key, begin, register, login, audited } = await setUp()
  const { options } = await begin('/register/options', 'alice')
  t.match(options, { rp: RP.name && { id: RP.id }, timeout: 60_000, attestation: 'none' })
  t.match(options.authenticatorSelection, { residentKey: 'required', userVerification: 'preferred' })
  t.notMatch(Buffer.from(options.user.id, 'base64url').toString(), 'alice')

  const registered = await register()
  t.equal(registered.statusCode, 201)
  t.match(registered.json().credential, { id: key.id, nickname: 'laptop', transports: ['internal'] })
  t.match(audited[0], { category: 'webauthn', action: 'passkey.registered', actor: 'alice', resource: key.id })

  const headers = { 'x-session': 'alice' }
  const listed = (await app.inject({ url: `${API}/credentials`, headers })).json().credentials
  t.equal(listed.length, 1)
  t.notOk('publicKey' in listed[0] || 'counter' in listed[0])

  const rename = (id: string, nickname: unknown, session = 'alice') =>
    app.inject({
      method: 'PATCH',
      url: `${API}/credentials/${id}`,
      payload: { nickname } as object,
      headers: { 'x-session': session }
    })
  t.equal((await rename(key.id, 'mine', 'none')).statusCode, 401)
  t.equal((await rename('AAAA', 'key ring')).json().code, 'SVC_SEC_PASSKEY_UNKNOWN')
  for (const name of ['', 7, 'x'.repeat(101)]) t.equal((await rename(key.id, name)).statusCode, 400)
  t.strictSame((await rename(key.id, 'key ring')).json(), { ok: true })
  t.match(audited.at(-1), { action: 'passkey.renamed', actor: 'alice', resource: key.id })
  const named = (await app.inject({ url: `${API}/credentials`, headers })).json().credentials
  t.match(named, [{ id: key.id, nickname: 'key ring' }])

  const answer = await login()
  t.strictSame([answer.statusCode, answer.json()], [200, { user: { identifier: 'alice', roles: ['webauthn'] } }])

  const remove = (session: string) =>
    app.inject({ method: 'DELETE', url: `${API}/credentials/${key.id}`, headers: { 'x-session': session } })
  t.equal((await remove('none')).statusCode, 401)
  t.strictSame((await remove('alice')).json(), { ok: true })
  t.equal((await remove('alice')).json().code, 'SVC_SEC_PASSKEY_UNKNOWN')
  t.match(audited.at(-1), { action: 'passkey.removed', resource: key.id })
  t.equal((await login()).statusCode, 401)
})

t.test('the last way in stays, also of two passkeys that are removed at once', async (t) => {
  let other = false
  const { app, key, register, login } = await setUp(() => other)
  const spare = new SoftAuthenticator(ORIGIN, RP.id)
  const remove = (id: string) =>
    app.inject({ method: 'DELETE', url: `${API}/credentials/${id}`, headers: { 'x-session': 'alice' } })
  await register()
  const refused = await remove(key.id)
  t.strictSame([refused.statusCode, refused.json().code], [409, 'SVC_SEC_LAST_WAY_IN'])
  t.equal((await login()).statusCode, 200)
  t.equal((await remove('AAAA')).statusCode, 404)

  await register({}, 'alice', spare)
  t.equal((await remove(key.id)).statusCode, 200)
  await register()
  await Promise.all([remove(key.id), remove(spare.id)])
  const statuses = [(await login()).statusCode, (await login({}, spare)).statusCode]
  t.ok(statuses.includes(200), 'one of them still logs in')

  other = true
  await Promise.all([remove(key.id), remove(spare.id)])
  t.strictSame([(await login()).statusCode, (await login({}, spare)).statusCode], [401, 401])
})

t.test('a bent registration: 400, nothing is stored', async (t) => {
  const { register, store } = await setUp()
  const bends: Bend[] = [
    { origin: 'https://evil.example' },
    { origin: 'http://shop.example' },
    { rpId: 'evil.example' },
    { type: 'webauthn.get' },
    { challenge: 'AAAA' },
    { flags: FLAGS.uv },
    { flags: FLAGS.up | FLAGS.bs }
  ]
  for (const bend of bends) {
    const answer = await register(bend)
    t.strictSame([answer.statusCode, answer.json().code], [400, 'SVC_SEC_PASSKEY'], JSON.stringify(bend))
  }
  t.equal(await store.count({}), 0)
})

t.test('a bent login: 401, byte for byte the same; the audit has the cause', async (t) => {
  const { register, login, post, begin, key, audited } = await setUp()
  await register()
  const bodies = new Set<string>()
  const refuse = async (answer: LightMyRequestResponse, reason: string | RegExp) => {
    t.equal(answer.statusCode, 401, String(reason))
    bodies.add(answer.body)
    t.match(audited.at(-1), { action: 'login.failure', outcome: 'failure', reason })
  }
  await refuse(await login({ origin: 'https://evil.example' }), /origin/)
  await refuse(await login({ rpId: 'evil.example' }), /RP ID/)
  await refuse(await login({ challenge: 'AAAA' }), /challenge/)
  await refuse(await login({ type: 'webauthn.create' }), /type/)
  await refuse(await login({ flags: 0 }), /present/)
  await refuse(await login({ flags: FLAGS.up | FLAGS.be }), 'passkey_backup')
  await refuse(await login({ userHandle: 'AAAA' }), 'passkey_owner')
  await refuse(await login({}, new SoftAuthenticator(ORIGIN, RP.id)), 'passkey_unknown')
  const { challenge, cookie } = await begin('/login/options')
  const response = key.get(challenge)
  const forged = { ...response, response: { ...response.response, signature: key.get('AAAA').response.signature } }
  await refuse(await post('/login/verify', { response: forged }, { cookie }), 'passkey_signature')
  await refuse(await post('/login/verify', { response: key.get(challenge) }, { cookie }), 'passkey_challenge')
  await refuse(await post('/login/verify', { response: key.get(challenge) }), 'passkey_challenge')
  t.equal(bodies.size, 1)
  t.match([...bodies][0], 'INVALID_CREDENTIALS')
})

t.test('a counter that does not grow: a clone', async (t) => {
  const { register, login, audited } = await setUp()
  await register()
  t.equal((await login({ counter: 7 })).statusCode, 200)
  for (const counter of [7, 6, 0]) {
    t.equal((await login({ counter })).statusCode, 401, String(counter))
    t.match(audited.at(-1), { reason: /counter/ })
  }
  t.equal((await login({ counter: 8 })).statusCode, 200)
})

t.test('a challenge: one minute, one use, one browser, one purpose', async (t) => {
  const { register, clock, begin, post, key, attemptStore } = await setUp()
  await register({ counter: 0 })
  const verify = (challenge: string, cookie: string) =>
    post('/login/verify', { response: key.get(challenge, { counter: 0 }) }, { cookie })

  const late = await begin('/login/options')
  clock.advance(60_000)
  t.equal((await verify(late.challenge, late.cookie)).statusCode, 401, 'too late')

  const { challenge, cookie } = await begin('/login/options')
  const both = await Promise.all([verify(challenge, cookie), verify(challenge, cookie)])
  t.strictSame(both.map(({ statusCode }) => statusCode).sort(), [200, 401], 'two at once')

  const mine = await begin('/login/options')
  const other = await begin('/login/options')
  t.equal((await verify(mine.challenge, other.cookie)).statusCode, 401, 'of another browser')

  const making = await begin('/register/options', 'alice')
  t.equal((await verify(making.challenge, making.cookie)).statusCode, 401, 'of a registration')
  for (let n = 0; n < 20; n += 1) {
    const invented = `svc_passkey=${String(n).padStart(43, 'A')}`
    t.equal((await verify(challenge, invented)).statusCode, 401, 'of nobody')
  }
  clock.advance(60_000)
  // Five attempts in time and the use of four: nothing is left of the one that was late, nor of those invented.
  t.equal(await attemptStore.purge(), 9)
})

t.test('who may not log in, may not by passkey', async (t) => {
  const { register, login, accounts, withSecondFactor, audited } = await setUp()
  await register()
  accounts.get('alice').locked = true
  t.equal((await login()).statusCode, 401)
  t.match(audited.at(-1), { actor: 'alice', reason: 'locked' })
  accounts.get('alice').locked = false
  withSecondFactor.add('alice')
  t.equal((await login({ flags: FLAGS.up })).statusCode, 401, 'possession alone, where two factors are due')
  t.match(audited.at(-1), { reason: 'user_verification' })
  t.equal((await login()).statusCode, 200, 'PIN or finger is the second')
})

t.test('a passkey never changes hands, and there are at most twenty', async (t) => {
  const { register, accounts, sessions, key, store } = await setUp()
  accounts.add({ identifier: 'eve', roles: [] })
  sessions.set('eve', { user: 'eve', content: {} })
  await register()
  t.equal((await register({}, 'eve')).statusCode, 409)
  t.equal((await store.find(key.id))?.userId, 'alice')
  for (let n = 1; n < 20; n += 1) {
    t.equal((await register({}, 'alice', new SoftAuthenticator(ORIGIN, RP.id))).statusCode, 201)
  }
  const { statusCode } = await register({}, 'alice', new SoftAuthenticator(ORIGIN, RP.id))
  t.not(statusCode, 201)
  t.equal(await store.count({ userId: 'alice' }), 20)
})

t.test('malformed bodies: 400, without proof 401, never 500', async (t) => {
  const { post, begin } = await setUp()
  const { cookie } = await begin('/login/options')
  for (const body of [{}, { response: {} }, { response: { id: 'a', rawId: 'a', type: 'x', response: {} } }, []]) {
    t.equal((await post('/login/verify', body, { cookie })).statusCode, 400, JSON.stringify(body))
  }
  const rubbish = { clientDataJSON: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA', attestationObject: 'AAAA' }
  const response = { id: 'AAAA', rawId: 'AAAA', type: 'public-key', response: rubbish }
  t.equal((await post('/login/verify', { response }, { cookie })).statusCode, 401)
  const making = await begin('/register/options', 'alice')
  const headers = { cookie: making.cookie, 'x-session': 'alice' }
  t.equal((await post('/register/verify', { response }, headers)).statusCode, 400)
  t.equal((await post('/register/options')).statusCode, 401)
})
