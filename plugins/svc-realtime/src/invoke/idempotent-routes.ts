/**
 * Puts the idempotency gate before the routes that sockets may change things
 * with. Over a socket every change carries a key; the same route asked over HTTP
 * keeps the gate its author gave it, or none.
 */
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onSendHookHandler,
  preHandlerHookHandler,
  RouteOptions
} from 'fastify'
import { decoratorOf, openerOf } from 'svc-kernel'
import { NoIdempotencyGate } from '../errors.ts'
import { isMutation } from './read-call.ts'

const gated = Symbol('svc.realtime-gated')

type Config = { [gated]?: boolean; readonly realtime?: boolean }

export function isGated(config: object): boolean {
  return (config as Config)[gated] === true
}

/** An `onRoute` hook. */
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
  if (gates === null) done(new NoIdempotencyGate('svc-security keeps no idempotency keys here'))
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
