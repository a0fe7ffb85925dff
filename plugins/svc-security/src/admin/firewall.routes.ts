/** Views of the firewall map and of the roles, for administrators. */
import type { FastifyInstance } from 'fastify'
import { adminRoute } from '../api/admin-route.ts'
import { SECURITY_API } from '../api/public-route.ts'
import type { Firewall } from '../authentication/firewall.ts'
import { firewallSchema, rolesSchema } from './admin-schemas.ts'
import { firewallView, rolesView } from './firewall-view.ts'

export interface FirewallViews {
  readonly firewall: Pick<Firewall, 'zones' | 'report'>
  readonly roleHierarchy: Readonly<Record<string, readonly string[]>>
}

export function firewallRoutes(fastify: FastifyInstance, { firewall, roleHierarchy }: FirewallViews): void {
  fastify.get(
    `${SECURITY_API}/firewall`,
    { ...adminRoute('svc.firewall'), schema: { response: firewallSchema } },
    async (_request, reply) => {
      reply.header('cache-control', 'no-store')
      return firewallView(firewall)
    }
  )

  fastify.get(
    `${SECURITY_API}/roles`,
    { ...adminRoute('svc.roles'), schema: { response: rolesSchema } },
    async (_request, reply) => {
      reply.header('cache-control', 'no-store')
      return rolesView(roleHierarchy)
    }
  )
}
