/** Zones over HTTP: who is let in, as whom, and what the refusal looks like. */
import Fastify from 'fastify'
import { ANONYMOUS, ANONYMOUS_TOKEN, currentUser, guardHooks, LimitExceeded } from 'svc-kernel'
import t from 'tap'
import type { Area, Authenticator } from '../../src/index.ts'
import svcSecurity from '../../src/index.ts'
import { auditing } from '../support/auditing.ts'
import { echoRoute, requires, routeSecurity, securedApp } from '../support/guarded-app.ts'
import { logLines } from '../support/log-lines.ts'
import { rawRequest, rawUpgrade } from '../support/raw-request.ts'
import { aToken, HeaderAuthenticator } from '../support/tokens.ts'

const silent: Authenticator = {
  supports: ({ headers }) => 'x-silent' in headers,
  createToken: () => null,
  authenticate: () => aToken({ identifier: 'quiet' })
}

async function app(areas: Record<string, Area>, more: Record<string, Authenticator> = {}) {
  const authenticators = {
    key: new HeaderAuthenticator('key', 'apikey'),
    ticket: new HeaderAuthenticator('ticket', 'jwt'),
    silent,
    ...more
  }
  const fastify = await securedApp({ areas, parts: { authenticators } })
  echoRoute(fastify, '/api/me')
  echoRoute(fastify, '/api/admin', { requirement: requires('ROLE_ADMIN') })
  echoRoute(fastify, '/api/open', { anonymous: true })
  echoRoute(fastify, '/api/hook', { bypassFirewall: true, method: 'POST' })
  echoRoute(fastify, '/free')
  echoRoute(fastify, '/free/guarded', { requirement: requires('ROLE_ADMIN') })
  return fastify
}

const api = (authenticators: string[], mode: 'first' | 'all' = 'first') => ({
  api: { pattern: '^/api', authenticators, mode }
})

type Row = [
  title: string,
  areas: Record<string, Area>,
  url: string,
  headers: Record<string, string>,
  status: number,
  who?: string | null
]

const rows: Row[] = [
  ['no proof', api(['key']), '/api/me', {}, 401],
  ['a proof', api(['key']), '/api/me', { 'x-key': 'alice' }, 200, 'alice'],
  ['a bad proof', api(['key']), '/api/me', { 'x-key': 'bad' }, 401],
  ['a proof of another zone', api(['key']), '/api/me', { 'x-ticket': 'alice' }, 401],
  ['the second of two', api(['ticket', 'key']), '/api/me', { 'x-key': 'alice' }, 200, 'alice'],
  ['two proofs: the first declared', api(['ticket', 'key']), '/api/me', { 'x-key': 'a', 'x-ticket': 'b' }, 200, 'b'],
  [
    'a bad first is not rescued by a good second',
    api(['ticket', 'key']),
    '/api/me',
    { 'x-key': 'a', 'x-ticket': 'bad' },
    401
  ],
  ['anonymous', api(['key', 'anonymous']), '/api/me', {}, 200, 'anonymous'],
  ['anonymous beside a proof', api(['key', 'anonymous']), '/api/me', { 'x-key': 'alice' }, 200, 'alice'],
  ['a bad proof never degrades to anonymous', api(['key', 'anonymous']), '/api/me', { 'x-key': 'bad' }, 401],
  ['anonymous first identifies nobody', api(['anonymous', 'key']), '/api/me', { 'x-key': 'alice' }, 200, 'anonymous'],
  ['all: both', api(['key', 'ticket'], 'all'), '/api/me', { 'x-key': 'alice', 'x-ticket': 'alice' }, 200, 'alice'],
  ['all: one is missing', api(['key', 'ticket'], 'all'), '/api/me', { 'x-ticket': 'alice' }, 401],
  ['all: one is bad', api(['key', 'ticket'], 'all'), '/api/me', { 'x-key': 'alice', 'x-ticket': 'bad' }, 401],
  ['all: two subjects prove neither', api(['key', 'ticket'], 'all'), '/api/me', { 'x-key': 'a', 'x-ticket': 'b' }, 401],
  ['all with anonymous: two subjects', api(['key', 'anonymous'], 'all'), '/api/me', { 'x-key': 'a' }, 401],
  ['guard: no proof is 401 before 403', api(['key']), '/api/admin', {}, 401],
  ['guard: not permitted', api(['key']), '/api/admin', { 'x-key': 'alice:ROLE_USER' }, 403],
  ['guard: permitted', api(['key']), '/api/admin', { 'x-key': 'alice:ROLE_ADMIN' }, 200, 'alice'],
  ['guard: the anonymous visitor', api(['key', 'anonymous']), '/api/admin', {}, 403],
  ['@Anonymous skips authentication', api(['key']), '/api/open', {}, 200, 'anonymous'],
  ['@Anonymous ignores even a bad proof', api(['key']), '/api/open', { 'x-key': 'bad' }, 200, 'anonymous'],
  ['no zone: no identity', api(['key']), '/free', { 'x-key': 'alice' }, 200, null],
  ['no zone: guarded is closed', api(['key']), '/free/guarded', { 'x-key': 'alice:ROLE_ADMIN' }, 403],
  ['no zones at all', {}, '/api/me', {}, 200, null],
  ['unknown path inside', api(['key']), '/api/nothing', {}, 401],
  ['unknown path inside, with proof', api(['key']), '/api/nothing', { 'x-key': 'alice' }, 404],
  ['unknown path inside, anonymous admitted', api(['anonymous']), '/api/nothing', {}, 404],
  ['unknown path outside', api(['key']), '/nothing', {}, 404]
]

