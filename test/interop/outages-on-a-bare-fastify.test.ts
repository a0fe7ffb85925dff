/** A6: an outage on plain routes of a bare Fastify, behind a zone: one line of the log, and its cause is no answer. */
import { fastify as createFastify, type FastifyInstance } from 'fastify'
import svcSecurity, { registerAuthenticatorFactory } from 'svc-security'
import t, { type Test } from 'tap'
import { ERROR, logLines } from '../support/log-lines.ts'

let failure: Error = new Error('unset')

registerAuthenticatorFactory('directory', () => ({
  supports: () => true,
  createToken: () => ({}),
  authenticate: async () => {
    throw failure
  }
}))

function away(message: string): Error {
  return Object.assign(new Error(message), { statusCode: 503, headers: { 'retry-after': '7' } })
}

async function bare(t: Test) {
  const { lines, logger } = logLines()
  const app = createFastify({ logger }) as unknown as FastifyInstance
  t.teardown(() => app.close())
  await app.register(svcSecurity, { areas: { api: { pattern: '^/api', authenticators: ['directory'] } } })
  app.get('/api/plain', async () => 'never')
  app.get(
    '/api/own',
    { errorHandler: (_error, _request, reply) => reply.code(503).send({ mine: true }) },
    async () => ''
  )
  const failures = () => lines.filter(({ level, err }) => level >= ERROR && err !== undefined)
  return { app, lines, failures }
}

t.test('A6: fifty requests meet it, the log says it once, and nobody is told what is inside', async (t) => {
  failure = away('ldap.internal:389 refused')
  const { app, lines, failures } = await bare(t)
  for (let time = 0; time < 50; time += 1) {
    const answer = await app.inject('/api/plain')
    t.equal(answer.statusCode, 503)
    t.equal(answer.headers['retry-after'], '7')
    t.match(answer.json(), { statusCode: 503, code: 'SVC_SEC_UNAVAILABLE', error: 'Service Unavailable' })
    t.notMatch(answer.body, /ldap|internal:/)
  }
  t.equal((await app.inject('/api/unknown')).statusCode, 503, 'an unknown path of the zone too')
  t.equal(failures().length, 1, JSON.stringify(failures()))
  t.match(JSON.stringify(lines), /ldap\.internal:389 refused/, 'the log has the cause')
})

t.test('A6: another cause is another line', async (t) => {
  const { app, failures } = await bare(t)
  failure = away('ldap is away')
  await app.inject('/api/plain')
  failure = away('the certificate of ldap is over')
  await app.inject('/api/plain')
  await app.inject('/api/plain')
  t.equal(failures().length, 2)
})

t.test('A6: a handler of the application gets every one of them', async (t) => {
  failure = away('away')
  const { app } = await bare(t)
  for (let time = 0; time < 3; time += 1) t.strictSame((await app.inject('/api/own')).json(), { mine: true })
  const { app: other } = await bare(t)
  other.setErrorHandler((_error, _request, reply) => reply.code(503).send({ mine: 'all' }))
  for (let time = 0; time < 3; time += 1) t.strictSame((await other.inject('/api/plain')).json(), { mine: 'all' })
})
