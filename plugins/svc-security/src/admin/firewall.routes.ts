/** Views of the firewall map and of the roles, for administrators. */
import type { FastifyInstance } from 'fastify'
import { adminRoute, describeRequirement } from 'svc-kernel/plugin'
import { firewall as firewallAnswer, roles as rolesAnswer } from '../api/answers.ts'
import { noStore, SECURITY_API } from '../api/security-api.ts'
import type { Firewall } from '../authentication/firewall.ts'
import { RoleHierarchy } from '../authorization/role-hierarchy.ts'

export interface FirewallViews {
  readonly firewall: Pick<Firewall, 'zones' | 'report'>
  readonly roleHierarchy: Readonly<Record<string, readonly string[]>>
  /** Roles that users may get, or that open something. */
  readonly knownRoles: () => readonly string[]
}

export function firewallRoutes(fastify: FastifyInstance, { firewall, roleHierarchy, knownRoles }: FirewallViews): void {
  fastify.get(
    `${SECURITY_API}/firewall`,
    { ...adminRoute('svc.firewall'), schema: { response: { 200: firewallAnswer } } },
    async (_request, reply) => noStore(reply, firewallView(firewall))
  )

  fastify.get(
    `${SECURITY_API}/roles`,
    { ...adminRoute('svc.roles'), schema: { response: { 200: rolesAnswer } } },
    async (_request, reply) => {
      const roles = rolesView(roleHierarchy)
      return noStore(reply, { ...roles, known: knownRoles() })
    }
  )
}

function firewallView(firewall: Pick<Firewall, 'zones' | 'report'>) {
  return {
    zones: firewall.zones.map(({ name, pattern, authenticators, mode, realtime }) => ({
      name,
      pattern: pattern.source,
      authenticators,
      mode,
      realtime
    })),
    routes: firewall.report().map(({ requirement, ...route }) => ({
      ...route,
      requirement: requirement === null ? null : describeRequirement(requirement)
    }))
  }
}

/** Each role with everything it inherits, directly or not. */
function rolesView(hierarchy: Readonly<Record<string, readonly string[]>>) {
  const closed = new RoleHierarchy(hierarchy)
  const names = closed.roles.sort()
  return {
    hierarchy,
    roles: names.map((role) => ({
      role,
      inherits: names.filter((other) => other !== role && closed.grants([role], other))
    }))
  }
}
