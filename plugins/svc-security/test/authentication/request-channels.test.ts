/** What the firewall and the guards tell of a request to who watches: each end of an admission, each decision, and nothing unasked. */
import { type Admission, type Decision, requestChannels } from 'svc-kernel'
import t from 'tap'
import { echoRoute, requires, securedApp } from '../support/guarded-app.ts'
import { HeaderAuthenticator } from '../support/tokens.ts'

const URLS: readonly (readonly [
  url: string,
  key: string | null,
  admission: Partial<Admission>,
  decision: boolean | null
])[] = [
  [
    '/api/me',
    'alice',
    { zone: 'api', authenticator: 'key', outcome: 'accepted', tokenType: 'apikey', reason: null },
    null
  ],
  [
    '/api/me',
    null,
    { zone: 'api', authenticator: null, outcome: 'unclaimed', tokenType: null, reason: 'no_proof' },
    null
  ],
  ['/api/me', 'bad', { zone: 'api', authenticator: 'key', outcome: 'refused', tokenType: null }, null],
  ['/open/me', null, { zone: 'open', authenticator: 'anonymous', outcome: 'accepted', tokenType: 'anonymous' }, null],
  ['/api/admin', 'alice', { outcome: 'accepted' }, false],
  ['/api/user', 'alice:ROLE_USER', { outcome: 'accepted' }, true]
]

t.test('admissions and decisions are published while somebody listens', async (t) => {
  const fastify = await securedApp({
    areas: {
      api: { pattern: '^/api', authenticators: ['key'] },
      open: { pattern: '^/open', authenticators: ['anonymous'] }
    },
    parts: { authenticators: { key: new HeaderAuthenticator('key', 'apikey') } }
  })
  t.teardown(() => fastify.close())
  echoRoute(fastify, '/api/me')
  echoRoute(fastify, '/open/me')
  echoRoute(fastify, '/api/admin', { requirement: requires('ROLE_ADMIN') })
  echoRoute(fastify, '/api/user', { requirement: requires('ROLE_USER') })
  echoRoute(fastify, '/elsewhere', { requirement: requires('ROLE_USER') })
  const admissions: Omit<Admission, 'request'>[] = []
  const decisions: Omit<Decision, 'request'>[] = []
  const ends = [
    requestChannels.admission.subscribe(({ request: _, ...told }) => admissions.push(told)),
    requestChannels.decision.subscribe(({ request: _, ...told }) => decisions.push(told))
  ]
  for (const [url, key, admission, granted] of URLS) {
    admissions.length = 0
    decisions.length = 0
    await fastify.inject({ url, headers: key === null ? {} : { 'x-key': key } })
    t.match(admissions, [admission], `${url} of ${key}`)
    t.equal(admissions.length, 1)
    t.match(decisions, granted === null ? [] : [{ granted }])
    t.equal(decisions.length, granted === null ? 0 : 1)
    if (granted !== null) t.ok((decisions[0]?.votes.length ?? 0) > 0, 'with its votes')
    if (granted === false) t.ok(decisions[0]?.reason, 'with a reason')
  }
  admissions.length = 0
  decisions.length = 0
  await fastify.inject({ url: '/elsewhere' })
  t.strictSame(admissions, [], 'outside of zones nobody is asked for proof')
  t.match(decisions, [{ granted: false, reason: 'no-identity', votes: [] }])
  for (const end of ends) end()
  admissions.length = 0
  await fastify.inject({ url: '/api/me' })
  t.equal(admissions.length, 0, 'nobody listens any more')
})
