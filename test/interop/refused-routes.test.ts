/** Which page was refused: the journal names method and template, and nothing that a caller put into the URL. */
import Fastify from 'fastify'
import svcAudit from 'svc-audit'
import { type AccessToken, guardHooks } from 'svc-kernel'
import svcSecurity from 'svc-security'
import t from 'tap'

const badge = {
  supports: ({ headers }: { headers: Record<string, unknown> }) => headers['x-badge'] !== undefined,
  createToken: ({ headers }: { headers: Record<string, unknown> }) => headers['x-badge'],
  authenticate(given: unknown) {
    if (given !== '007') throw new Error('no such badge')
    return { type: 'badge', user: { identifier: 'james', roles: ['ROLE_AGENT'] } } as unknown as AccessToken
  }
}

t.test('Q2: a refusal names its method and the template of its route, never the URL', async (t) => {
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  await fastify.register(svcAudit)
  await fastify.register(svcSecurity, {
    areas: { all: { pattern: '^/', authenticators: ['badge'] } },
    parts: { authenticators: { badge } }
  })
  fastify.put('/patients/:id/file', guardHooks([[{ attribute: 'ROLE_M' }]]), async () => 'secret')
  fastify.get('/asked', async (request) => ({ may: await fastify.jury.decide(request.token, 'ROLE_M') }))
  const rows: [method: 'PUT' | 'GET', url: string, badge: string | null, action: string, route: string | null][] = [
    ['PUT', '/patients/hunter2/file?token=hunter2', '007', 'access.denied', '/patients/:id/file'],
    ['PUT', '/patients/hunter2/file?token=hunter2', '008', 'auth.failure', '/patients/:id/file'],
    ['PUT', '/patients/hunter2/file?token=hunter2', null, 'auth.denied', '/patients/:id/file'],
    ['GET', '/asked?token=hunter2', '007', 'access.denied', '/asked'],
    ['GET', '/nowhere/hunter2', null, 'auth.denied', null]
  ]
  for (const [method, url, number, action, route] of rows) {
    await fastify.inject({ method, url, headers: number === null ? {} : { 'x-badge': number } })
    const [event] = fastify.audit.recent(1)
    t.match(event, { action, metadata: { method, route } }, `${method} ${url} ${number}`)
    t.notMatch(JSON.stringify(event), /hunter2/)
  }
})
