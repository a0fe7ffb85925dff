/** The token endpoint over HTTP: its answers, its refusals, what the audit is told. */
import Fastify, { type RouteOptions } from 'fastify'
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose'
import { errorsOfRoute } from 'svc-kernel/plugin'
import t from 'tap'
import svcSecurity from '../../src/index.ts'
import { ALICE_PASSWORD } from '../support/accounts.ts'
import { enrolledStore, totp } from '../support/enrolled.ts'
import { API } from '../support/login-app.ts'
import { accessToken, keySetJson, TOKEN, tokenApp } from '../support/token-app.ts'

const alice = { username: 'alice', password: ALICE_PASSWORD }

t.test('a password for tokens', async (t) => {
  const made = await tokenApp()
  const { call, records } = made
  const answer = await call('POST', TOKEN, { ...alice, scope: 'orders:read orders:write' })
  t.equal(answer.status, 200)
  t.match(answer.headers, { 'cache-control': 'no-store', pragma: 'no-cache' })
  t.match(answer.body, { token_type: 'Bearer', expires_in: 900, scope: 'orders:read orders:write' })
  t.same(Object.keys(answer.body).sort(), ['access_token', 'expires_in', 'refresh_token', 'scope', 'token_type'])
  t.same(
    records.map(({ action }) => action),
    ['login.success', 'token.issued']
  )
  t.notMatch(JSON.stringify(records), answer.body.refresh_token)

  const bearer = String(answer.body.access_token)
  t.match((await call('GET', '/jwt', undefined, bearer)).body, { who: 'alice', proof: 'jwt' })
  t.equal((await call('GET', '/any/orders', undefined, bearer)).status, 200)
  t.equal((await call('GET', '/any/orders', undefined, await accessToken(made))).status, 403, 'without the scope')
  t.equal((await call('GET', '/any/users', undefined, bearer)).status, 200, 'roles are those of the user')
})

t.test('whatever is wrong with the login, the answer is the same, byte for byte', async (t) => {
  const { call, records } = await tokenApp({ rateLimit: { enabled: false } })
  const attempts = [
    { username: 'alice', password: 'wrong' },
    { username: 'nobody', password: ALICE_PASSWORD },
    { username: 'bob', password: ALICE_PASSWORD },
    { username: 'carol', password: ALICE_PASSWORD },
    { username: 'dave', password: ALICE_PASSWORD }
  ]
  const answers = await Promise.all(attempts.map((body) => call('POST', TOKEN, body)))
  t.equal(new Set(answers.map(({ text }) => text)).size, 1)
  t.equal(new Set(answers.map(({ headers }) => JSON.stringify(withoutDate(headers)))).size, 1)
  t.match(answers[0], { status: 401, body: { message: 'INVALID_CREDENTIALS' } })
  t.equal(new Set(records.map(({ reason }) => reason)).size, 5, 'the audit knows five causes')
})

