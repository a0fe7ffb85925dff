/** What an explanation reads of svc-security: `fastify.firewall` and `fastify.jury`, where the application has them. */
import type { FastifyInstance } from 'fastify'
import type { AccessToken } from '../identity/identity.ts'
import type { ProofKind } from '../identity/proof-kind.ts'
import type { SecurityScheme } from '../ports/api-description.ts'
import type { JuryExplanation } from '../ports/security-port.ts'

export interface ZoneView {
  readonly name: string
  readonly pattern: RegExp
  readonly mode: 'first' | 'all'
  readonly authenticators: readonly string[]
  /** Whether identities reach WebSockets. */
  readonly realtime: boolean
  readonly admitsAnonymous: boolean
  /** Whether any authenticator of the zone looks at a credential. */
  readonly takesCredentials: boolean
}

/** An authenticator of a zone, and the tokens it makes. */
export interface ProofView {
  readonly authenticator: string
  /** Type of the tokens. */
  readonly token: string
  readonly proof: ProofKind
  /** As OpenAPI describes its credential; `null` where the authenticator does not say. */
  readonly openapi: SecurityScheme | null
}

/** The pattern as it was written: RegExp escapes every slash. */
export function patternText({ pattern }: ZoneView): string {
  return pattern.source.replaceAll('\\/', '/')
}

export interface SecurityView {
  /** The zone of a route template. */
  zoneOf(template: string): ZoneView | null
  /** The zone of a request: the stricter of its route's and its path's. */
  zoneOfTarget(path: string, routeZone: ZoneView | null): ZoneView | null
  /** The factor that a login in the zone needs and has not shown; `null` for none. */
  missingFactor(zone: ZoneView, token: AccessToken): { readonly error: Error } | null
  /** In the order in which they are tried. Answers after `ready()`. */
  proofsOf(zone: ZoneView): readonly ProofView[]
  /** Answers after `ready()`. */
  explain(token: AccessToken, attribute: string, subject?: unknown): Promise<JuryExplanation>
}

/** `null` for an application without svc-security: it has no zones, and no caller passes a guard. */
export function securityOf(fastify: FastifyInstance): SecurityView | null {
  if (!fastify.hasDecorator('firewall') || !fastify.hasDecorator('jury')) return null
  const { firewall } = fastify as unknown as { firewall: Omit<SecurityView, 'explain'> }
  return {
    zoneOf: (template) => firewall.zoneOf(template),
    zoneOfTarget: (path, routeZone) => firewall.zoneOfTarget(path, routeZone),
    proofsOf: (zone) => firewall.proofsOf(zone),
    missingFactor: (zone, token) => firewall.missingFactor(zone, token),
    explain: (token, attribute, subject) => fastify.jury.explain(token, attribute, subject)
  }
}
