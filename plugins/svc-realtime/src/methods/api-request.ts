/**
 * `api.request {path, method, body, idempotencyKey}`: the invoke path. A route of
 * this server answers as it would over HTTP, to the identity of the socket.
 */
import type { Invoker } from '../invoke/invoker.ts'
import { readCall } from '../invoke/read-call.ts'
import { RpcFailure } from '../protocol/rpc-failure.ts'
import type { Answer, Method, Params, Peer } from './method.ts'

export class ApiRequest implements Method {
  readonly concurrent = true
  readonly #invoker: Invoker

  constructor(invoker: Invoker) {
    this.#invoker = invoker
  }

  run(peer: Peer, params: Params): Answer | Promise<Answer> {
    const call = readCall(params)
    return call instanceof RpcFailure ? call : this.#invoker.invoke(peer.request, call, peer.signal)
  }
}
