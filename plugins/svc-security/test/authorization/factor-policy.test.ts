/** `requireFactor` of areas and roles: a login without the factor opens nothing there, and may enrol one. */
import t, { type Test } from 'tap'
import type { SvcSecurityOptions } from '../../src/index.ts'
import { totp } from '../support/enrolled.ts'
import { securedApp } from '../support/guarded-app.ts'
import { codeOf, keptUsersApp, ORIGIN, PASSWORD } from '../support/kept-users-app.ts'
import { API, Browser } from '../support/login-app.ts'
import { FLAGS, SoftAuthenticator } from '../support/soft-authenticator.ts'
import { keySetJson } from '../support/token-app.ts'

const DUE = { statusCode: 403, code: 'SVC_SEC_PROOF_DUE', factors: ['totp', 'passkey'] }
const STEP_UP = { statusCode: 401, code: 'SVC_SEC_STEP_UP', factors: ['totp', 'passkey'] }
const AREA = { authenticators: ['session', 'userpassword', 'apikey', 'jwt', 'anonymous'] }

async function setUp(t: Test, options: SvcSecurityOptions) {
  const made = await keptUsersApp(t, options)
  made.app.get('/out', async ({ user }) => user)
  return made
}

const areas = { in: { ...AREA, pattern: '^/in', requireFactor: 'any' as const }, out: { ...AREA, pattern: '^/out' } }

t.test('an area: by credential', async (t) => {
  const { app, clock, browserOf, records } = await setUp(t, { areas })
  const alice = await browserOf('alice')
  records.length = 0
  t.match((await alice.call('GET', '/in')).json(), DUE, 'a password alone')
  t.match(records, [{ action: 'access.denied', actor: 'alice', resource: 'FACTOR(any)', metadata: { voter: 'proof' } }])
  t.match((await alice.call('GET', '/out')).json(), { identifier: 'alice' }, 'and no other area')
  const get = (authorization: string) => app.inject({ url: '/in', headers: { authorization } })
  const basic = await get(`Basic ${Buffer.from(`alice:${PASSWORD}`).toString('base64')}`)
  t.match(basic.json(), DUE, 'Basic')
  const issue = async (factors: string[] | null) => {
    const proven = factors !== null && { provenAt: clock.now(), factors }
    return `Bearer ${(await app.tokens.issue({ identifier: 'alice' }, { proven })).accessToken}`
  }
  for (const factors of [null, [], ['pwd'], ['social', 'mfa']]) {
    const answer = await get(await issue(factors))
    t.match(answer.json(), STEP_UP, `a token of ${factors}`)
    t.match(answer.headers['www-authenticate'], /^Bearer error="insufficient_user_authentication", .*acr_values="mfa"$/)
    t.equal(answer.headers['cache-control'], 'no-store')
  }
  t.match((await get(await issue(['pwd', 'otp']))).json(), { identifier: 'alice' })
  const key = (await app.tokens.apiKeys.create('alice', { name: 'ci' })).token
  t.match((await get(`Bearer ${key}`)).json(), { identifier: 'alice' }, 'an API key is no login')
  t.match((await app.inject('/in')).json(), { identifier: 'anonymous' }, 'and neither is a visitor')
})

t.test('a session without a factor enrols one, and goes on', async (t) => {
  const { app, clock, browserOf, root } = await withRoot(t, { areas })
  const alice = await browserOf('alice')
  t.match((await alice.call('GET', '/in')).json(), DUE)
  t.equal((await alice.call('GET', `${API}/totp/status`)).statusCode, 200)
  const secret = await alice.enrolCodes(clock)
  t.match((await alice.call('GET', '/in')).json(), { identifier: 'alice' }, 'the code of the enrolment is shown')
  const again = new Browser(app)
  await again.login('alice', PASSWORD)
  t.match((await again.call('GET', '/in')).json(), { identifier: 'anonymous' })
  t.equal(
    (await again.call('POST', `${API}/auth/login/totp`, { payload: { code: codeOf(secret, clock) } })).statusCode,
    200
  )
  t.match((await again.call('GET', '/in')).json(), { identifier: 'alice' }, 'and so is that of a login')
  t.match((await root.call('GET', '/in')).json(), DUE, 'each for themselves')
})

async function withRoot(t: Test, options: SvcSecurityOptions) {
  const made = await setUp(t, options)
  return { ...made, root: await made.browserOf('root') }
}

t.test('a password that leaked enrols no second factor beside one that is there', async (t) => {
  const { browserOf } = await setUp(t, { areas })
  const owner = await browserOf('alice')
  const passkey = new SoftAuthenticator(ORIGIN, 'localhost')
  const { challenge } = (await owner.change('POST', '/webauthn/register/options')).json<{ challenge: string }>()
  const made = await owner.change('POST', '/webauthn/register/verify', { response: passkey.create(challenge) })
  t.equal(made.statusCode, 201, made.body)
  const thief = await browserOf('alice')
  t.match((await thief.change('POST', '/totp/enroll')).json(), DUE)
  t.match((await thief.change('POST', '/webauthn/register/options')).json(), DUE)
  const options = (await owner.change('POST', '/webauthn/login/options', {})).json<{ challenge: string }>()
  const shown = await owner.change('POST', '/auth/confirm/passkey', { response: passkey.get(options.challenge) })
  t.equal(shown.statusCode, 200, shown.body)
  t.equal((await owner.change('POST', '/totp/enroll')).statusCode, 200, 'who shows the passkey may')
})

