/** Turns an assembled route into plain Fastify route options, with its guard and its executor. */
import type {
  FastifySchema,
  onRequestHookHandler,
  preValidationHookHandler,
  RouteHandlerMethod,
  RouteOptions
} from 'fastify'
import { type GuardHooks, guardHooks, type RouteSecurity, type Transport } from 'svc-kernel'
import { type ControllerMethod, type LimitedOperation, limitHooks, noteMethods } from 'svc-kernel/plugin'
import type { RoutePlan } from '../compile/assemble-routes.ts'
import type { Endpoint } from '../compile/endpoint.ts'
import { BODYLESS } from '../compile/route-problems.ts'
import { ownDeclarations } from '../declarations/declarations.ts'
import type { RouteSettings } from '../declarations/route-settings.ts'
import { httpHandler, refusePlainRequest } from '../executor/http-handler.ts'
import { showHeaders, takeStream } from '../executor/stream-body.hook.ts'
import { validateParts } from '../executor/validate-parts.hook.ts'
import { MessageConnection } from '../websocket/message-connection.ts'
import { SocketEndpoint } from '../websocket/socket-endpoint.ts'

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
  const operation = limitedOperation(main, http?.name ?? websocket?.name ?? main.label)
  const socket = websocket === null ? null : new SocketEndpoint(websocket, operation)
  const {
    schema: _schema,
    config: _config,
    tool,
    resource,
    ...settings
  } = { ...websocket?.settings, ...http?.settings }
  const schema = routeSchema(http, websocket)
  const options: ControllerRoute = {
    ...settings,
    ...guardOptions(main, http, operation, settings, standardChecks(main, http, settings)),
    method: http?.method ?? 'GET',
    url: main.path,
    config: {
      ...websocket?.settings.config,
      ...http?.settings.config,
      ...(tool === undefined ? {} : { tool }),
      ...(resource === undefined ? {} : { resource }),
      ...(operation === null ? {} : { limits: operation.limits }),
      svc: routeSecurity(main, http, websocket)
    },
    handler: http === null ? refusePlainRequest : named(http.label, httpHandler(http.invocation))
  }
  if (schema !== undefined) options.schema = schema
  noteMethods(options.config.svc, { http: methodBehind(http), websocket: methodBehind(websocket) })
  if (socket !== null) {
    options.wsHandler = function open(connection, request) {
      new MessageConnection(socket, this, connection, request)
    }
  }
  return { options, socket }
}

function methodBehind(endpoint: Endpoint | null): ControllerMethod | null {
  if (endpoint === null) return null
  const { invocation, settings, standard } = endpoint
  const source = ownDeclarations(invocation.Class)?.controller?.source ?? null
  const { schema } = settings
  const hidden = (schema as { hide?: unknown } | undefined)?.hide === true
  return { ...invocation, source, bodySchema: standard.body ?? schema?.body, hidden }
}

function routeSecurity(main: Endpoint, http: Endpoint | null, websocket: Endpoint | null): RouteSecurity {
  const transports: Transport[] = []
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

/** What its limits count: one budget, through every door. */
export function limitedOperation({ limits, source }: Endpoint, name: string): LimitedOperation | null {
  return limits.length === 0 ? null : Object.freeze({ name, limits, source })
}

/** Traces name what runs by the name of its function. */
export function named<Handler extends RouteHandlerMethod>(label: string, handler: Handler): Handler {
  return Object.defineProperty(handler, 'name', { value: label })
}

/**
 * The guard decides before anything of the route runs: before its own hooks, and before anything touches the body, the
 * raw stream included. Where the route has `onRequest` hooks it decides there, else before the body is parsed.
 */
export function guardOptions(
  { access }: Endpoint,
  http: Endpoint | null,
  operation: LimitedOperation | null,
  own: RouteHooks,
  validation: readonly preValidationHookHandler[]
): Partial<RouteOptions> {
  const streams = http?.invocation.parameters.some(({ stream }) => stream) === true
  const guard = access.requirement === null ? null : guardHooks(access.requirement)
  const limits: Partial<RouteHooks> = operation === null ? {} : limitHooks(operation)
  const early = guard !== null && own.onRequest !== undefined
  const chains = {
    onRequest: [...listed(limits.onRequest), ...(early ? [decideFirst(guard)] : []), ...listed(own.onRequest)],
    preParsing: [
      ...(guard === null || early ? [] : [guard.preParsing]),
      ...listed(limits.preParsing),
      ...listed(own.preParsing),
      ...(streams ? [takeStream] : [])
    ],
    preValidation: [...(streams ? [showHeaders] : []), ...listed(own.preValidation), ...validation],
    preHandler: [...(guard === null ? [] : [guard.preHandler]), ...listed(own.preHandler)]
  }
  return Object.fromEntries(Object.entries(chains).filter(([, hooks]) => hooks.length > 0)) as Partial<RouteOptions>
}

type RouteHooks = Pick<RouteOptions, 'onRequest' | 'preParsing' | 'preValidation' | 'preHandler'>

function listed<Hook>(given: Hook | Hook[] | undefined): Hook[] {
  return given === undefined ? [] : ([given].flat() as Hook[])
}

function decideFirst(guard: GuardHooks): onRequestHookHandler {
  return function decideAccess(request, reply, done) {
    guard.preParsing.call(this, request, reply, request.raw, (error) => {
      if (error) done(error)
      else done()
    })
  }
}

/** Schemas that validate by themselves; that of a message is no part of the upgrade. */
function standardChecks(main: Endpoint, http: Endpoint | null, settings: RouteSettings): preValidationHookHandler[] {
  const { body, ...others } = main.standard
  const standard = body === undefined || http === null || BODYLESS.has(http.method) ? others : main.standard
  return Object.keys(standard).length === 0 ? [] : [validateParts(standard, settings)]
}

/** A GET and an upgrade carry no body: there, `schema.body` validates messages and is not for Fastify. */
function routeSchema(http: Endpoint | null, websocket: Endpoint | null): FastifySchema | undefined {
  const given = http?.settings.schema ?? websocket?.settings.schema
  if (given === undefined) return withCompilers(undefined, websocket)
  const { body, ...schema } = given
  if (http === null) return withCompilers({ ...schema, hide: true } as FastifySchema, websocket)
  if (websocket !== null || BODYLESS.has(http.method)) return withCompilers(schema, websocket)
  return given
}

/** Fastify makes its compilers when a route asks for one; messages need them although they are no route. */
function withCompilers(schema: FastifySchema | undefined, websocket: Endpoint | null): FastifySchema | undefined {
  const { schema: messages, validatorCompiler } = websocket?.settings ?? {}
  const needs: FastifySchema = {}
  const needsValidator = messages?.body !== undefined && validatorCompiler === undefined
  if (needsValidator && schema?.params === undefined) needs.params = { type: 'object' }
  if (messages?.response !== undefined && schema?.response === undefined) needs.response = messages.response
  return Object.keys(needs).length === 0 ? schema : { ...schema, ...needs }
}
