/**
 * A request that an open WebSocket makes to a route of its own server. It runs
 * through every hook like any other, but proves nothing by headers: its identity
 * is that of the socket. The mark is put on the raw request in this process, so
 * nothing that travels over the network can claim it.
 */
import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'

const openers = new WeakMap<object, FastifyRequest>()

/** Marks a raw request, before it is routed, as made by the socket that `opener` opened. */
export function markInvocation(raw: Pick<IncomingMessage, 'headers'>, opener: FastifyRequest): void {
  openers.set(raw, opener)
}

/** The upgrade request of the socket that makes this request; `null` for every request from outside. */
export function openerOf({ raw }: Pick<FastifyRequest, 'raw'>): FastifyRequest | null {
  return openers.get(raw) ?? null
}