t.test('a key without PIN or fingerprint is one factor, and a second one beside a password', async (t) => {
  const { app, browserOf } = await setUp(t, { areas })
  app.get('/in/passkey', { config: { proof: { factor: 'passkey' } } }, async () => 'done')
  const owner = await browserOf('alice')
  const passkey = new SoftAuthenticator(ORIGIN, 'localhost')
  const { challenge } = (await owner.change('POST', '/webauthn/register/options')).json<{ challenge: string }>()
  await owner.change('POST', '/webauthn/register/verify', { response: passkey.create(challenge) })
  const show = async (browser: Browser, path: string, flags: number, headers = {}) => {
    const options = (await browser.call('POST', `${API}/webauthn/login/options`, { payload: {} })).json()
    const response = passkey.get(options.challenge, { flags })
    return browser.call('POST', `${API}${path}`, { payload: { response }, headers })
  }
  const thief = new Browser(app)
  t.equal((await show(thief, '/webauthn/login/verify', FLAGS.up)).statusCode, 200)
  t.match((await thief.call('GET', '/in')).json(), DUE, 'the key alone')
  t.equal((await show(thief, '/webauthn/login/verify', FLAGS.up | FLAGS.uv)).statusCode, 200)
  t.equal((await thief.call('GET', '/in/passkey')).body, 'done', 'with PIN or fingerprint')
  const headers = { 'x-csrf-token': await owner.csrfToken() }
  t.equal((await show(owner, '/auth/confirm/passkey', FLAGS.up, headers)).statusCode, 200)
  t.match((await owner.call('GET', '/in')).json(), { identifier: 'alice' }, 'beside the password')
  t.match((await owner.call('GET', '/in/passkey')).json(), { ...DUE, factors: ['passkey'] })
})

t.test('a role, also by inheritance, in every area and for the own account', async (t) => {
  const { app, clock, browserOf } = await setUp(t, {
    areas: { in: { ...AREA, pattern: '^/in' }, out: { ...AREA, pattern: '^/out' } },
    roleHierarchy: { ROLE_CHIEF: ['ROLE_EDITOR'] },
    requireFactor: { ROLE_EDITOR: 'any' },
    oauth2: { publicUrl: ORIGIN, providers: { idp: { issuer: 'http://127.0.0.1:1', clientId: 'shop' } } }
  })
  const alice = await browserOf('alice')
  t.equal((await alice.call('GET', '/in')).statusCode, 200)
  await app.userAccounts.setRoles('alice', ['ROLE_CHIEF'])
  for (const path of ['/in', '/out', `${API}/keys`]) t.match((await alice.call('GET', path)).json(), DUE, path)
  t.match((await alice.change('POST', '/oauth2/idp/authorize')).json(), DUE, 'nor a way in beside it')
  t.equal((await alice.call('GET', `${API}/auth/me`)).statusCode, 200)
  await alice.enrolCodes(clock)
  for (const path of ['/in', '/out', `${API}/keys`]) t.equal((await alice.call('GET', path)).statusCode, 200, path)
})

t.test('an area and a role ask for both of theirs', async (t) => {
  const { app, clock } = await setUp(t, {
    areas: { in: { ...AREA, pattern: '^/in', requireFactor: 'totp' } },
    requireFactor: { ROLE_USER: 'passkey' }
  })
  const ask = async (...factors: string[]) => {
    const proven = { provenAt: clock.now(), factors }
    const { accessToken } = await app.tokens.issue({ identifier: 'alice' }, { proven })
    return (await app.inject({ url: '/in', headers: { authorization: `Bearer ${accessToken}` } })).json()
  }
  t.match(await ask('pwd'), { code: 'SVC_SEC_STEP_UP', factors: ['totp', 'passkey'] })
  t.match(await ask('pwd', 'otp'), { code: 'SVC_SEC_STEP_UP', factors: ['passkey'] })
  t.match(await ask('passkey'), { code: 'SVC_SEC_STEP_UP', factors: ['totp'] })
  t.match(await ask('passkey', 'otp'), { identifier: 'alice' })
})

t.test('the boot warns of a factor that no login can show', async (t) => {
  const issuer = { issuer: 'http://127.0.0.1:1', clientId: 'shop' }
  const provider = (secondFactor: string[]) => ({ publicUrl: ORIGIN, providers: { idp: { ...issuer, secondFactor } } })
  const area = (requireFactor: 'any' | 'totp' | 'passkey') => ({ in: { ...AREA, pattern: '^/in', requireFactor } })
  const passkeys = { rpId: 'localhost', origins: [ORIGIN] }
  const [here, guard] = ['svc-security.areas.in.requireFactor', 'GET /in/totp']
  const rows: ReadonlyArray<readonly [SvcSecurityOptions, readonly string[]]> = [
    [{ areas: area('any') }, [here, guard]],
    [{ areas: area('any'), passkeys }, [guard]],
    [{ areas: area('any'), totp }, []],
    [{ areas: area('any'), oauth2: provider(['mfa']) }, [guard]],
    [{ areas: area('any'), oauth2: provider([]) }, [here, guard]],
    [{ areas: area('totp'), passkeys }, [here, guard]],
    [{ requireFactor: { ROLE_USER: 'passkey' }, totp }, ['svc-security.requireFactor.ROLE_USER']],
    [{ requireFactor: { ROLE_USER: 'passkey' }, totp, passkeys }, []]
  ]
  for (const [options, places] of rows) {
    const app = await securedApp({ areas: { in: { ...AREA, pattern: '^/in' } }, jwt: { keySetJson }, ...options })
    app.get('/in/totp', { config: { proof: { factor: 'totp' } } }, async () => 'done')
    await app.ready()
    const warned = app.bootWarnings.filter(({ code }) => code === 'SVC_SEC_FACTOR_OFF').map(({ at }) => at)
    t.strictSame(warned, places, JSON.stringify(options))
    await app.close()
  }
})
