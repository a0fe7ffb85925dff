/** The run of a job: it has the identity that was carried to it, and no more than that identity may now. */
import Fastify, { type FastifyRequest } from 'fastify'
import { type AuditRecord, createAccessToken } from 'svc-kernel'
import { type CarriedIdentity, markOperation, OperationRun } from 'svc-kernel/plugin'
import t, { type Test } from 'tap'
import svcSecurity from '../../src/index.ts'
import { auditing } from '../support/auditing.ts'
import { echoRoute } from '../support/guarded-app.ts'
import { HeaderAuthenticator } from '../support/tokens.ts'

interface Person {
  readonly identifier: string
  readonly roles: readonly string[]
  readonly locked?: boolean
  readonly enabled?: boolean
}

const ALICE: CarriedIdentity = {
  user: 'alice',
  roles: ['ROLE_USER'],
  zone: 'home',
  token: { type: 'key' },
  proof: { carrier: 'header', ambient: false, subject: 'machine' }
}

/** An application that looks people up, or has no accounts. Runs are made by `x-run`. */
async function opened(t: Test, people: Readonly<Record<string, Person>> | null) {
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  const records: AuditRecord[] = []
  auditing(fastify, (event) => void records.push(event))
  let identity: CarriedIdentity | null = null
  let down = false
  fastify.addHook('onRequest', async (request) => {
    const { log } = request
    const cause = { user: null, token: null, requestId: 'req-of-cause', job: null }
    const signal = new AbortController().signal
    const job = { id: 'job', name: 'job', attempt: 1, addedAt: 1, cause, signal, log }
    if (request.headers['x-run'] !== undefined) markOperation(request.raw, new OperationRun(job, {}, identity))
  })
  const findByIdentifier = async (name: string) => {
    if (down) throw new Error('the store is away')
    return people?.[name]
  }
  await fastify.register(svcSecurity, {
    areas: {
      home: { pattern: '^/home', authenticators: ['key'] },
      same: { pattern: '^/same', authenticators: ['key'] },
      other: { pattern: '^/other', authenticators: ['badge'] },
      both: { pattern: '^/both', authenticators: ['key', 'badge'], mode: 'all' },
      open: { pattern: '^/open', authenticators: ['key', 'anonymous'] },
      ...(people !== null && { keys: { pattern: '^/keys', authenticators: ['apikey'] } })
    },
    roleHierarchy: { ROLE_ADMIN: ['ROLE_USER', 'ROLE_MAIL'] },
    parts: {
      authenticators: { key: new HeaderAuthenticator('key'), badge: new HeaderAuthenticator('badge') },
      ...(people === null ? {} : { users: { findByIdentifier } })
    }
  })
  for (const url of ['/home', '/same', '/other', '/both', '/open']) echoRoute(fastify, url)
  fastify.get('/home/roles', async ({ token, id }) => ({ roles: token?.user.roles, proof: token?.proof.subject, id }))
  await fastify.ready()
  const run = async (url: string, as: CarriedIdentity | null) => {
    identity = as
    return fastify.inject({ url, headers: { 'x-run': 'yes', 'x-key': 'mallory', 'x-badge': 'mallory' } })
  }
  const away = () => {
    down = true
  }
  return { fastify, records, run, away }
}

t.test('a run has the identity that it carries, where the zone takes what proved it', async (t) => {
  const { run, records } = await opened(t, { alice: { identifier: 'alice', roles: ['ROLE_USER'] } })
  const rows: ReadonlyArray<readonly [url: string, CarriedIdentity | null, status: number, who: string | null]> = [
    ['/home', ALICE, 200, 'alice'],
    ['/same', ALICE, 200, 'alice'],
    ['/other', ALICE, 401, null],
    ['/both', ALICE, 401, null],
    ['/other', { ...ALICE, zone: null }, 200, 'alice'],
    ['/home', { ...ALICE, zone: 'a zone of before' }, 401, null],
    ['/same', { ...ALICE, token: { type: 'unheard' } }, 401, null],
    ['/home', null, 401, null],
    ['/open', null, 200, 'anonymous']
  ]
  for (const [url, identity, status, who] of rows) {
    const answer = await run(url, identity)
    t.equal(answer.statusCode, status, url)
    if (status === 200) t.equal(answer.json().who, who)
  }
  t.ok(records.every(({ action, requestId }) => action === 'auth.failure' && requestId === 'req-of-cause'))
  t.equal(records.length, 5)
})

