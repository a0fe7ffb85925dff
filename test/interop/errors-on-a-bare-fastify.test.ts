/** Routes of ours on a bare Fastify, without the module loader: one error body, as with it. */
import { fastify as createFastify, type FastifyInstance } from 'fastify'
import svcAudit from 'svc-audit'
import svcSecurity from 'svc-security'
import { newStoredKey } from 'svc-security/host'
import t, { type Test } from 'tap'
import { AccountBook, CHEAP, PASSWORD } from '../support/account-app.ts'

const API = '/svc/security/api'

async function bare(t: Test): Promise<{ app: FastifyInstance; authorization: string }> {
  const app = createFastify()
  t.teardown(() => app.close())
  const users = new AccountBook()
  await users.add('root', PASSWORD, { roles: ['ROLE_SVC_ADMIN'] })
  await app.register(svcAudit)
  await app.register(svcSecurity, {
    areas: { svc: { pattern: '^/svc', authenticators: ['userpassword'] } },
    jwt: { keySetJson: JSON.stringify({ keys: [newStoredKey(0)] }) },
    passwords: CHEAP,
    parts: { users }
  })
  return { app, authorization: `Basic ${Buffer.from(`root:${PASSWORD}`).toString('base64')}` }
}

t.test('S11: a body that does not fit has its details', async (t) => {
  const { app } = await bare(t)
  for (const path of ['auth/login', 'token']) {
    const answer = await app.inject({ method: 'POST', url: `${API}/${path}`, payload: { username: 7 } })
    t.match(answer.json(), {
      statusCode: 400,
      code: 'SVC_HTTP_VALIDATION',
      message: 'the body is not valid',
      details: [{ path: '/password', message: 'is required' }, { path: '/username' }]
    })
  }
})

t.test('S11: an unknown query parameter has a stable code', async (t) => {
  const { app, authorization } = await bare(t)
  for (const path of ['audit/events', 'sessions']) {
    const answer = await app.inject({ url: `${API}/${path}?actr=alice`, headers: { authorization } })
    t.match(answer.json(), { statusCode: 400, code: 'SVC_HTTP_VALIDATION', details: [{ path: '/actr' }] }, path)
  }
})

t.test('S11: a handler of the application sees the same code, and 429 keeps Retry-After', async (t) => {
  const { app, authorization } = await bare(t)
  app.setErrorHandler((error: { code?: string; statusCode?: number }, _request, reply) =>
    reply.code(error.statusCode ?? 500).send({ mine: error.code })
  )
  const answer = await app.inject({ url: `${API}/sessions?actr=alice`, headers: { authorization } })
  t.strictSame(answer.json(), { mine: 'SVC_HTTP_VALIDATION' })
  const login = () =>
    app.inject({ method: 'POST', url: `${API}/auth/login`, payload: { username: 'eve', password: 'x' } })
  for (let time = 0; time < 4; time += 1) t.strictSame((await login()).json(), { mine: 'SVC_SEC_CREDENTIALS' })
  const late = await login()
  t.strictSame([late.statusCode, late.json()], [429, { mine: 'SVC_SEC_THROTTLED' }])
  t.ok(Number(late.headers['retry-after']) >= 1)
})
