/** The invoke path, `api.request`: a route of this server answers as it would over HTTP, to the identity of the socket. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Clock, inProduction } from 'svc-kernel'
import { innerCall, markInvocation, type RunningCall } from 'svc-kernel/plugin'
import { InvocationTimeout } from '../errors.ts'
import { failureFor, invalidParams, RpcCode, RpcFailure } from '../json-rpc.ts'
import type { Method } from '../methods/method.ts'
import { type Call, type CallResult, readAnswer, readCall } from './call.ts'

/** One call on its way through the server, known to the hook that meets it there. */
export interface Run {
  /** Set when the matched route does not let sockets call it. */
  refused: boolean
}

const ownRun = Symbol('svc.run')

interface Running {
  [ownRun]?: Run
}

export function runOf({ raw }: Pick<FastifyRequest, 'raw'>): Run | undefined {
  return (raw as Running)[ownRun]
}

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
    let running: RunningCall | undefined
    const timer = clock.setTimeout(() => running?.abort(new InvocationTimeout()), timeoutMs)
    const leave = () => running?.abort(closed.reason as Error)
    try {
      closed.throwIfAborted()
      closed.addEventListener('abort', leave, { once: true })
      running = innerCall(fastify, {
        method: call.method,
        url: call.path,
        headers: headersOf(opener, call),
        body: call.body,
        remoteAddress: opener.ip,
        encrypted: opener.protocol === 'https',
        maxBytes,
        mark(raw) {
          markInvocation(raw, opener)
          ;(raw as Running)[ownRun] = run
        }
      })
      const { status, headers, body } = await running.answer
      if (run.refused) return invalidParams('no route with this path accepts requests over the socket')
      if (body !== null) return readAnswer({ status, headers, body })
      return new RpcFailure(RpcCode.APPLICATION, 'the answer is too large for the socket', { status: 413 })
    } catch (error) {
      if (error instanceof InvocationTimeout) return failureFor(error, false)
      if (!closed.aborted) opener.log.error({ err: error }, 'a request over the socket failed')
      return failureFor(error, inProduction(fastify))
    } finally {
      clock.clearTimeout(timer)
      closed.removeEventListener('abort', leave)
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
