/** The identity of an open WebSocket, and of the requests that it makes to routes of its own server. */
import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'

/**
 * The identity behind an open WebSocket: `request.liveIdentity`. Its subject was resolved before the 101 and stays; whether
 * it still holds, and what it may, is checked again before each message: `request.user` and `request.token` are then those
 * of the last check. When it ends is reported.
 */
export interface LiveIdentity {
  /** `false` once the proof is gone, or where it is `unavailable`. Never throws, never rejects; reads at most once per window. */
  holds(): boolean | Promise<boolean>
  /** Why `holds()` said `false`: it cannot be said now. The message is refused with 503, and the socket stays. */
  readonly unavailable: boolean
  /**
   * Calls `end` once, as soon as it is known that the identity is over, also between messages.
   *
   * @returns call it when the socket closes
   */
  whenOver(end: () => void): () => void
  /**
   * Calls `again` after each check that found that the identity holds: what was granted to it is to be asked again.
   *
   * @returns call it when the socket closes
   */
  whenChecked(again: () => void): () => void
  /** Looks again although no message came, which does not count as activity; what it finds is reported by `whenOver`. */
  recheck(): void
}

/** The close code of a socket whose session or token is revoked or expired. */
export const IDENTITY_OVER = 4001

/**
 * A request that an open WebSocket makes to a route of its own server. It runs
 * through every hook like any other, but proves nothing by headers: its identity
 * is that of the socket. The mark is put on the raw request in this process, so
 * nothing that travels over the network can claim it.
 */
const openers = new WeakMap<object, FastifyRequest>()

/** Marks a raw request, before it is routed, as made by the socket that `opener` opened. */
export function markInvocation(raw: Pick<IncomingMessage, 'headers'>, opener: FastifyRequest): void {
  openers.set(raw, opener)
}

/** The upgrade request of the socket that makes this request; `null` for every request from outside. */
export function openerOf({ raw }: Pick<FastifyRequest, 'raw'>): FastifyRequest | null {
  return openers.get(raw) ?? null
}
