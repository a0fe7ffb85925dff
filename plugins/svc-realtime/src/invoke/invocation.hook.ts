/**
 * Hooks of the invoke path: which routes take requests over a socket, and the idempotency gate before those that change
 * something. Over a socket every change carries a key; the same route over HTTP keeps the gate of its author, or none.
 */
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onRequestHookHandler,
  onSendHookHandler,
  preHandlerHookHandler,
  RouteOptions
} from 'fastify'
import { decoratorOf } from 'svc-kernel'
import { openerOf } from 'svc-kernel/plugin'
import { NoIdempotencyGate, NotInvokable } from '../errors.ts'
import { runOf } from './api-request.ts'
import { isMutation } from './call.ts'

/**
 * Meets every request made over a socket, once it is routed: only a route that says `config: { realtime: true }` takes it.
 * Requests from outside cost one look at their raw request.
 */
export const meetInvocation: onRequestHookHandler = function meetInvocation(request, _reply, done) {
  const run = runOf(request)
  if (run === undefined) {
    done()
    return
  }
  const { config } = request.routeOptions
  if (request.is404 || config.realtime !== true) {
    run.refused = true
    done(new NotInvokable())
  } else if (isMutation(request.method) && !isGated(config)) {
    request.log.error(
      { route: config.url },
      'the route was declared before svc-realtime: it refuses changes over the socket'
    )
    done(new NoIdempotencyGate('the route was declared before svc-realtime was registered'))
  } else {
    done()
  }
}

const gated = Symbol('svc.realtime-gated')

type Config = { [gated]?: boolean; readonly realtime?: boolean }

function isGated(config: object): boolean {
  return (config as Config)[gated] === true
}

/** An `onRoute` hook: puts the idempotency gate before the routes that sockets may change things with. */
export function gateRoute(this: FastifyInstance, route: RouteOptions): void {
  const config: Config | undefined = route.config
  if (config?.realtime !== true || ![route.method].flat().some(isMutation)) return
  config[gated] = true
  const gate = decoratorOf(this, 'gates')?.idempotency.preHandler
  if (gate !== undefined && listed(route.preHandler).includes(gate)) return
  route.preHandler = [...listed(route.preHandler), openGate]
  route.onSend = [...listed(route.onSend), closeGate]
}

function listed<Hook>(hooks: Hook | Hook[] | undefined): Hook[] {
  return hooks === undefined ? [] : ([hooks].flat() as Hook[])
}

/** Last of the route's own hooks: a refused caller never reaches the stored answer. */
const openGate: preHandlerHookHandler = function openGate(request, reply, done) {
  if (openerOf(request) === null) return done()
  const gates = decoratorOf(this, 'gates')
  if (gates === null) done(new NoIdempotencyGate('svc-security does not store idempotency keys in this application'))
  else return gates.idempotency.preHandler.call(this, request, reply, done)
}

const closeGate: onSendHookHandler = function closeGate(
  this: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done
) {
  const gates = openerOf(request) === null ? null : decoratorOf(this, 'gates')
  if (gates === null) done(null, payload)
  else return gates.idempotency.onSend.call(this, request, reply, payload, done)
}
