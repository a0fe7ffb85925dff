/** Each change by an administrator has the gate before it, whatever zone it is called through; nothing is touched before. */
import Fastify from 'fastify'
import { ensureKernel } from 'svc-kernel'
import t from 'tap'
import { userFactorsRoutes } from '../../src/admin/user-factors.routes.ts'
import { userStateRoutes } from '../../src/admin/user-state.routes.ts'
import { usersRoutes } from '../../src/admin/users.routes.ts'
import { explainRoutes } from '../../src/explain/explain.routes.ts'
import { ADMIN, admitByHeader } from '../support/admitting.ts'

const API = '/svc/security/api'

t.test('the gate refuses each change', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  await ensureKernel(app)
  admitByHeader(app)
  const refuse = (_request: unknown, _reply: unknown, _payload: unknown, done: (error: Error) => void) =>
    done(Object.assign(new Error('the gate'), { statusCode: 418 }))
  const parts = { csrf: refuse, proof: null } as never
  usersRoutes(app, parts)
  userStateRoutes(app, parts)
  userFactorsRoutes(app, parts)
  explainRoutes(app, parts)
  for (const [method, path, payload] of [
    ['POST', '/users', { identifier: 'x', password: 'long enough' }],
    ['PUT', '/users/1/roles', { roles: [] }],
    ['POST', '/users/1/lock'],
    ['POST', '/users/1/unlock'],
    ['POST', '/users/1/disable'],
    ['POST', '/users/1/enable'],
    ['PUT', '/users/1/identifier', { identifier: 'x' }],
    ['DELETE', '/users/1'],
    ['POST', '/users/1/sessions/revoke'],
    ['DELETE', '/users/1/factors/totp'],
    ['DELETE', '/users/1/factors/passkeys/2'],
    ['POST', '/explain', { method: 'GET', path: '/' }]
  ] as const) {
    const more = payload === undefined ? {} : { payload }
    t.equal((await app.inject({ method, url: API + path, headers: ADMIN, ...more })).statusCode, 418, path)
    const plain = await app.inject({ method, url: API + path, headers: { 'x-role': 'ROLE_USER' }, ...more })
    t.equal(plain.statusCode, 403, `${path} by a user`)
  }
})
