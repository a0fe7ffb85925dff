/**
 * The identity of an open WebSocket, propagated to the requests that are made over it: such a request presents no
 * credential of its own. Another zone takes the identity only if it would have taken the same proof, from the same
 * authenticator.
 */
import type { FastifyRequest } from 'fastify'
import { ANONYMOUS, ANONYMOUS_TOKEN } from 'svc-kernel'
import { ForeignProof } from '../errors.ts'
import type { SecurityJournal } from '../journal/security-journal.ts'
import { unauthenticated } from './refusal.ts'
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

/** @param handshake `null` for a socket that was opened outside of every zone */
export function decidePropagation(target: Zone, handshake: Handshake | null): Propagation {
  if (!target.realtime) return 'none'
  if (handshake === null) return demandsProof(target) ? 'refused' : 'anonymous'
  if (handshake.zone === target) return 'propagated'
  const accepted = target.mode === 'first' && target.authenticators.includes(handshake.authenticator ?? '')
  return accepted ? 'propagated' : 'refused'
}

/**
 * Sets the identity of a request made over a socket.
 *
 * @param upgrade the request that opened the socket
 * @returns the refusal, already journaled
 */
export function propagateIdentity(
  zone: Zone,
  upgrade: FastifyRequest,
  request: FastifyRequest,
  journal: SecurityJournal
): Error | undefined {
  const handshake = handshakes.get(upgrade) ?? null
  const propagation = decidePropagation(zone, handshake)
  if (propagation === 'none') return undefined
  const propagated = propagation === 'propagated'
  if (propagation === 'refused' || (propagated && upgrade.token === null)) {
    const failure = { zone: zone.name, authenticator: handshake?.authenticator ?? null, status: 401 }
    journal.authenticationFailed({ ...failure, error: new ForeignProof() }, request)
    return unauthenticated().error
  }
  request.user = propagated ? upgrade.user : ANONYMOUS
  request.token = propagated ? upgrade.token : ANONYMOUS_TOKEN
  return undefined
}
