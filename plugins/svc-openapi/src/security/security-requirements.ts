/**
 * Zone and guard of a route as OpenAPI security requirements: authenticators of a
 * zone in mode `first` are alternatives, in mode `all` they are asked together.
 * The attributes of the guard are the roles of each scheme. Pure.
 */

import type { FastifyInstance } from 'fastify'
import type { Requirement, RouteSecurity } from 'svc-kernel'
import type { DescribedProof } from './security-schemes.ts'

/** Scheme name to roles; schemes of one object are asked together, objects of a list are alternatives. */
export type SecurityRequirement = Readonly<Record<string, readonly string[]>>

const ANYONE: SecurityRequirement = Object.freeze({})

export interface DescribedAccess {
  /** `null`: the route asks for nothing. */
  readonly security: readonly SecurityRequirement[] | null
  /** Authenticators the requirements name. */
  readonly authenticators: readonly string[]
}

const SESSION: DescribedAccess = Object.freeze({
  security: Object.freeze([Object.freeze({ session: Object.freeze([]) })]),
  authenticators: Object.freeze(['session'])
})

const OPEN: DescribedAccess = Object.freeze({ security: null, authenticators: Object.freeze([]) })

/** @param svc what the route carries in `config.svc`; absent on a plain Fastify route */
export function describeAccess(svc: RouteSecurity | undefined, zone: ZoneFacts | null): DescribedAccess {
  // The route reads the session itself, whatever its zone.
  if (svc?.session !== undefined) return SESSION
  if (zone === null || svc?.anonymous === true || svc?.bypassFirewall === true) return OPEN
  const requirement = svc?.requirement ?? null
  const authenticators = zone.authenticators.filter((name) => name !== 'anonymous')
  const roles = rolesOf(requirement)
  const named = authenticators.map((name): [string, readonly string[]] => [name, roles])
  const proofs = zone.mode === 'all' ? [Object.fromEntries(named)] : named.map((entry) => Object.fromEntries([entry]))
  const admitsAnyone = zone.authenticators.includes('anonymous') && requirement === null
  if (authenticators.length === 0) return OPEN
  return { security: admitsAnyone && zone.mode === 'first' ? [...proofs, ANYONE] : proofs, authenticators }
}

/** Only what is needed in every case: a clause with alternatives is described in words by the operation. */
function rolesOf(requirement: Requirement | null): readonly string[] {
  const sole = (requirement ?? []).flatMap((clause) => (clause.length === 1 ? clause : []))
  return [...new Set(sole.map(({ attribute }) => attribute))]
}

/** What the description reads of a firewall: `fastify.firewall`, where svc-security is registered. */
export interface ZoneFacts {
  readonly authenticators: readonly string[]
  readonly mode: 'first' | 'all'
}

/** The zone of a full route template, or `null` outside of all. */
export type ZoneLookup = (template: string) => ZoneFacts | null

/** What the authenticators of a firewall say of their proofs, once the application is ready. */
export function proofLookup(fastify: FastifyInstance): (authenticator: string) => DescribedProof | null {
  if (!fastify.hasDecorator('firewall')) return () => null
  const firewall = fastify.getDecorator<{ proofOf(authenticator: string): DescribedProof | null }>('firewall')
  return (authenticator) => firewall.proofOf(authenticator)
}

/** Without a firewall no route is in a zone. */
export function zoneLookup(fastify: FastifyInstance): ZoneLookup {
  if (!fastify.hasDecorator('firewall')) return () => null
  const firewall = fastify.getDecorator<{ zoneOf: ZoneLookup }>('firewall')
  return (template) => firewall.zoneOf(template)
}
