/** Stand-ins for a firewall and a jury: a header names the roles, the engine asks for one of each clause. */
import type { FastifyInstance } from 'fastify'
import { createAccessToken, ensureKernel } from 'svc-kernel'

/** Call before the plugin is registered. `x-roles: ROLE_A,ROLE_B` makes a caller. */
export async function grantByHeader(fastify: FastifyInstance): Promise<void> {
  await ensureKernel(fastify)
  fastify.addHook('onRequest', async (request) => {
    const roles = request.headers['x-roles']
    if (typeof roles !== 'string') return
    request.token = createAccessToken({ type: 'session', user: { identifier: 'ann', roles: roles.split(',') } })
    request.user = request.token.user
  })
  fastify.accessGate.use({
    allows: ({ user }, requirement) =>
      requirement.every((clause) => clause.some(({ attribute }) => user.roles.includes(attribute)))
  })
}