for (const [title, areas, url, headers, status, who] of rows) {
  t.test(`${title}: ${status}`, async (t) => {
    const fastify = await app(areas)
    t.teardown(() => fastify.close())
    const answer = await fastify.inject({ url, headers })
    t.equal(answer.statusCode, status)
    if (who !== undefined) t.equal(answer.json().who, who)
  })
}

t.test('mode all: the last token carries the identity', async (t) => {
  const fastify = await app(api(['key', 'ticket'], 'all'))
  t.teardown(() => fastify.close())
  const answer = await fastify.inject({ url: '/api/me', headers: { 'x-key': 'alice', 'x-ticket': 'alice' } })
  t.equal(answer.json().proof, 'jwt')
})

const challenges: Array<[authenticators: string[], challenge: string | undefined]> = [
  [['key'], 'x-key realm="test"'],
  [['silent'], undefined],
  [['silent', 'ticket', 'key'], 'x-ticket realm="test"']
]
for (const [authenticators, challenge] of challenges) {
  t.test(`the challenge of [${authenticators}]`, async (t) => {
    const fastify = await app(api(authenticators))
    t.teardown(() => fastify.close())
    const answer = await fastify.inject('/api/me')
    t.equal(answer.statusCode, 401)
    t.equal(answer.headers['www-authenticate'], challenge)
  })
}

t.test('every 401 has the same body', async (t) => {
  const fastify = await app(api(['key', 'ticket'], 'all'))
  t.teardown(() => fastify.close())
  const bodies = new Set<string>()
  for (const headers of [
    {},
    { 'x-key': 'bad' },
    { 'x-key': 'a', 'x-ticket': 'b' },
    { 'x-key': 'a', 'x-ticket': 'bad' }
  ]) {
    bodies.add((await fastify.inject({ url: '/api/me', headers })).body)
  }
  t.same(
    [...bodies],
    [
      JSON.stringify({
        statusCode: 401,
        code: 'SVC_SEC_UNAUTHENTICATED',
        error: 'Unauthorized',
        message: 'authentication required'
      })
    ]
  )
})

t.test("a bypassed route is none of the firewall's business", async (t) => {
  const fastify = await app(api(['key']))
  t.teardown(() => fastify.close())
  const answer = await fastify.inject({ url: '/api/hook', method: 'POST', headers: { 'x-key': 'bad' } })
  t.same([answer.statusCode, answer.json().who, answer.json().proof], [200, null, null])
})

t.test('the anonymous visitor is the shared frozen one', async (t) => {
  const fastify = await app(api(['key', 'anonymous']))
  t.teardown(() => fastify.close())
  const seen: unknown[] = []
  fastify.get('/api/seen', async (request) => void seen.push(request.user, request.token, currentUser()))
  await fastify.inject('/api/seen')
  t.equal(seen[0], ANONYMOUS)
  t.equal(seen[1], ANONYMOUS_TOKEN)
  t.equal(seen[2], ANONYMOUS)
})

