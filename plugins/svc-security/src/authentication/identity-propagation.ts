/**
 * How an open WebSocket got its identity, and where that identity may be carried:
 * a request made over the socket presents no credential of its own. Another zone
 * takes it only if it would have taken the same proof, from the same authenticator.
 */
import type { FastifyRequest } from 'fastify'
import { demandsProof, type Zone } from './zones/zone.ts'

export interface SocketEntry {
  /** The zone of the upgrade request. */
  readonly zone: Zone
  /** Name of the authenticator whose proof held. */
  readonly authenticator: string | null
}

/**
 * `carry`: the socket's identity holds in this zone. `anonymous`: the socket has
 * none, and the zone admits who has none. `nobody`: the zone lends sockets no identity.
 */
export type Carriage = 'carry' | 'anonymous' | 'nobody' | 'refused'

/** @param entry `null` for a socket that was opened outside of every zone */
export function judgeCarriage(target: Zone, entry: SocketEntry | null): Carriage {
  if (!target.realtime) return 'nobody'
  if (entry === null) return demandsProof(target) ? 'refused' : 'anonymous'
  if (entry.zone === target) return 'carry'
  const accepted = target.mode === 'first' && target.authenticators.includes(entry.authenticator ?? '')
  return accepted ? 'carry' : 'refused'
}

const entries = new WeakMap<FastifyRequest, SocketEntry>()

export function noteEntry(upgrade: FastifyRequest, entry: SocketEntry): void {
  entries.set(upgrade, entry)
}

export function entryOf(upgrade: FastifyRequest): SocketEntry | null {
  return entries.get(upgrade) ?? null
}
