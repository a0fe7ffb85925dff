/** The firewall and the roles, as an administrator sees them. Pure. */
import { describeRequirement } from 'svc-kernel'
import type { Firewall } from '../authentication/firewall.ts'
import { RoleHierarchy } from '../authorization/role-hierarchy.ts'

export function firewallView(firewall: Pick<Firewall, 'zones' | 'report'>) {
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
export function rolesView(hierarchy: Readonly<Record<string, readonly string[]>>) {
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