t.test('two Authorization headers are ambiguous wherever a credential counts', async (t) => {
  const fastify = await app({ ...api(['key']), shop: { pattern: '^/shop', authenticators: ['anonymous'] } })
  echoRoute(fastify, '/shop')
  t.teardown(() => fastify.close())
  const records: unknown[] = []
  auditing(fastify, (event) => records.push(event))
  await fastify.listen({ port: 0, host: '127.0.0.1' })
  const twice = ['Authorization: Bearer a', 'authorization: Bearer b']
  const proof = 'x-key: alice'
  const asLong = ['x-as-long-one: a', 'x-as-long-one: b']
  for (const headers of [[twice[0] as string], [twice[0] as string, ...asLong]])
    t.equal((await rawRequest(fastify, '/api/me', { headers: [proof, ...headers] })).status, 200)
  const refused = await rawRequest(fastify, '/api/me', { headers: [proof, ...twice] })
  t.equal(refused.status, 401)
  t.match(refused.head, /www-authenticate: x-key/)
  t.match(records, [{ category: 'auth', action: 'auth.failure', reason: 'SVC_SEC_AMBIGUOUS' }])
  t.equal((await rawRequest(fastify, '/shop', { headers: twice })).status, 200)
  t.equal((await rawRequest(fastify, '/free', { headers: twice })).status, 200)
})

t.test('routes declared before the plugin, and in children, are held like the rest', async (t) => {
  const fastify = Fastify()
  fastify.get('/api/early', async (request) => request.user)
  fastify.register(async (scope) => void scope.get('/late', async (request) => request.user), { prefix: '/api' })
  fastify.register(svcSecurity, {
    areas: api(['key']),
    parts: { authenticators: { key: new HeaderAuthenticator('key') } }
  })
  t.teardown(() => fastify.close())
  for (const url of ['/api/early', '/api/late']) {
    t.equal((await fastify.inject(url)).statusCode, 401)
    t.equal((await fastify.inject({ url, headers: { 'x-key': 'alice' } })).json().identifier, 'alice')
  }
})

t.test('a refused caller is answered before the body is read', async (t) => {
  const fastify = await app(api(['key']))
  t.teardown(() => fastify.close())
  const schema = { body: { type: 'object', required: ['title'] } }
  const svc = routeSecurity({ requirement: requires('ROLE_ADMIN') })
  fastify.post('/api/articles', { schema, config: { svc }, ...guardHooks(requires('ROLE_ADMIN')) }, async () => 'made')
  const send = (headers: Record<string, string>, payload: string) =>
    fastify.inject({
      method: 'POST',
      url: '/api/articles',
      headers: { 'content-type': 'application/json', ...headers },
      payload
    })
  t.equal((await send({}, '{broken')).statusCode, 401)
  t.equal((await send({ 'x-key': 'alice' }, '{broken')).statusCode, 403)
  t.equal((await send({ 'x-key': 'alice' }, '{}')).statusCode, 403)
  t.equal((await send({ 'x-key': 'alice:ROLE_ADMIN' }, '{}')).statusCode, 400)
})

t.test('an error handler of the application keeps the challenge', async (t) => {
  const fastify = await securedApp({
    areas: api(['key']),
    parts: { authenticators: { key: new HeaderAuthenticator('key') } }
  })
  fastify.setErrorHandler((_error, _request, reply) => reply.code(401).send({ custom: true }))
  echoRoute(fastify, '/api/me')
  t.teardown(() => fastify.close())
  const answer = await fastify.inject('/api/me')
  t.equal(answer.headers['www-authenticate'], 'x-key realm="test"')
  t.same(answer.json(), { custom: true })
})

t.test('no residue on a kept connection: each request proves anew', async (t) => {
  const fastify = await app(api(['key', 'anonymous']))
  t.teardown(() => fastify.close())
  const base = await fastify.listen({ port: 0, host: '127.0.0.1' })
  const who = async (headers: Record<string, string>) =>
    ((await (await fetch(`${base}/api/me`, { headers })).json()) as { who: string }).who
  t.equal(await who({ 'x-key': 'alice' }), 'alice')
  t.equal(await who({}), 'anonymous')
  t.equal(await who({ 'x-key': 'bob' }), 'bob')
})

