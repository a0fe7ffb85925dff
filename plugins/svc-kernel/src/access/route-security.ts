/** What a compiled controller route carries in its Fastify `config.svc`. */
import type { FastifyRequest } from 'fastify'
import type { Requirement } from './requirement.ts'

export interface RouteSecurity {
  /** Route name, unique in the application: given in `@route`, else `Class.method`. */
  readonly name: string
  /** The merged guard, or `null` on an unguarded route. */
  readonly requirement: Requirement | null
  /** `@Anonymous`: authentication is skipped. */
  readonly anonymous: boolean
  /** `@BypassFirewall`: the firewall does not look at this route at all. */
  readonly bypassFirewall: boolean
  /** Requests that come in without proof, as the anonymous visitor, whatever their zone demands. */
  readonly unproven?: (request: FastifyRequest) => boolean
  /** Transports the route answers. */
  readonly transports: ReadonlyArray<'HTTP' | 'WEBSOCKET'>
  /** `file:line` of the declaration, when known. */
  readonly source: string | null
}
