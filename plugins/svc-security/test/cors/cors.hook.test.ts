/** Preflights that were turned away reach the audit, whether or not anybody answers preflights here. */
import Fastify, { type FastifyInstance } from 'fastify'
import type { AuditRecord } from 'svc-kernel'
import t, { type Test } from 'tap'
import svcSecurity from '../../src/index.ts'
import { auditing } from '../support/auditing.ts'

const PAGE = 'https://page.example'

/** A module as @fastify/cors is: it answers preflights of one origin before anybody else sees them. */
function allowing(app: FastifyInstance, allowed: string): void {
  app.addHook('onRequest', async (request, reply) => {
    if (request.method !== 'OPTIONS') return
    if (request.headers.origin === allowed) reply.header('access-control-allow-origin', allowed)
    return reply.code(204).send()
  })
}

async function preflights(t: Test, prepare: (app: FastifyInstance) => void = () => undefined) {
  const app = Fastify()
  t.teardown(() => app.close())
  prepare(app)
  await app.register(svcSecurity, { areas: { in: { pattern: '^/in', authenticators: ['session'] } } })
  app.get('/in/who', async () => 'me')
  const records: AuditRecord[] = []
  auditing(app, (event) => records.push(event))
  const ask = async (url: string, origin: string) => {
    const headers = { origin, 'access-control-request-method': 'GET' }
    const { statusCode } = await app.inject({ method: 'OPTIONS', url, headers })
    return { statusCode, rejected: records.filter(({ action }) => action === 'cors.rejected') }
  }
  return { app, records, ask }
}

t.test('nobody answers preflights: each one is a rejection', async (t) => {
  const { ask } = await preflights(t)
  t.match(await ask('/in/who', PAGE), {
    statusCode: 401,
    rejected: [{ category: 'cors', outcome: 'denied', actor: null, reason: PAGE }]
  })
  t.match(await ask('/open', `${PAGE}\u0085`), { statusCode: 404, rejected: [{}, { reason: `${PAGE}\\u0085` }] })
})

t.test('what a module before this one allowed is none', async (t) => {
  const { ask } = await preflights(t, (app) => allowing(app, PAGE))
  t.strictSame(await ask('/in/who', PAGE), { statusCode: 204, rejected: [] })
  t.match(await ask('/in/who', 'https://evil.example'), {
    statusCode: 204,
    rejected: [{ reason: 'https://evil.example' }]
  })
})

t.test('other requests of a page are no preflights', async (t) => {
  const { app, records } = await preflights(t)
  await app.inject({ method: 'OPTIONS', url: '/open', headers: { origin: PAGE } })
  await app.inject({ url: '/open', headers: { origin: PAGE, 'access-control-request-method': 'GET' } })
  t.strictSame(records, [])
})
