/**
 * What the admin views share: the guard, which travels with each route, so that
 * where no firewall and no jury let an administrator in they answer 403.
 */
import { guardHooks, type Requirement, type RouteSecurity } from 'svc-kernel'

const requirement: Requirement = [[{ attribute: 'ROLE_SVC_ADMIN' }]]

/** Route options of an admin view. @param name what reports call it, such as `svc.firewall` */
export function adminRoute(name: string) {
  const svc: RouteSecurity = {
    name,
    requirement,
    anonymous: false,
    bypassFirewall: false,
    transports: ['HTTP'],
    source: null
  }
  return { ...guardHooks(requirement), config: { svc } }
}