t.test('where a second factor stands, a password alone gives no token', async (t) => {
  const stores = { totp: enrolledStore((identifier) => identifier === 'alice') }
  const { call, records } = await tokenApp({ totp }, { stores })
  const answer = await call('POST', TOKEN, alice)
  t.match(answer, { status: 403, body: { code: 'SVC_SEC_SECOND_FACTOR' } })
  t.notMatch(answer.text, /token"/)
  t.match(records, [{ action: 'login.mfa_required', actor: 'alice', reason: 'totp' }])
  t.equal(
    (await call('POST', TOKEN, { ...alice, password: 'wrong' })).status,
    401,
    'only a password that held learns of it'
  )
  t.equal((await call('POST', TOKEN, { ...alice, username: 'root' })).status, 200)
})

t.test('guessing is slowed down here as at the login', async (t) => {
  const { call } = await tokenApp()
  let last = await call('POST', TOKEN, { username: 'alice', password: 'wrong' })
  for (let attempt = 0; attempt < 4; attempt += 1) {
    last = await call('POST', TOKEN, { username: 'alice', password: 'wrong' })
  }
  t.equal(last.status, 429)
  t.match(last.headers['retry-after'], /^\d+$/)
  t.equal((await call('POST', `${API}/auth/login`, alice)).status, 429)
})

t.test('bodies that cannot be one', async (t) => {
  const { call } = await tokenApp()
  for (const body of [
    {},
    { username: 'alice' },
    { username: ['alice'], password: 'x' },
    { username: '', password: 'x' },
    { ...alice, scope: 'a  b' },
    { ...alice, scope: 'a"b' },
    { ...alice, scope: 'x'.repeat(2001) },
    { ...alice, admin: true }
  ]) {
    t.equal((await call('POST', TOKEN, body)).status, 400, JSON.stringify(body).slice(0, 60))
  }
  for (const path of ['/refresh', '/revoke']) t.equal((await call('POST', `${TOKEN}${path}`, {})).status, 400, path)
})

t.test('refresh: rotated, used once, and the family ends when one comes again', async (t) => {
  const { call, records, clock } = await tokenApp()
  const first = (await call('POST', TOKEN, { ...alice, scope: 'orders:read' })).body
  const second = await call('POST', `${TOKEN}/refresh`, { refresh_token: first.refresh_token })
  t.equal(second.status, 200)
  t.match(second.headers, { 'cache-control': 'no-store' })
  t.match(second.body, { token_type: 'Bearer', scope: 'orders:read' })
  clock.advance(10_000)
  const refusals = [
    await call('POST', `${TOKEN}/refresh`, { refresh_token: first.refresh_token }),
    await call('POST', `${TOKEN}/refresh`, { refresh_token: second.body.refresh_token }),
    await call('POST', `${TOKEN}/refresh`, { refresh_token: 'rt_x' }),
    await call('POST', `${TOKEN}/refresh`, { refresh_token: first.access_token })
  ]
  t.equal(new Set(refusals.map(({ text }) => text)).size, 1)
  t.match(refusals[0], { status: 401, body: { message: 'INVALID_TOKEN' } })
  t.equal((await call('GET', '/jwt', undefined, String(second.body.access_token))).status, 401)
  t.same(
    records.slice(2).map(({ action, reason }) => [action, reason]),
    [
      ['token.refreshed', null],
      ['token.reuse_detected', 'reuse_detected'],
      ['auth.failure', 'reuse_detected'],
      ['auth.failure', 'revoked'],
      ['auth.failure', 'unknown'],
      ['auth.failure', 'unknown'],
      ['auth.failure', 'revoked']
    ]
  )
})

t.test('revocation says nothing about what it found', async (t) => {
  const { call } = await tokenApp()
  const { access_token: access, refresh_token: refresh } = (await call('POST', TOKEN, alice)).body
  const answers = []
  for (const token of [refresh, refresh, 'nonsense', access])
    answers.push(await call('POST', `${TOKEN}/revoke`, { token }))
  for (const { status, text } of answers) t.same([status, text], [200, '{"ok":true}'])
  t.equal((await call('GET', '/jwt', undefined, String(access))).status, 401)
})

t.test('the published keys verify what is issued', async (t) => {
  const made = await tokenApp({ jwt: { issuer: 'https://issuer.example', audience: 'https://api.example' } })
  const { status, body, headers } = await made.call('GET', `${API}/jwks`)
  t.equal(status, 200)
  t.equal(headers['cache-control'], 'public, max-age=60')
  t.notMatch(JSON.stringify(body), /"d":/)
  const { payload } = await jwtVerify(await accessToken(made), createLocalJWKSet(body as unknown as JSONWebKeySet), {
    issuer: 'https://issuer.example',
    audience: 'https://api.example',
    currentDate: new Date(made.clock.now())
  })
  t.equal(payload.sub, 'alice')
})

t.test('the type of a token is the scheme that the application takes it by', async (t) => {
  const { call } = await tokenApp({ jwt: { schemes: ['Token', 'Bearer'] } })
  t.equal((await call('POST', TOKEN, alice)).body.token_type, 'Token')
})

t.test('routes say what they answer: each member, each code', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  const routes = new Map<string, RouteOptions>()
  app.addHook('onRoute', (route) => void routes.set(`${route.method} ${route.url}`, route))
  await app.register(svcSecurity, { jwt: { keySetJson }, parts: { users: { findByIdentifier: () => null } } })
  await app.ready()
  const given = ['access_token', 'refresh_token', 'token_type', 'expires_in', 'scope']
  const unavailable = 'SVC_SEC_UNAVAILABLE'
  const proof = ['SVC_SEC_DPOP_PROOF', 'SVC_SEC_DPOP_NONCE']
  const login = ['SVC_SEC_CREDENTIALS', 'SVC_SEC_THROTTLED', 'SVC_SEC_SECOND_FACTOR', 'SVC_SEC_BUSY', unavailable]
  const rows: [route: string, members: string[], codes: string[]][] = [
    [`POST ${TOKEN}`, given, [...proof, 'SVC_SEC_TARGET', ...login]],
    [`POST ${TOKEN}/refresh`, given, [...proof, 'SVC_SEC_TOKEN', unavailable]],
    [`POST ${TOKEN}/revoke`, ['ok'], [unavailable]],
    [`GET ${API}/jwks`, ['keys'], []]
  ]
  for (const [name, members, codes] of rows) {
    const route = routes.get(name) as RouteOptions
    const answers = (route.schema?.response ?? {}) as Record<string, { properties: object }>
    t.same(Object.keys(answers[200]?.properties ?? {}), members, name)
    t.same(
      errorsOfRoute(route).map(({ code }) => code),
      codes,
      name
    )
  }
})

t.test('an application without signed tokens has none of their routes', async (t) => {
  const areas = { key: { pattern: '^/key', authenticators: ['apikey'] } }
  const { app, call } = await tokenApp({ areas })
  t.notOk(app.hasRoute({ method: 'POST', url: TOKEN }))
  t.notOk(app.hasRoute({ method: 'GET', url: `${API}/jwks` }))
  t.equal((await call('POST', TOKEN, alice)).status, 401, 'what is not there lies in our own zone')
  await t.rejects(app.tokens.issue({ identifier: 'alice' }), { code: 'SVC_SEC_NO_KEYS' })
})

function withoutDate({ date: _, ...headers }: Record<string, unknown>) {
  return headers
}
