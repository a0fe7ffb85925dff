/** Preflights that @fastify/cors turned away reach the audit. */
import Fastify, { type FastifyInstance, type FastifyPluginAsync } from 'fastify'
import { type AuditRecord, definePlugin } from 'svc-kernel'
import t, { type Test } from 'tap'
import { rejectedOrigin } from '../../src/cross-origin/cors.hook.ts'
import svcSecurity from '../../src/index.ts'
import { auditing } from '../support/auditing.ts'

const PAGE = 'https://page.example'

/** As @fastify/cors: it answers preflights before anybody else sees them. */
const cors = (allowed: string) =>
  definePlugin(
    async (app: FastifyInstance) => {
      app.addHook('onRequest', async (request, reply) => {
        if (request.method !== 'OPTIONS') return
        if (request.headers.origin === allowed) reply.header('access-control-allow-origin', allowed)
        return reply.code(204).send()
      })
    },
    { name: '@fastify/cors', optionsSchema: { type: 'object' } }
  )

async function preflights(t: Test, before: FastifyPluginAsync | null) {
  const app = Fastify()
  t.teardown(() => app.close())
  if (before !== null) await app.register(before)
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

t.test('what it did not allow is a rejection, what it allowed is none', async (t) => {
  const { ask } = await preflights(t, cors(PAGE))
  t.strictSame(await ask('/in/who', PAGE), { statusCode: 204, rejected: [] })
  t.match(await ask('/in/who', `https://evil.example\u0085`), {
    statusCode: 204,
    rejected: [{ category: 'cors', outcome: 'denied', actor: null, reason: 'https://evil.example\\u0085' }]
  })
})

t.test('other requests of a page are no preflights', async (t) => {
  const { app, records } = await preflights(t, cors(PAGE))
  await app.inject({ method: 'OPTIONS', url: '/open', headers: { origin: 'https://evil.example' } })
  await app.inject({ url: '/open', headers: { origin: PAGE, 'access-control-request-method': 'GET' } })
  t.strictSame(records, [])
})

t.test('where nothing allows pages of other origins, there is nothing to reject', async (t) => {
  const { ask } = await preflights(t, null)
  t.strictSame(await ask('/in/who', PAGE), { statusCode: 401, rejected: [] })
})

const preflight = { origin: PAGE, 'access-control-request-method': 'POST' }

const rows: ReadonlyArray<[title: string, headers: object, allowed: unknown, rejected: string | null]> = [
  ['nothing was allowed', preflight, undefined, PAGE],
  ['another origin was', preflight, 'https://other.example', PAGE],
  ['the header came twice', preflight, [PAGE, PAGE], PAGE],
  ['this origin was', preflight, PAGE, null],
  ['every origin was', preflight, '*', null],
  ['a sandboxed page, whose origin is a word', { ...preflight, origin: 'null' }, undefined, 'null'],
  ['no page asked', { 'access-control-request-method': 'POST' }, undefined, null],
  ['no preflight', { origin: PAGE }, undefined, null]
]

for (const [title, headers, allowed, rejected] of rows) {
  t.equal(rejectedOrigin(headers, allowed), rejected, title)
}
