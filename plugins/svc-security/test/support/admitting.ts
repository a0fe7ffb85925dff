/** Lets `x-role: ROLE_A` in: an identity from a header, and an engine that compares roles. */
import type { FastifyInstance } from 'fastify'
import type { AccessEngine } from 'svc-kernel/plugin'
import { aToken } from './tokens.ts'

const engine: AccessEngine = {
  allows: (token, requirement) =>
    requirement.every((clause) => clause.some(({ attribute }) => token.user.roles.includes(attribute)))
}

export function admitByHeader(app: FastifyInstance): void {
  app.accessGate.use(engine)
  app.addHook('onRequest', (request, _reply, done) => {
    const role = request.headers['x-role']
    if (typeof role === 'string') request.token = aToken({ roles: [role] })
    done()
  })
}

export const ADMIN = { 'x-role': 'ROLE_SVC_ADMIN' }
