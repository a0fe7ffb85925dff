/** What the firewall and the jury refuse arrives in the audit journal, whole and by its place in the catalogue. */
import Fastify from 'fastify'
import svcAudit from 'svc-audit'
import { type AccessToken, guardHooks } from 'svc-kernel'
import svcSecurity from 'svc-security'
import t from 'tap'

const badge = {
  carrier: 'header' as const,
  supports: ({ headers }: { headers: Record<string, unknown> }) => headers['x-badge'] !== undefined,
  createToken: ({ headers }: { headers: Record<string, unknown> }) => headers['x-badge'],
  authenticate(given: unknown) {
    if (given !== '007') throw new Error('no such badge')
    return { type: 'badge', user: { identifier: 'james', roles: ['ROLE_AGENT'] } } as unknown as AccessToken
  }
}

async function secured(silent: boolean) {
  const fastify = Fastify()
  if (!silent) await fastify.register(svcAudit)
  await fastify.register(svcSecurity, {
    areas: { all: { pattern: '^/', authenticators: ['badge'] } },
    parts: { authenticators: { badge } }
  })
  fastify.get('/vault', guardHooks([[{ attribute: 'ROLE_M' }]]), async () => 'secret')
  await fastify.ready()
  return fastify
}

t.test('a denial of the jury', async (t) => {
  const fastify = await secured(false)
  t.teardown(() => fastify.close())
  const response = await fastify.inject({ url: '/vault', headers: { 'x-badge': '007', 'user-agent': 'a\tb' } })
  t.equal(response.statusCode, 403)
  t.match(fastify.audit.recent(5), [
    {
      category: 'authz',
      action: 'access.denied',
      outcome: 'denied',
      actor: 'james',
      resource: 'ROLE_M',
      reason: 'abstain',
      ip: '127.0.0.1'
    }
  ])
  t.notMatch(fastify.audit.recent(1)[0]?.userAgent, /\t/)
})

t.test('a credential that does not hold', async (t) => {
  const fastify = await secured(false)
  t.teardown(() => fastify.close())
  t.equal((await fastify.inject({ url: '/vault', headers: { 'x-badge': '008' } })).statusCode, 401)
  t.match(fastify.audit.recent(5), [{ category: 'auth', action: 'auth.failure', outcome: 'failure' }])
})

t.test("the listing is an administrator's, also with a firewall", async (t) => {
  const fastify = await secured(false)
  t.teardown(() => fastify.close())
  const url = '/svc/security/api/audit/events'
  t.equal((await fastify.inject(url)).statusCode, 401)
  t.equal((await fastify.inject({ url, headers: { 'x-badge': '007' } })).statusCode, 403)
})

t.test('without the journal the answers are the same', async (t) => {
  const fastify = await secured(true)
  t.teardown(() => fastify.close())
  t.equal((await fastify.inject({ url: '/vault', headers: { 'x-badge': '007' } })).statusCode, 403)
})

t.test('refusals that one address repeats are counted, whatever was refused', async (t) => {
  const fastify = await secured(false)
  t.teardown(() => fastify.close())
  for (let time = 0; time < 30; time += 1) {
    t.equal((await fastify.inject({ url: '/vault', headers: { 'x-badge': '007' } })).statusCode, 403)
    t.equal((await fastify.inject('/vault')).statusCode, 401)
    t.equal((await fastify.inject({ url: '/vault', headers: { 'x-badge': '008' } })).statusCode, 401)
  }
  const all = fastify.audit.recent(1000)
  for (const [action, metadata] of [
    ['access.denied', { voter: null, detail: null, count: 11 }],
    ['auth.denied', { zone: 'all', count: 11 }],
    ['auth.failure', { zone: 'all', authenticator: 'badge', count: 11 }]
  ] as const) {
    const found = all.filter((event) => event.action === action)
    t.equal(found.length, 20, action)
    t.match(found[0]?.metadata, metadata, action)
  }
})
