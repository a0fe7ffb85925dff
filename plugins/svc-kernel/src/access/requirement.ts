/** The access of a route: its requirement, an AND of clauses that are ORs of attributes, and who may call it. */
import type { FastifyRequest } from 'fastify'

/** One attribute for the jury to decide, with the name of the route parameter that is its subject. */
export interface AttributeCheck {
  readonly attribute: string
  readonly subject?: string
}

/** One granted attribute is enough; the jury decides each on its own. */
export type Clause = readonly AttributeCheck[]

/** Every clause must pass. An empty requirement refuses everyone. */
export type Requirement = readonly Clause[]

/** `ROLE_A | ROLE_B & orders:read(id)`, for the list of routes and for logs. */
export function describeRequirement(requirement: Requirement): string {
  const clauses = requirement.map((clause) => {
    const words = clause.map(({ attribute, subject }) => (subject ? `${attribute}(${subject})` : attribute)).join(' | ')
    return requirement.length > 1 && clause.length > 1 ? `(${words})` : words
  })
  return clauses.join(' & ')
}

/** How an operation is reached: by a request, by a message, or as a job that runs later. */
export type Transport = 'HTTP' | 'WEBSOCKET' | 'JOB'

/** The `config.svc` of a compiled controller route. */
export interface RouteSecurity {
  /** Route name, unique in the application: from `@route`, else `Class.method`. */
  readonly name: string
  /** The merged guard, or `null` on an unguarded route. */
  readonly requirement: Requirement | null
  /** `@Anonymous`: authentication is skipped. */
  readonly anonymous: boolean
  /** `@BypassFirewall`: the firewall skips this route. */
  readonly bypassFirewall: boolean
  /** The session that the route requires, else 401: of a signed-in user, or of a login in progress. */
  readonly session?: 'signed-in' | 'pending'
  /** Requests that may enter without a credential, as the anonymous visitor, whatever their zone requires. */
  readonly unproven?: (request: FastifyRequest) => boolean
  /** Transports the route answers. */
  readonly transports: readonly Transport[]
  /** `file:line` of the declaration, when known. */
  readonly source: string | null
}
