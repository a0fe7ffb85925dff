/** The invoke path, `api.request`: a route of this server answers as it would over HTTP, to the identity of the socket. */
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { inject } from 'light-my-request'
import { type Clock, inProduction } from 'svc-kernel'
import { markInvocation } from 'svc-kernel/plugin'
import { InvocationTimeout } from '../errors.ts'
import { failureFor, invalidParams, RpcCode, RpcFailure } from '../json-rpc.ts'
import type { Method } from '../methods/method.ts'
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
export function apiRequest(fastify: FastifyInstance, { clock, timeoutMs, maxBytes }: ApiRequestParts): Method {
  /** Never rejects. @param opener the upgrade request of the socket @param closed aborted when the socket closes */
  const invoke = async (opener: FastifyRequest, call: Call, closed: AbortSignal): Promise<CallResult | RpcFailure> => {
    const run: Run = { refused: false }
    const deadline = new AbortController()
    const timer = clock.setTimeout(() => deadline.abort(), timeoutMs)
    try {
      // An injected request that is aborted before it begins fails outside of its promise.
      closed.throwIfAborted()
      const signal = AbortSignal.any([closed, deadline.signal])
      const response = await dispatch(fastify, opener, call, run, signal)
      const body = await readUpTo(maxBytes, response.stream())
      if (run.refused) return invalidParams('no route with this path accepts requests over the socket')
      if (body !== null) return readAnswer({ status: response.statusCode, headers: response.headers, body })
      return new RpcFailure(RpcCode.APPLICATION, 'the answer is too large for the socket', { status: 413 })
    } catch (error) {
      if (deadline.signal.aborted) return failureFor(new InvocationTimeout(), false)
      if (!closed.aborted) opener.log.error({ err: error }, 'a request over the socket failed')
      return failureFor(error, inProduction(fastify))
    } finally {
      clock.clearTimeout(timer)
    }
  }

  return {
    concurrent: true,
    run(peer, params) {
      const call = readCall(params)
      return call instanceof RpcFailure ? call : invoke(peer.request, call, peer.signal)
    }
  }
}

function dispatch(fastify: FastifyInstance, opener: FastifyRequest, call: Call, run: Run, signal: AbortSignal) {
  return inject(
    (raw, res) => {
      // As on a request line: the library's own reading normalises dot segments away.
      raw.url = call.path
      if (opener.protocol === 'https') Object.assign(raw.socket, { encrypted: true })
      markInvocation(raw, opener)
      runs.set(raw, run)
      fastify.routing(raw, res)
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
