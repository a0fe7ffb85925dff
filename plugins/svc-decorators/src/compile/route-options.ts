/** Turns an assembled route into plain Fastify route options, with its guard and its executor. */
import type { FastifySchema, RouteOptions } from 'fastify'
import { guardHooks, type RouteSecurity } from 'svc-kernel'
import { httpHandler } from '../executor/http-handler.ts'
import { refusePlainRequest } from '../executor/refuse-plain-request.ts'
import { showHeaders, takeStream } from '../executor/stream-body.hook.ts'
import { MessageConnection } from '../websocket/message-connection.ts'
import { SocketEndpoint } from '../websocket/socket-endpoint.ts'
import type { RoutePlan } from './assemble-routes.ts'
import type { Endpoint } from './endpoint.ts'

/** Fastify route options; `wsHandler` is understood where @fastify/websocket is registered. */
export interface ControllerRoute extends RouteOptions {
  method: string
  config: NonNullable<RouteOptions['config']> & { svc: RouteSecurity }
}

export interface BuiltRoute {
  readonly options: ControllerRoute
  /** The WEBSOCKET side, whose schemas a server can compile at boot. */
  readonly socket: SocketEndpoint | null
}

export function buildRoute({ http, websocket }: RoutePlan): BuiltRoute {
  const main = (http ?? websocket) as Endpoint
  const socket = websocket === null ? null : new SocketEndpoint(websocket)
  const { schema: _schema, config: _config, ...settings } = { ...websocket?.settings, ...http?.settings }
  const schema = routeSchema(http, websocket)
  const options: ControllerRoute = {
    ...settings,
    ...guardOptions(main, http),
    method: http?.method ?? 'GET',
    url: main.path,
    config: { ...websocket?.settings.config, ...http?.settings.config, svc: routeSecurity(main, http, websocket) },
    handler: http === null ? refusePlainRequest : httpHandler(http.invocation)
  }
  if (schema !== undefined) options.schema = schema
  if (socket !== null) {
    options.wsHandler = function open(connection, request) {
      new MessageConnection(socket, this, connection, request)
    }
  }
  return { options, socket }
}

function routeSecurity(main: Endpoint, http: Endpoint | null, websocket: Endpoint | null): RouteSecurity {
  const transports: Array<'HTTP' | 'WEBSOCKET'> = []
  if (http !== null) transports.push('HTTP')
  if (websocket !== null) transports.push('WEBSOCKET')
  const { requirement, anonymous, bypassFirewall } = main.access
  return Object.freeze({
    name: http?.name ?? websocket?.name ?? main.label,
    requirement,
    anonymous,
    bypassFirewall,
    transports: Object.freeze(transports),
    source: main.source
  })
}

/** The guard decides before anything touches the body, the raw stream included. */
function guardOptions({ access }: Endpoint, http: Endpoint | null): Partial<RouteOptions> {
  const streams = http?.invocation.parameters.some(({ stream }) => stream) === true
  const guard = access.requirement === null ? null : guardHooks(access.requirement)
  const preParsing = [...(guard === null ? [] : [guard.preParsing]), ...(streams ? [takeStream] : [])]
  return {
    ...(preParsing.length === 0 ? {} : { preParsing }),
    ...(streams ? { preValidation: showHeaders } : {}),
    ...(guard === null ? {} : { preHandler: guard.preHandler })
  }
}

/** A GET and an upgrade carry no body: there, `schema.body` judges messages and is not Fastify's. */
function routeSchema(http: Endpoint | null, websocket: Endpoint | null): FastifySchema | undefined {
  const given = http?.settings.schema ?? websocket?.settings.schema
  if (given === undefined) return withCompilers(undefined, websocket)
  const { body, ...schema } = given
  if (http === null) return withCompilers({ ...schema, hide: true } as FastifySchema, websocket)
  if (websocket !== null || http.method === 'GET' || http.method === 'HEAD') return withCompilers(schema, websocket)
  return given
}

/** Fastify makes its compilers when a route asks for one; messages need them although they are no route. */
function withCompilers(schema: FastifySchema | undefined, websocket: Endpoint | null): FastifySchema | undefined {
  const messages = websocket?.settings.schema
  const needs: FastifySchema = {}
  if (messages?.body !== undefined && schema?.params === undefined) needs.params = { type: 'object' }
  if (messages?.response !== undefined && schema?.response === undefined) needs.response = messages.response
  return Object.keys(needs).length === 0 ? schema : { ...schema, ...needs }
}
