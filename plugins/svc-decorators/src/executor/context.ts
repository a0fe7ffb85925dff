/** What `@Ctx()` injects and `initialize()` receives: the exchange on either transport. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { WebSocket } from 'ws'

export interface HttpContext {
  readonly transport: 'HTTP'
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

export interface WebSocketContext {
  readonly transport: 'WEBSOCKET'
  /** The upgrade request; it lives as long as the connection. */
  readonly request: FastifyRequest
  readonly socket: WebSocket
  /** A Buffer for a binary frame, else text. */
  readonly message: string | Buffer
}

/** Told apart by `transport`. */
export type ControllerContext = HttpContext | WebSocketContext

/** A controller with a hook before its methods; awaited only where it returns a promise. */
export interface InitializableController {
  initialize(context: ControllerContext): void | Promise<void>
}
