/**
 * Guards on the proof, by a table of credential, age, factors and requirement over HTTP: what suffices, what a caller is
 * asked to prove, and who is never asked.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { guardHooks, proofRequirement, type RequiredProof } from 'svc-kernel'
import t, { type Test } from 'tap'
import { sessionStore } from '../../src/sessions/session-store.ts'
import { codeOf, keptUsersApp, PASSWORD } from '../support/kept-users-app.ts'
import { Browser } from '../support/login-app.ts'
import { rawRequest } from '../support/raw-request.ts'
import { keySetJson } from '../support/token-app.ts'

const FOREVER = { session: { idleTimeoutS: 0, absoluteTimeoutS: 0 } }

/** `GET /in/<name>` for each requirement. */
const REQUIREMENTS: Readonly<Record<string, RequiredProof>> = {
  fresh: { maxAgeS: 300 },
  any: { factor: 'any' },
  totp: { factor: 'totp' },
  passkey: { factor: 'passkey' },
  both: { maxAgeS: 300, factor: 'any' },
  admitting: { maxAgeS: 300, machines: true }
}

type Credential = 'session' | 'jwt' | 'basic' | 'apikey' | 'unproven'

async function setUp(t: Test) {
  const made = await keptUsersApp(t, { ...FOREVER, jwt: { keySetJson, accessTtlS: 86_400 } })
  const { app, clock } = made
  for (const [name, proof] of Object.entries(REQUIREMENTS)) {
    app.get(`/in/${name}`, { config: { proof } }, async () => 'done')
  }
  app.get(
    '/in/admin',
    { ...guardHooks([[{ attribute: 'ROLE_SVC_ADMIN' }]]), config: { proof: { maxAgeS: 300 } } },
    async () => 'done'
  )
  const open = async (request: FastifyRequest, reply: FastifyReply) =>
    app.sessions.open(request, reply, 'alice', {}, String(request.headers['x-factors']).split(' '))
  app.post('/open', async (request, reply) => ({ opened: (await open(request, reply)).user }))
  /** Headers of a credential of alice's that was proven so long ago, by these factors. */
  const credentialOf = async (kind: Credential, ageS: number, factors: readonly string[]) => {
    const proven = { provenAt: clock.now(), factors }
    const headers = await headersOf(kind, proven)
    clock.advance(ageS * 1000)
    return headers
  }
  const headersOf = async (kind: Credential, proven: { provenAt: number; factors: readonly string[] }) => {
    const alice = { identifier: 'alice' }
    if (kind === 'jwt') return bearer((await app.tokens.issue(alice, { proven })).accessToken)
    if (kind === 'unproven') return bearer((await app.tokens.issue(alice)).accessToken)
    if (kind === 'apikey') return bearer((await app.tokens.apiKeys.create('alice', { name: 'ci' })).token)
    if (kind === 'basic') return { authorization: `Basic ${Buffer.from(`alice:${PASSWORD}`).toString('base64')}` }
    const browser = new Browser(app)
    await browser.call('POST', '/open', { headers: { 'x-factors': proven.factors.join(' ') } })
    return { cookie: `svc_session=${browser.session}` }
  }
  return { ...made, credentialOf }
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

const due = (more: object) => ({ statusCode: 403, code: 'SVC_SEC_PROOF_DUE', ...more })
const stepUp = (more: object) => ({ statusCode: 401, code: 'SVC_SEC_STEP_UP', ...more })
const PERSON = { statusCode: 403, code: 'SVC_SEC_PERSON' }
const ANY = { factors: ['totp', 'passkey'] }

/** `null`: the handler answers. */
const ROWS: ReadonlyArray<readonly [Credential, number, string, keyof typeof REQUIREMENTS, object | null]> = [
  ['session', 0, 'pwd', 'fresh', null],
  ['session', 300, 'pwd', 'fresh', null],
  ['session', 301, 'pwd', 'fresh', due({ maxAge: 300 })],
  ['session', 0, 'pwd', 'any', due(ANY)],
  ['session', 9999, 'pwd otp', 'any', null],
  ['session', 9999, 'pwd recovery', 'any', null],
  ['session', 0, 'social', 'any', due(ANY)],
  ['session', 0, 'pwd recovery', 'totp', due({ factors: ['totp'] })],
  ['session', 0, 'pwd otp', 'totp', null],
  ['session', 0, 'pwd otp', 'passkey', due({ factors: ['passkey'] })],
  ['session', 0, 'passkey', 'passkey', null],
  ['session', 0, 'passkey', 'both', null],
  ['session', 301, 'passkey', 'both', due({ maxAge: 300 })],
  ['session', 0, 'pwd', 'both', due(ANY)],
  ['session', 301, 'pwd', 'both', due({ maxAge: 300, ...ANY })],
  ['session', 301, 'pwd', 'admitting', due({ maxAge: 300 })],
  ['jwt', 300, 'pwd', 'fresh', null],
  ['jwt', 301, 'pwd', 'fresh', stepUp({ maxAge: 300 })],
  ['jwt', 301, 'pwd', 'admitting', stepUp({ maxAge: 300 })],
  ['jwt', 0, 'pwd', 'any', stepUp(ANY)],
  ['jwt', 9999, 'pwd otp', 'totp', null],
  ['jwt', 9999, 'pwd otp', 'both', stepUp({ maxAge: 300 })],
  ['jwt', 0, 'passkey', 'both', null],
  ['unproven', 0, '', 'fresh', stepUp({ maxAge: 300 })],
  ['unproven', 0, '', 'any', stepUp(ANY)],
  ['unproven', 0, '', 'admitting', null],
  ['basic', 9999, 'pwd', 'fresh', null],
  ['basic', 0, 'pwd', 'any', due(ANY)],
  ['apikey', 0, '', 'fresh', PERSON],
  ['apikey', 0, '', 'any', PERSON],
  ['apikey', 0, '', 'both', PERSON],
  ['apikey', 0, '', 'admitting', null]
]

t.test('credential, age, factors and requirement', async (t) => {
  const { app, credentialOf, records } = await setUp(t)
  for (const [kind, ageS, factors, name, refusal] of ROWS) {
    const headers = await credentialOf(kind, ageS, factors.split(' ').filter(Boolean))
    records.length = 0
    const what = `${kind}, ${ageS} s, ${factors || 'nothing'}, ${name}`
    const answer = await app.inject({ url: `/in/${name}`, headers })
    if (refusal === null) {
      t.equal(answer.body, 'done', what)
      continue
    }
    const { statusCode, code, maxAge, factors: asked } = answer.json()
    const expected = { maxAge: undefined, factors: undefined, ...refusal }
    t.strictSame({ statusCode, code, maxAge, factors: asked }, expected, what)
    t.equal(answer.headers['cache-control'], 'no-store', what)
    t.equal('www-authenticate' in answer.headers, statusCode === 401, what)
    const denied = { action: 'access.denied', outcome: 'denied', actor: 'alice', reason: 'veto' }
    t.match(records, [{ ...denied, metadata: { voter: 'proof', detail: String } }], `${what}: recorded once`)
  }
})

t.test('the challenge on the wire, and a body that is never read', async (t) => {
  const { app, credentialOf } = await setUp(t)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { authorization } = (await credentialOf('jwt', 301, ['pwd'])) as { authorization: string }
  const { status, head } = await rawRequest(app, '/in/both', { headers: [`Authorization: ${authorization}`] })
  t.equal(status, 401)
  const lines = head.split('\r\n').filter((line) => /^www-authenticate:/i.test(line))
  t.strictSame(
    lines.map((line) => line.slice(line.indexOf(': ') + 2)),
    [
      'Bearer error="insufficient_user_authentication", error_description="A more recent or a stronger authentication is required", max_age="300", acr_values="mfa"'
    ]
  )
})

t.test('whoever lacks a right is not asked to prove more', async (t) => {
  const { app, credentialOf } = await setUp(t)
  const old = await credentialOf('session', 301, ['pwd'])
  t.match((await app.inject({ url: '/in/admin', headers: old })).json(), { code: 'SVC_SEC_DENIED' })
  const key = await credentialOf('apikey', 0, [])
  t.match((await app.inject({ url: '/in/admin', headers: key })).json(), { code: 'SVC_SEC_DENIED' })
  await app.userAccounts.setRoles('alice', ['ROLE_SVC_ADMIN'])
  t.match((await app.inject({ url: '/in/admin', headers: old })).json(), due({ maxAge: 300 }))
  t.match((await app.inject({ url: '/in/fresh' })).json(), { statusCode: 401, code: 'SVC_SEC_UNAUTHENTICATED' })
})

for (const later of [false, true]) {
  const when = later ? 'later' : 'at once'
  t.test(`the order of clauses does not matter, and no voter that grants ${when} outvotes a proof`, async (t) => {
    const vote = later ? async () => 'GRANT' as const : () => 'GRANT' as const
    const made = await keptUsersApp(t, FOREVER, {
      voters: [{ name: 'generous', supports: (name) => name !== 'no', vote }]
    })
    const { app, clock } = made
    const fresh = proofRequirement({ maxAgeS: 300 })
    app.get('/in/first', guardHooks([...fresh, [{ attribute: 'ROLE_NONE' }]]), async () => 'done')
    app.get('/in/denied', guardHooks([...fresh, [{ attribute: 'no' }]]), async () => 'done')
    app.get(
      '/in/either',
      guardHooks([[{ attribute: 'FRESH(300)' }, { attribute: 'FACTOR(totp)' }]]),
      async () => 'done'
    )
    app.get('/in/any', guardHooks([[{ attribute: 'FRESH(300)' }, { attribute: 'ROLE_NONE' }]]), async () => 'done')
    const alice = await made.browserOf('alice')
    t.equal((await alice.call('GET', '/in/first')).body, 'done')
    clock.advance(300_001)
    t.match((await alice.call('GET', '/in/first')).json(), due({ maxAge: 300 }))
    t.match((await alice.call('GET', '/in/denied')).json(), { code: 'SVC_SEC_DENIED' })
    t.match((await alice.call('GET', '/in/either')).json(), due({ maxAge: 300, factors: ['totp'] }), 'one is enough')
    t.equal((await alice.call('GET', '/in/any')).body, 'done', 'and so is a right in its place')
  })
}

t.test('a confirmation ends it, for as long as it says', async (t) => {
  const { clock, browserOf } = await setUp(t)
  const alice = await browserOf('alice')
  clock.advance(301_000)
  t.match((await alice.call('GET', '/in/fresh')).json(), due({ maxAge: 300 }))
  t.equal((await alice.change('POST', '/auth/confirm', { password: PASSWORD })).statusCode, 200)
  t.equal((await alice.call('GET', '/in/fresh')).body, 'done')
  const secret = await alice.enrolCodes(clock)
  t.equal((await alice.call('GET', '/in/totp')).body, 'done', 'the code of the enrolment is shown')
  clock.advance(301_000)
  t.match((await alice.call('GET', '/in/both')).json(), due({ maxAge: 300 }))
  t.equal((await alice.change('POST', '/auth/confirm/totp', { code: codeOf(secret, clock) })).statusCode, 200)
  t.equal((await alice.call('GET', '/in/both')).body, 'done')
  clock.advance(300_001)
  t.match((await alice.call('GET', '/in/both')).json(), due({ maxAge: 300 }), 'a factor stays shown')
})

t.test('a session whose record is damaged proves nothing', async (t) => {
  const { app, browserOf } = await setUp(t)
  const alice = await browserOf('alice')
  const store = app.stores.select(sessionStore, 'auto').store
  const { items } = await app.sessions.list({ user: 'alice' }, { limit: 1 })
  const ref = items[0]?.id ?? ''
  for (const proof of [
    null,
    '',
    'now pwd',
    '-1 pwd',
    1_700_000_000_000,
    '99999999999999999 otp',
    '1700000000000  otp',
    ['otp']
  ]) {
    await store?.update(ref, { meta: { proof } as never })
    t.match((await alice.call('GET', '/in/fresh')).json(), due({ maxAge: 300 }), JSON.stringify(proof))
    t.match((await alice.call('GET', '/in/any')).json(), due(ANY), JSON.stringify(proof))
  }
  await store?.update(ref, { meta: { proof: '9999999999999 otp' } })
  t.match((await alice.call('GET', '/in/fresh')).json(), due({ maxAge: 300 }), 'a time that is still to come')
  t.equal((await alice.call('GET', '/in/any')).body, 'done')
})

t.test('a demand that says nothing ends the declaration of its route', async (t) => {
  const { app } = await keptUsersApp(t)
  t.throws(() => app.get('/in/none', { config: { proof: {} } }, async () => 'done'), { code: 'SVC_KERNEL_PROOF' })
})

t.test('a refreshed token keeps age and factors, also from the store of an older version', async (t) => {
  const { app, clock } = await setUp(t)
  const alice = { identifier: 'alice' }
  const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
  const rows: ReadonlyArray<readonly [readonly string[], string | undefined]> = [
    [['pwd'], 'pwd'],
    [['pwd', 'otp'], 'totp'],
    [['pwd', 'recovery'], 'mfa'],
    [['passkey'], 'passkey'],
    [['social'], undefined],
    [[], undefined]
  ]
  for (const [factors, acr] of rows) {
    const provenAt = clock.now() - 5500
    const first = await app.tokens.issue(alice, { proven: { provenAt, factors } })
    clock.advance(60_000)
    const next = await app.tokens.refresh((await app.tokens.refresh(first.refreshToken)).refreshToken)
    for (const { accessToken } of [first, next]) {
      const { auth_time, amr = [], acr: level } = claimsOf(accessToken)
      t.equal(auth_time, Math.floor(provenAt / 1000), `${factors}`)
      t.strictSame(
        amr.filter((name: string) => name !== 'mfa'),
        factors
      )
      t.equal(level, acr, `${factors}`)
    }
  }
  const hostile = await app.tokens.issue(alice, { proven: { provenAt: clock.now(), factors: ['pwd otp', ''] } })
  t.notOk('amr' in claimsOf(hostile.accessToken), 'a name with a blank is none')
  const none = await app.tokens.refresh((await app.tokens.issue(alice)).refreshToken)
  t.notOk('auth_time' in claimsOf(none.accessToken))
})
