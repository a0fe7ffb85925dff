/** Rate limits as routes declare them, and the port of the plugin that counts: svc-limits. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { MaybePromise } from '../promises/maybe-promise.ts'

/** A limit of a route, of a controller method, or of every method of a controller. Several limits all count. */
export interface RateLimit {
  /** Requests in a period: `'100/min'`, `'5/15min'`, `'1000/hour'`, or a count and a period in seconds. */
  readonly rate: string | { readonly count: number; readonly perS: number }
  /** How many requests may come at once. Default: the count of the rate. */
  readonly burst?: number
  /**
   * Whose requests are counted together.
   *
   * - `address`: those of a network, an IPv4 address or the /64 of an IPv6 one; decided before authentication
   * - `identity`: those of a user; of an anonymous caller, those of its network
   * - `key`: those of an API key; of a caller without one, those of its identity
   * - a function: those with the same text, which may be secret
   */
  readonly by: 'address' | 'identity' | 'key' | ((request: FastifyRequest) => string)
  /** Limits with the same name share one budget, also across routes. Default: the operation has one of its own. */
  readonly name?: string
  /** While the store does not answer: count in this process, or answer 503. Default: option `onOutage` of svc-limits. */
  readonly onOutage?: 'local' | 'refuse'
}

/** What a request or a message asks to be done: a controller method, or a route. It is the same through every door. */
export interface LimitedOperation {
  /** `Class.method` of a controller, or method and path. */
  readonly name: string
  readonly limits: readonly RateLimit[]
  /** `file:line` of the declaration, when known. */
  readonly source: string | null
}

/** Decides on limits. It answers with the refusal, or `null`; it never throws or rejects. */
export interface LimitEngine {
  /** Limits by address, before authentication. */
  arrive(operation: LimitedOperation, request: FastifyRequest, reply: FastifyReply): MaybePromise<Error | null>
  /** The other limits, after the guard. */
  admit(operation: LimitedOperation, request: FastifyRequest, reply: FastifyReply): MaybePromise<Error | null>
  /** All limits, for a message of an open WebSocket. @param request the upgrade request */
  message(operation: LimitedOperation, request: FastifyRequest): MaybePromise<Error | null>
  /** Whether the caller may open one more WebSocket; a plain request opens none. Absent: sockets are not counted. */
  socket?(request: FastifyRequest, reply: FastifyReply): Error | null
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Rate limits of the route. They need svc-limits: without it the application does not start. */
    limits?: RateLimit | readonly RateLimit[]
  }
}