t.test('whom nobody finds, and who may not act, is refused; without accounts everybody is', async (t) => {
  const people = {
    alice: { identifier: 'alice', roles: [], locked: true },
    bob: { identifier: 'bob', roles: [], enabled: false },
    carol: { identifier: 'carol', roles: [] }
  }
  const { run, records, away } = await opened(t, people)
  for (const [user, reason] of [
    ['alice', 'the user alice is locked'],
    ['bob', 'the user bob is disabled'],
    ['dave', 'there is no user dave']
  ] as const) {
    t.match((await run('/home', { ...ALICE, user })).json(), { code: 'SVC_SEC_JOB_IDENTITY', message: reason })
  }
  t.equal((await run('/home', { ...ALICE, user: 'carol' })).statusCode, 200)
  away()
  t.equal((await run('/home', { ...ALICE, user: 'carol' })).statusCode, 503)
  t.equal(records.length, 4)
  const none = await opened(t, null)
  t.match((await none.run('/home', ALICE)).json(), { message: /no accounts to look alice up in/ })
})

t.test('roles are those that it had and has, by the hierarchy', async (t) => {
  const rows: ReadonlyArray<readonly [then: readonly string[] | null, now: string[], both: string[]]> = [
    [['ROLE_USER'], ['ROLE_USER'], ['ROLE_USER']],
    [
      ['ROLE_USER', 'ROLE_MAIL'],
      ['ROLE_MAIL', 'ROLE_USER'],
      ['ROLE_MAIL', 'ROLE_USER']
    ],
    [['ROLE_ADMIN'], ['ROLE_USER'], ['ROLE_USER']],
    [['ROLE_USER'], ['ROLE_ADMIN'], ['ROLE_USER']],
    [['ROLE_GOD'], ['ROLE_USER'], []],
    [null, ['ROLE_MAIL'], ['ROLE_MAIL']]
  ]
  for (const [roles, now, both] of rows) {
    const { run } = await opened(t, { alice: { identifier: 'alice', roles: now } })
    const answer = (await run('/home/roles', { ...ALICE, roles })).json()
    t.strictSame(answer, { roles: both, proof: 'machine', id: 'req-of-cause' })
  }
})

t.test('what was revoked holds no more', async (t) => {
  const { fastify, run } = await opened(t, { alice: { identifier: 'alice', roles: [] } })
  t.equal((await run('/home', { ...ALICE, token: { type: 'apikey', apiKeyId: 'gone' }, zone: null })).statusCode, 401)
  await fastify.tokens.revokeSubject('alice')
  t.match((await run('/home', ALICE)).json(), { message: 'what proved alice was revoked' })
  const later = { ...ALICE, token: { type: 'key', issuedAt: Date.now() + 60_000 } }
  t.equal((await run('/home', later)).statusCode, 200)
})

t.test('a request is carried with its token, without what proved it, and not where that is too large', async (t) => {
  const { fastify } = await opened(t, {})
  const carry = (token: FastifyRequest['token'], url = '/home') =>
    fastify.jobOperations.carry({ token, raw: { url }, routeOptions: { config: { url } } } as never)
  t.equal(carry(null), null)
  const token = createAccessToken({ type: 'key', user: { identifier: 'alice', roles: ['ROLE_USER'] }, team: 'red' })
  t.match(carry(token), { user: 'alice', roles: ['ROLE_USER'], zone: 'home', token: { type: 'key', team: 'red' } })
  t.match(carry(token, '/nowhere'), { zone: '' })
  t.match(
    fastify.jobOperations.carry({ token, raw: { url: '/open/x' }, routeOptions: { config: {} } } as never),
    { zone: 'open' },
    'a request that no route matches is in the zone of its path'
  )
  const large = createAccessToken({ type: 'key', user: { identifier: 'alice' }, claims: 'x'.repeat(9000) })
  t.throws(() => carry(large), { code: 'SVC_SEC_CARRIED' })
})

t.test('a guarded job without accounts is a warning of the boot', async (t) => {
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  await fastify.register(svcSecurity, { areas: { all: { pattern: '^/', authenticators: ['anonymous'] } } })
  for (const [name, requirement] of [
    ['guarded', [[{ attribute: 'ROLE_USER' }]]],
    ['open', null]
  ] as const) {
    const svc = { name, requirement, anonymous: false, bypassFirewall: false, transports: ['JOB'], source: 'a.ts:1' }
    fastify.post(`/${name}`, { config: { svc: svc as never } }, async () => undefined)
  }
  await fastify.ready()
  const found = fastify.bootWarnings.filter(({ code }) => code === 'SVC_SEC_JOB_ACCOUNTS')
  t.match(found, [{ message: /^guarded has a guard/, at: 'a.ts:1' }])
  t.equal(found.length, 1)
})
