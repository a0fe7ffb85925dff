/** Routes that answer only WebSockets. OpenAPI has no word for them, so the document lists them beside its paths. */
import { describeRequirement, type RouteSecurity } from 'svc-kernel'
import { describeAccess } from '../security/security-requirements.ts'
import type { ZoneLookup } from '../security/zone-lookup.ts'

export interface SocketRoute {
  readonly path: string
  readonly name: string
  readonly guard: string | null
  readonly security: readonly object[]
}

/** @param svc of a route whose transports are `['WEBSOCKET']` */
export function socketRoute(path: string, svc: RouteSecurity, zoneOf: ZoneLookup): SocketRoute {
  return {
    path,
    name: svc.name,
    guard: svc.requirement === null ? null : describeRequirement(svc.requirement),
    security: describeAccess(svc, zoneOf(path)).security ?? []
  }
}