t.test('200 interleaved requests never see another identity', async (t) => {
  const slow: Authenticator<string> = {
    supports: async () => true,
    createToken: async ({ headers }) => String(headers['x-slow']),
    authenticate: async (identifier) => {
      for (let turns = Number(identifier) % 7; turns >= 0; turns -= 1) await new Promise(setImmediate)
      return aToken({ type: 'jwt', identifier })
    }
  }
  const fastify = await app(api(['slow']), { slow })
  fastify.get('/api/who', async (request) => {
    await new Promise(setImmediate)
    return [request.user?.identifier, request.token?.getUserIdentifier(), currentUser().identifier]
  })
  t.teardown(() => fastify.close())
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, n) => fastify.inject({ url: '/api/who', headers: { 'x-slow': `${n}` } }))
  )
  t.ok(answers.every((answer, n) => answer.body === JSON.stringify([`${n}`, `${n}`, `${n}`])))
})

t.test('logs never hold what was presented', async (t) => {
  const { lines, logger } = logLines('trace')
  const fastify = await securedApp(
    { areas: api(['key']), parts: { authenticators: { key: new HeaderAuthenticator('key') } } },
    { logger }
  )
  echoRoute(fastify, '/api/me')
  t.teardown(() => fastify.close())
  await fastify.inject({ url: '/api/me', headers: { 'x-key': 'bad:s3cr3t', authorization: 'Bearer t0k3n' } })
  t.ok(lines.some(({ msg }) => msg === 'authentication failed'))
  t.notMatch(JSON.stringify(lines), /s3cr3t|t0k3n/)
})

t.test('a scope that is older than the plugin: no identity is null there, too', async (t) => {
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  await fastify.register(async (scope) => {
    for (const url of ['/free/older', '/api/older']) {
      scope.post(url, async ({ user, token }) => ({ user, proof: token?.type ?? token }))
    }
    scope.post('/free/guarded', guardHooks(requires('ROLE_ADMIN')), () => 'never')
  })
  const key = new HeaderAuthenticator('key', 'apikey')
  await fastify.register(svcSecurity, { areas: api(['key']), parts: { authenticators: { key } } })
  const post = (url: string, headers = {}) =>
    fastify.inject({ method: 'POST', url, headers, payload: { some: 'body' } })
  t.strictSame((await post('/free/older')).json(), { user: null, proof: null })
  t.equal((await post('/free/guarded')).statusCode, 403)
  t.equal((await post('/api/older')).statusCode, 401)
  t.match((await post('/api/older', { 'x-key': 'ada' })).json(), { user: { identifier: 'ada' }, proof: 'apikey' })
})

t.test('a limit by address is asked before any proof, once; a refusal of it is the answer', async (t) => {
  const fastify = await app(api(['key']))
  t.teardown(() => fastify.close())
  let verdict: Error | null | Promise<Error | null> = null
  let asked = 0
  const arrive = () => {
    asked += 1
    return verdict
  }
  fastify.limitGate.use({ arrive, admit: () => null, message: () => null })
  const limits = { rate: '1/min', by: 'address' } as const
  fastify.get('/api/limited', { config: { limits } }, async ({ user }) => ({ who: user?.identifier }))
  await fastify.listen({ host: '127.0.0.1', port: 0 })
  const get = (key?: string) =>
    fastify.inject({ url: '/api/limited', headers: key === undefined ? {} : { 'x-key': key } })
  t.match((await get('ada')).json(), { who: 'ada' })
  t.equal((await get()).statusCode, 401, 'let through, and then without proof')
  t.equal(asked, 2)
  for (const refusal of [new LimitExceeded('7'), Promise.resolve(new LimitExceeded('7'))]) {
    verdict = refusal
    for (const key of ['ada', 'bad', undefined]) t.equal((await get(key)).statusCode, 429, `${key}`)
  }
  const upgrade = await rawUpgrade(fastify, '/api/limited', ['X-Key: ada'])
  t.match(upgrade, { status: 429, head: /\r\nconnection: close/i })
  t.equal((await fastify.inject({ url: '/api/me', headers: { 'x-key': 'ada' } })).statusCode, 200, 'others have none')
})
