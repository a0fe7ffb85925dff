/** The routes of one-time codes: who may, one text for every cause, guesses that are slowed down. */
import { randomBytes } from 'node:crypto'
import { TOTP } from 'otpauth'
import { SecretBox } from 'svc-kernel/plugin'
import { inMemory } from 'svc-stores'
import t from 'tap'
import { totpRoutes } from '../../../src/factors/totp/totp.routes.ts'
import { TOTP_CONTEXT, TotpService } from '../../../src/factors/totp/totp-service.ts'
import { totpStore } from '../../../src/factors/totp/totp-store.ts'
import { guardedStore } from '../../../src/stores/guarded-store.ts'
import { factorApp, pendingSession } from '../../support/factor-app.ts'

const API = '/svc/security/api'

async function setUp() {
  const parts = await factorApp()
  const { app, host, clock, sessions } = parts
  const store = inMemory(totpStore, { clock })
  const box = new SecretBox(randomBytes(32), TOTP_CONTEXT)
  const guarded = guardedStore(totpStore, store)
  totpRoutes(app, new TotpService({ store: guarded, box, clock, issuer: 'shop' }), host)
  const post = (path: string, session: string, payload?: object) =>
    app.inject({ method: 'POST', url: API + path, headers: { 'x-session': session }, ...(payload && { payload }) })
  const code = (secret: string) => new TOTP({ secret }).generate({ timestamp: clock.now() })
  const enroll = async () => {
    const { secret } = (await post('/totp/enroll', 'alice')).json()
    const { recoveryCodes } = (await post('/totp/confirm', 'alice', { code: code(secret) })).json()
    clock.advance(30_000)
    sessions.set('due', pendingSession('alice', clock.now()))
    return { secret, recoveryCodes: recoveryCodes as string[] }
  }
  return { ...parts, store, post, code, enroll }
}

t.test('enrolment, login, disabling', async (t) => {
  const { app, clock, post, code, enroll, sessions } = await setUp()
  const { secret, recoveryCodes } = await enroll()
  t.equal(recoveryCodes.length, 10)
  const status = () => app.inject({ url: `${API}/totp/status`, headers: { 'x-session': 'alice' } })
  t.strictSame((await status()).json(), { enabled: true, recoveryCodesLeft: 10 })

  const login = await post('/auth/login/totp', 'due', { code: code(secret) })
  t.strictSame([login.statusCode, login.json()], [200, { user: { identifier: 'alice', roles: ['totp'] } }])
  const again = await post('/auth/login/totp', 'due', { code: code(secret) })
  t.strictSame([again.statusCode, again.json().message], [401, 'INVALID_CREDENTIALS'])
  const recovered = await post('/auth/login/totp', 'due', { code: recoveryCodes[3] ?? '' })
  t.equal(recovered.json().user.roles[0], 'recovery')
  t.strictSame((await status()).json(), { enabled: true, recoveryCodesLeft: 9 })

  clock.advance(30_000)
  sessions.set('due', pendingSession('alice', clock.now()))
  t.strictSame((await post('/totp/disable', 'alice', { code: code(secret) })).json(), { ok: true })
  t.strictSame((await status()).json(), { enabled: false, recoveryCodesLeft: 0 })
  t.equal((await post('/auth/login/totp', 'due', { code: code(secret) })).statusCode, 401)
})

t.test('no session that fits: 401, byte for byte the same', async (t) => {
  const { app, clock, post, enroll, sessions, code } = await setUp()
  const { secret } = await enroll()
  sessions.set('late', pendingSession('alice', clock.now() - 300_000))
  sessions.set('other', pendingSession('alice', clock.now(), ['sms']))
  sessions.set('locked', pendingSession('bob', clock.now()))
  sessions.set('gone', pendingSession('nobody', clock.now()))
  const bodies = new Set<string>()
  for (const session of ['none', 'alice', 'late', 'other', 'locked', 'gone']) {
    const answer = await post('/auth/login/totp', session, { code: code(secret) })
    t.equal(answer.statusCode, 401, session)
    bodies.add(answer.body)
  }
  for (const session of ['none', 'due', 'bob']) {
    for (const path of ['/totp/enroll', '/totp/confirm', '/totp/disable']) {
      const answer = await post(path, session, { code: '000000' })
      t.equal(answer.statusCode, 401, `${path} ${session}`)
      bodies.add(answer.body)
    }
    bodies.add((await app.inject({ url: `${API}/totp/status`, headers: { 'x-session': session } })).body)
  }
  t.equal(bodies.size, 1)
  t.match([...bodies][0], 'INVALID_SESSION')
})

t.test('wrong codes are audited and slowed down; bodies do not tell why', async (t) => {
  const { clock, post, enroll, code, audited, sessions } = await setUp()
  const { secret, recoveryCodes } = await enroll()
  const bodies = new Set<string>()
  for (const wrong of ['000000', 'zzzz-zzzz-zzzz-zzzz', 'rubbish', '\u0000', '12345678']) {
    const answer = await post('/auth/login/totp', 'due', { code: wrong })
    if (answer.statusCode === 401) bodies.add(answer.body)
  }
  t.equal(bodies.size, 1)
  const failure = { action: 'login.failure', outcome: 'failure', actor: 'alice', reason: 'mfa_invalid' }
  t.match(audited[0], { category: 'auth', ...failure })
  t.notMatch(JSON.stringify(audited), /rubbish|zzzz/, 'no code is audited')

  const throttled = await post('/auth/login/totp', 'due', { code: recoveryCodes[0] ?? '' })
  t.equal(throttled.statusCode, 429)
  t.match(throttled.headers, { 'retry-after': /^\d+$/ })
  t.match(audited.at(-1), { action: 'login.throttled', reason: 'totp' })
  clock.advance(60_000)
  sessions.set('due', pendingSession('alice', clock.now()))
  t.equal((await post('/auth/login/totp', 'due', { code: code(secret) })).statusCode, 200)
})

t.test('a store that fails is no wrong code', async (t) => {
  const { store, post, enroll, audited } = await setUp()
  await enroll()
  store.find = async () => Promise.reject(new Error('down'))
  for (let n = 0; n < 6; n += 1) {
    t.equal((await post('/auth/login/totp', 'due', { code: '000000' })).statusCode, 503)
  }
  t.strictSame(audited, [])
})

t.test('bodies that cannot be', async (t) => {
  const { post, sessions, clock } = await setUp()
  sessions.set('due', pendingSession('alice', clock.now()))
  for (const body of [{}, { code: '' }, { code: 'x'.repeat(65) }, { code: {} }, []]) {
    t.equal((await post('/auth/login/totp', 'due', body)).statusCode, 400, JSON.stringify(body))
  }
})
