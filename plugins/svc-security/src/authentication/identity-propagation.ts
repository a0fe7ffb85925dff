/**
 * The identity of an open WebSocket, or of a request that runs an operation, propagated to the requests that are made for
 * it: such a request presents no credential of its own. Another zone takes the identity only if it would have taken the
 * same proof, from the same authenticator.
 */
import type { FastifyRequest } from 'fastify'
import { type AccessToken, ANONYMOUS_TOKEN } from 'svc-kernel'
import { isOverSocket } from 'svc-kernel/plugin'
import type { FactorRefusal } from '../authorization/factor-policy.ts'
import { ForeignProof } from '../errors.ts'
import type { SecurityJournal } from '../journal/security-journal.ts'
import { unauthenticated } from './refusal.ts'
import type { ZoneProof } from './zone-authentication.ts'
import { demandsProof, type Zone } from './zones/zone-map.ts'

/** How the identity of a socket was proved. */
export interface Handshake {
  /** The zone of the upgrade request. */
  readonly zone: Zone
  /** Name of the authenticator whose proof held. */
  readonly authenticator: string | null
}

/**
 * `propagated`: the socket's identity holds in this zone. `anonymous`: the socket has
 * none, and the zone admits callers without one. `none`: the zone gives sockets no identity.
 */
export type Propagation = 'propagated' | 'anonymous' | 'none' | 'refused'

const handshakes = new WeakMap<FastifyRequest, Handshake>()

export function recordHandshake(upgrade: FastifyRequest, handshake: Handshake): void {
  handshakes.set(upgrade, handshake)
}

/**
 * Of a request that is no upgrade: the zone that admitted it, and which of its authenticators made the token.
 *
 * @returns `null` outside of every zone
 */
function admissionOf(opener: FastifyRequest, firewall: PropagationParts['firewall']): Handshake | null {
  const zone = firewall.zoneOfRequest(opener)
  if (zone === null) return null
  const provers = firewall.proofsOf(zone).filter(({ token }) => token === opener.token?.type)
  return { zone, authenticator: provers.length === 1 ? (provers[0]?.authenticator ?? null) : null }
}

/** @param handshake `null` for an identity that was proved outside of every zone */
export function decidePropagation(target: Zone, handshake: Handshake | null, overSocket = true): Propagation {
  if (overSocket && !target.realtime) return 'none'
  if (handshake === null) return demandsProof(target) ? 'refused' : 'anonymous'
  if (handshake.zone === target) return 'propagated'
  // A zone with an audience of its own takes no identity of another zone.
  const open = target.mode === 'first' && target.audience === null
  const accepted = open && target.authenticators.includes(handshake.authenticator ?? '')
  return accepted ? 'propagated' : 'refused'
}

interface PropagationParts {
  readonly firewall: {
    missingFactor(zone: Zone, token: AccessToken): FactorRefusal | null
    zoneOfRequest(request: FastifyRequest): Zone | null
    proofsOf(zone: Zone): readonly Pick<ZoneProof, 'authenticator' | 'token'>[]
  }
}

/** What an identity is worth in a zone: its token, or why it has none there. */
export interface Propagated {
  /** `null` where the zone gives it no identity. */
  readonly token: AccessToken | null
  /** Name of the authenticator whose proof the zone does not take. */
  readonly foreign: { readonly authenticator: string | null } | null
  readonly missing: FactorRefusal | null
}

/** @param opener the request that opened the socket, or that runs the operation */
export function propagatedTo(
  zone: Zone,
  opener: FastifyRequest,
  overSocket: boolean,
  { firewall }: PropagationParts
): Propagated {
  const handshake = overSocket ? (handshakes.get(opener) ?? null) : admissionOf(opener, firewall)
  const propagation = decidePropagation(zone, handshake, overSocket)
  const nothing = { token: null, foreign: null, missing: null }
  if (propagation === 'none') return nothing
  if (propagation === 'anonymous') return { ...nothing, token: ANONYMOUS_TOKEN }
  const { token } = opener
  if (propagation === 'refused' || token === null) {
    return { ...nothing, foreign: { authenticator: handshake?.authenticator ?? null } }
  }
  return { ...nothing, token, missing: firewall.missingFactor(zone, token) }
}

/**
 * Sets the identity of a request made over a socket, or for another request.
 *
 * @returns the refusal, already journaled
 */
export function propagateIdentity(
  zone: Zone,
  opener: FastifyRequest,
  request: FastifyRequest,
  parts: PropagationParts & { readonly journal: SecurityJournal }
): Error | undefined {
  const { token, foreign, missing } = propagatedTo(zone, opener, isOverSocket(request), parts)
  const { journal } = parts
  if (foreign !== null) {
    const failure = { zone: zone.name, authenticator: foreign.authenticator, status: 401 }
    journal.authenticationFailed({ ...failure, error: new ForeignProof() }, request)
    return unauthenticated().error
  }
  if (missing !== null) {
    journal.factorMissing(token as AccessToken, missing.attribute, request)
    return missing.error
  }
  if (token === null) return undefined
  request.token = token
  request.user = token.user
  return undefined
}
