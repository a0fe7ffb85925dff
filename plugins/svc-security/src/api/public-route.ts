/** The security of routes that prove identity themselves: no zone asks for proof before them. */
import type { RouteSecurity } from 'svc-kernel'

export const SECURITY_API = '/svc/security/api'

/** @param name what reports call the route, such as `svc.totp.enroll` */
export function publicRoute(name: string): RouteSecurity {
  return { name, requirement: null, anonymous: false, bypassFirewall: true, transports: ['HTTP'], source: null }
}
