/** `GET /svc/ops/health`, for balancers, which prove nothing: one word, and nothing of the inside. */
import type { FastifyInstance } from 'fastify'
import type { RouteSecurity } from 'svc-kernel'
import type { HealthChecks } from './health-checks.ts'

export const HEALTH_PATH = '/svc/ops/health'

const security: RouteSecurity = {
  name: 'svc.ops.health',
  requirement: null,
  anonymous: false,
  bypassFirewall: true,
  transports: ['HTTP'],
  source: null
}

const answer = { type: 'object', properties: { status: { type: 'string' } } } as const

export function healthRoutes(fastify: FastifyInstance, checks: HealthChecks): void {
  fastify.get(
    HEALTH_PATH,
    { config: { svc: security }, schema: { response: { 200: answer, 503: answer } } },
    async (_request, reply) => {
      const healthy = await checks.healthy()
      reply.code(healthy ? 200 : 503).header('cache-control', 'no-store')
      return { status: healthy ? 'ok' : 'failing' }
    }
  )
}
