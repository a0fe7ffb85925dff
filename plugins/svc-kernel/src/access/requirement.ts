/** What a route declares of its access: its requirement, an AND of clauses, each an OR of attributes, and who it is for. */
import type { FastifyRequest } from 'fastify'

/** One attribute to be put before the jury, with the name of the route parameter that is its subject. */
export interface AttributeCheck {
  readonly attribute: string
  readonly subject?: string
}

/** One attribute of a clause suffices; each is decided by a jury of its own. */
export type Clause = readonly AttributeCheck[]

/** Every clause must pass. An empty requirement grants no access. */
export type Requirement = readonly Clause[]

/** `ROLE_A | ROLE_B & orders:read(id)`, as shown by the route listing and in logs. */
export function describeRequirement(requirement: Requirement): string {
  const clauses = requirement.map((clause) => {
    const words = clause.map(({ attribute, subject }) => (subject ? `${attribute}(${subject})` : attribute)).join(' | ')
    return requirement.length > 1 && clause.length > 1 ? `(${words})` : words
  })
  return clauses.join(' & ')
}

/** What a compiled controller route carries in its Fastify `config.svc`. */
export interface RouteSecurity {
  /** Route name, unique in the application: given in `@route`, else `Class.method`. */
  readonly name: string
  /** The merged guard, or `null` on an unguarded route. */
  readonly requirement: Requirement | null
  /** `@Anonymous`: authentication is skipped. */
  readonly anonymous: boolean
  /** `@BypassFirewall`: the firewall does not look at this route at all. */
  readonly bypassFirewall: boolean
  /** The session that the route itself asks for, with 401 without it: of a signed-in user, or of a login under way. */
  readonly session?: 'signed-in' | 'pending'
  /** Requests that come in without proof, as the anonymous visitor, whatever their zone demands. */
  readonly unproven?: (request: FastifyRequest) => boolean
  /** Transports the route answers. */
  readonly transports: ReadonlyArray<'HTTP' | 'WEBSOCKET'>
  /** `file:line` of the declaration, when known. */
  readonly source: string | null
}
