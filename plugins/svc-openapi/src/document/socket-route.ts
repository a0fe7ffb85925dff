/**
 * Routes that answer WebSockets: what opens them, the messages they read and the answers they send. OpenAPI has no word for
 * them: the document lists them beside its paths, and the AsyncAPI document is made of that list. Pure.
 */
import type { RouteOptions } from 'fastify'
import type { RouteSecurity } from 'svc-kernel'
import { answerSchema, type ControllerMethod, describeRequirement, methodsOf, requirementOf } from 'svc-kernel/plugin'
import { describeAccess, type ZoneLookup } from '../security/security-requirements.ts'
import { controllerOf, type OperationSchema } from './describe-operation.ts'
import { describeSchemas } from './schema-parts.ts'

/** One route that answers WebSockets; its schemas are JSON Schema, and absent where nothing is known. */
export interface SocketRoute {
  readonly path: string
  readonly name: string
  readonly guard: string | null
  readonly security: readonly object[]
  readonly tags?: readonly string[]
  readonly description?: string
  /** Of the path, the query string and the headers of the opening. */
  readonly params?: unknown
  readonly query?: unknown
  readonly headers?: unknown
  /** Absent on a route that no controller answers. */
  readonly message?: SocketMessage
  /** Of an answer that is no error. */
  readonly answer?: unknown
}

/** What a route reads of a message. */
export interface SocketMessage {
  readonly contentType: string
  readonly schema?: unknown
}

export interface DescribedSocket {
  readonly route: SocketRoute
  /** Definitions that its schemas refer to, by name of the component. */
  readonly components: Readonly<Record<string, object>>
  /** The `operationId` on a route that answers HTTP too. */
  readonly operationId: string | null
}

/** Whether the route answers WebSockets, and its author does not hide it. The router declares a HEAD route beside each GET. */
export function answersSockets({ config, method, schema }: RouteOptions): boolean {
  const { svc } = config ?? {}
  if (svc?.transports.includes('WEBSOCKET') !== true || method === 'HEAD') return false
  if (methodsOf(svc)?.websocket?.hidden === true) return false
  return !svc.transports.includes('HTTP') || (schema as OperationSchema | undefined)?.hide !== true
}

/** The schemas of a route with that of its messages, which Fastify does not get. */
export function schemasOf({ schema, config }: Pick<RouteOptions, 'schema' | 'config'>): OperationSchema {
  const body = methodsOf(config?.svc)?.websocket?.bodySchema
  return { ...schema, ...(body !== undefined && { body }) } as OperationSchema
}

export function describeSocket(route: RouteOptions, zoneOf: ZoneLookup): DescribedSocket {
  const svc = { ...route.config?.svc, requirement: requirementOf(route) } as RouteSecurity
  const { schema, components } = describeSchemas(schemasOf(route), svc.name)
  const { params, querystring, query = querystring, headers, tags, description } = schema
  const controller = controllerOf(svc)
  const method = methodsOf(route.config?.svc)?.websocket
  const answer = answerSchema(schema.response)
  return {
    components,
    operationId: svc.transports.includes('HTTP') ? (schema.operationId ?? svc.name) : null,
    route: {
      path: route.url,
      name: svc.name,
      guard: svc.requirement === null ? null : describeRequirement(svc.requirement),
      security: describeAccess(svc, zoneOf(route.url)).security ?? [],
      ...(tags !== undefined ? { tags } : controller !== undefined && { tags: [controller] }),
      ...(description !== undefined && { description }),
      ...(params !== undefined && { params }),
      ...(query !== undefined && { query }),
      ...(headers !== undefined && { headers }),
      ...(method && { message: messageOf(method, schema.body) }),
      ...(answer !== undefined && { answer })
    }
  }
}

/** As svc-decorators reads it: JSON where the method or a schema takes a body, else bytes, else text. */
function messageOf({ parameters, bodySchema }: ControllerMethod, schema: unknown): SocketMessage {
  if (bodySchema !== undefined) return { contentType: 'application/json', schema }
  if (parameters.some(({ kind }) => kind === 'body')) return { contentType: 'application/json' }
  if (parameters.some(({ binary }) => binary)) return { contentType: 'application/octet-stream' }
  return { contentType: 'text/plain', schema: { type: 'string' } }
}
