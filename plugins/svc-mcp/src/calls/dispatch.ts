/**
 * Runs a tool: a request that is made inside this process, through the whole server but for the network. It carries no
 * credential; the mark on its raw request says whose request asks, and the firewall decides what that identity is worth
 * at the route.
 */
import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify'
import { innerCall, markInvocation, routeConfigReader } from 'svc-kernel/plugin'
import { AnswerTooLarge, CallTimeout, OtherRoute } from '../errors.ts'
import type { ServedRoute } from '../tools/tool.ts'
import { toolRequest } from '../tools/tool-request.ts'

/** What a route answered. */
export interface RouteAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string | Buffer
}

export interface Dispatcher {
  /**
   * @param signal aborted when the client is gone
   * @throws InvalidArguments (400), OtherRoute (404), AnswerTooLarge (413), CallTimeout (504)
   */
  run(
    opener: FastifyRequest,
    served: ServedRoute,
    args: Readonly<Record<string, unknown>>,
    signal?: AbortSignal
  ): Promise<RouteAnswer>
}

interface Run {
  readonly served: ServedRoute
  missed: boolean
}

/** On the raw request, as the mark of svc-kernel is. */
const tool = Symbol('svc.tool')

interface Running {
  [tool]?: Run
}

const CHANGES = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/** Arguments may spell the path of another route, which is no tool: only the route of the tool takes the request. */
export function meetToolCall(): onRequestHookHandler {
  const configOf = routeConfigReader()
  return function meetCall(request, _reply, done) {
    const run = (request.raw as Running)[tool]
    if (run === undefined || configOf(request).url === run.served.path) {
      done()
      return
    }
    run.missed = true
    done(new OtherRoute())
  }
}

export function dispatcher(
  fastify: FastifyInstance,
  { timeoutMs, maxBytes }: { readonly timeoutMs: number; readonly maxBytes: number }
): Dispatcher {
  return {
    async run(opener, served, args, signal) {
      const { url, body, repeatKey } = toolRequest(served.input, args)
      const run: Run = { served, missed: false }
      signal?.throwIfAborted()
      const { answer, abort } = innerCall(fastify, {
        method: served.method,
        url,
        headers: headersOf(opener, served.method, body, repeatKey),
        body,
        remoteAddress: opener.ip,
        encrypted: opener.protocol === 'https',
        maxBytes,
        mark(raw) {
          markInvocation(raw, opener, false)
          ;(raw as Running)[tool] = run
        }
      })
      const timer = setTimeout(() => abort(new CallTimeout()), timeoutMs)
      const leave = () => abort(signal?.reason as Error)
      signal?.addEventListener('abort', leave, { once: true })
      try {
        const { status, headers, body: answered } = await answer
        if (run.missed) throw new OtherRoute()
        if (answered === null) throw new AnswerTooLarge()
        return { status, headers, body: answered }
      } finally {
        clearTimeout(timer)
        signal?.removeEventListener('abort', leave)
      }
    }
  }
}

/** A change always has a key: without one of the caller's, one of its own, which repeats nothing. */
function headersOf(
  opener: FastifyRequest,
  method: string,
  body: string | null,
  repeatKey: string | null
): Record<string, string> {
  const { host, headers } = opener
  const agent = headers['user-agent']
  return {
    host,
    accept: 'application/json',
    ...(agent === undefined ? {} : { 'user-agent': agent }),
    ...(body === null ? {} : { 'content-type': 'application/json' }),
    ...(CHANGES.has(method) ? { 'idempotency-key': repeatKey ?? randomUUID() } : {})
  }
}
