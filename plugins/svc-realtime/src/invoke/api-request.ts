/** The invoke path, `api.request`: a route of this server answers as it would over HTTP, to the identity of the socket. */
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { inject } from 'light-my-request'
import { type Clock, errorBody, inProduction, markInvocation } from 'svc-kernel'
import { InvocationTimeout } from '../errors.ts'
import { invalidParams, RpcCode, RpcFailure } from '../json-rpc.ts'
import type { Answer, Method, Params, Peer } from '../methods/method.ts'
import { type Call, type CallResult, readAnswer, readCall } from './call.ts'

/** One call on its way through the server, known to the hook that meets it there. */
export interface Run {
  /** Set when the matched route does not let sockets call it. */
  refused: boolean
}

export const runs = new WeakMap<Pick<IncomingMessage, 'headers'>, Run>()

export interface ApiRequestParts {
  readonly clock: Clock
  readonly timeoutMs: number
  /** Largest answer that the socket takes. */
  readonly maxBytes: number
}

/**
 * `api.request {path, method, body, idempotencyKey}` runs as a request through the whole server: router, firewall, guard,
 * validation, handler. It carries no credential; the mark on its raw request says whose socket asks, and the firewall
 * decides what that identity is worth where the call goes.
 */
export class ApiRequest implements Method {
  readonly concurrent = true
  readonly #fastify: FastifyInstance
  readonly #parts: ApiRequestParts

  constructor(fastify: FastifyInstance, parts: ApiRequestParts) {
    this.#fastify = fastify
    this.#parts = parts
  }

  run(peer: Peer, params: Params): Answer | Promise<Answer> {
    const call = readCall(params)
    return call instanceof RpcFailure ? call : this.#invoke(peer.request, call, peer.signal)
  }

  /** Never rejects. @param opener the upgrade request of the socket @param closed aborted when the socket closes */
  async #invoke(opener: FastifyRequest, call: Call, closed: AbortSignal): Promise<CallResult | RpcFailure> {
    const run: Run = { refused: false }
    const deadline = new AbortController()
    const { clock, timeoutMs } = this.#parts
    const timer = clock.setTimeout(() => deadline.abort(), timeoutMs)
    try {
      const answer = await this.#dispatch(opener, call, run, AbortSignal.any([closed, deadline.signal]))
      if (run.refused) return invalidParams('path names no route that takes requests over the socket')
      return answer instanceof RpcFailure ? answer : readAnswer(answer)
    } catch (error) {
      if (deadline.signal.aborted) return failureOf(new InvocationTimeout(), false)
      if (!closed.aborted) opener.log.error({ err: error }, 'a request over the socket failed')
      return failureOf(error, inProduction(this.#fastify))
    } finally {
      clock.clearTimeout(timer)
    }
  }

  async #dispatch(opener: FastifyRequest, call: Call, run: Run, signal: AbortSignal) {
    const response = await inject(
      (raw, res) => {
        // As on a request line: the library's own reading normalises dot segments away.
        raw.url = call.path
        if (opener.protocol === 'https') Object.assign(raw.socket, { encrypted: true })
        markInvocation(raw, opener)
        runs.set(raw, run)
        this.#fastify.routing(raw, res)
      },
      {
        method: call.method as 'GET',
        url: '/',
        headers: headersOf(opener, call),
        remoteAddress: opener.ip,
        signal,
        payloadAsStream: true,
        ...(call.body === null ? {} : { payload: call.body })
      }
    )
    const body = await readUpTo(this.#parts.maxBytes, response.stream())
    if (body === null) {
      return new RpcFailure(RpcCode.APPLICATION, 'the answer is too large for the socket', { status: 413 })
    }
    return { status: response.statusCode, headers: response.headers, body }
  }
}

/** Nothing of this comes from the frame but the key: a caller cannot add a credential, or a proxy's word. */
function headersOf({ host, headers }: FastifyRequest, { body, idempotencyKey }: Call): Record<string, string> {
  return {
    host,
    accept: 'application/json',
    ...(headers['user-agent'] === undefined ? {} : { 'user-agent': headers['user-agent'] }),
    ...(body === null ? {} : { 'content-type': 'application/json' }),
    ...(idempotencyKey === null ? {} : { 'idempotency-key': idempotencyKey })
  }
}

/** `null` when there is more; leaving the loop then ends the answer's stream. */
async function readUpTo(limit: number, stream: AsyncIterable<Buffer>): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    size += chunk.length
    if (size > limit) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function failureOf(error: unknown, production: boolean): RpcFailure {
  const { statusCode: status, code, message } = errorBody(error, production)
  return new RpcFailure(status === 500 ? RpcCode.INTERNAL : RpcCode.APPLICATION, message, { status, code })
}
