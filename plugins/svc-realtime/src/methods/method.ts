/** What the methods of the protocol share: who calls, and what comes back. */
import type { FastifyRequest } from 'fastify'
import type { Subscriber } from '../channels/hub.ts'
import type { RpcFailure } from '../json-rpc.ts'

/** The socket that calls, as its methods see it. */
export interface Peer extends Subscriber {
  /** The upgrade request: it carries the identity, with what it may as of the last check. */
  readonly request: FastifyRequest
  /** False once the socket takes no more: nothing may be left behind for it then. */
  readonly open: boolean
  readonly channels: Set<string>
  /** Aborted when the socket closes. */
  readonly signal: AbortSignal
  notify(method: string, params: object): void
}

export type Params = Readonly<Record<string, unknown>>
/** The result, or the refusal. */
export type Answer = object | RpcFailure

export interface Method {
  /** True where later frames of the socket need not wait for the answer. */
  readonly concurrent: boolean
  run(peer: Peer, params: Params): Answer | Promise<Answer>
}
