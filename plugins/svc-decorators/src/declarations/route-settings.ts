/**
 * Settings of a route, as `@route`, `@Get` and the like take them: Fastify's route options, and its schemas in a short
 * form. Nothing is checked here.
 */
import type {
  FastifyContextConfig,
  FastifySchema,
  FastifySchemaCompiler,
  FastifySerializerCompiler,
  RouteShorthandOptions
} from 'fastify'
import type { RouteResource, RouteTool } from 'svc-kernel'

/** Fastify's hooks of one route; the guard of the route runs before all of them. */
type RouteHooks = Pick<
  RouteShorthandOptions,
  | 'onRequest'
  | 'preParsing'
  | 'preValidation'
  | 'preHandler'
  | 'preSerialization'
  | 'onSend'
  | 'onResponse'
  | 'onTimeout'
  | 'onError'
  | 'onRequestAbort'
  | 'errorHandler'
>

/** What else a route of Fastify may say for itself. */
type RouteChoices = Pick<
  RouteShorthandOptions,
  'bodyLimit' | 'constraints' | 'logLevel' | 'attachValidation' | 'schemaErrorFormatter' | 'handlerTimeout'
>

/** What can be a schema: an object, a function such as ArkType makes, or one of JSON Schema's booleans. */
export type SchemaLike = object | boolean

/** JSON Schema (TypeBox included), or a schema of any library that keeps to Standard Schema, such as Zod, Valibot, ArkType. */
export interface RouteSchemas<Body = unknown> {
  /** Of the body; on a WEBSOCKET route of the message. */
  body?: Body & SchemaLike
  /** Of the query string. */
  query?: SchemaLike
  params?: SchemaLike
  headers?: SchemaLike
  /** Of the answer: one schema for every 2xx, or schemas by status. */
  response?: SchemaLike
}

/** What a description of the API reads beside the schemas, as @fastify/swagger names it. */
export interface DescribedSchema {
  /** Media types of the body, such as `['multipart/form-data']` for uploads. */
  consumes?: readonly string[]
  /** Media types of the answer. */
  produces?: readonly string[]
  tags?: readonly string[]
  summary?: string
  description?: string
  operationId?: string
  deprecated?: boolean
  /** Leaves the route out of the description. */
  hide?: boolean
}

/** Fastify route options that a controller route may set. The handler is the compiler's. */
export interface RouteSettings<Body = unknown> extends RouteHooks, RouteChoices, RouteSchemas<Body> {
  /** Fastify takes it in every 5.x, and declares its type in the newer ones only. */
  // biome-ignore lint/suspicious/noExplicitAny: as Fastify declares it
  logSerializers?: Record<string, (value: any) => any>
  /** Compiles the schemas of this route, its messages included. Default: Standard Schemas validate by themselves, the server's compiles JSON Schema. */
  validatorCompiler?: FastifySchemaCompiler<unknown>
  /** Compiles how its answers are written, those to messages included. Default: the server's. */
  serializerCompiler?: FastifySerializerCompiler<unknown>
  /** Schemas in Fastify's form, with what else it knows (`tags`, `summary`, `consumes`). On a WEBSOCKET route `response[200]` is the answer to a message. */
  schema?: FastifySchema & DescribedSchema & { body?: Body }
  /** Fastify's route config, for other plugins; `svc` is ours. */
  config?: Omit<FastifyContextConfig, 'svc'> & Record<string, unknown>
  /** Makes the route a tool of the Model Context Protocol, with svc-mcp. */
  tool?: boolean | RouteTool
  /** Makes a GET route a resource of the Model Context Protocol, with svc-mcp. */
  resource?: boolean | RouteResource
  /** Default: the server's `exposeHeadRoutes`. */
  exposeHeadRoute?: boolean
}

const SHORT_FORMS = [
  ['body', 'body'],
  ['query', 'querystring'],
  ['params', 'params'],
  ['headers', 'headers'],
  ['response', 'response']
] as const

/** Short forms that are left beside a `schema` are given twice. */
export const SHORT_SCHEMAS: readonly string[] = SHORT_FORMS.map(([short]) => short)

/** Moves the short forms into `schema`. One that is there already stays where it is, to be reported at boot. */
export function withSchema(given: RouteSettings): RouteSettings {
  const settings: Record<string, unknown> = { ...given }
  const schema: Record<string, unknown> = { ...given.schema }
  if (schema.query !== undefined && schema.querystring === undefined) {
    schema.querystring = schema.query
    delete schema.query
  }
  for (const [short, part] of SHORT_FORMS) {
    if (settings[short] === undefined || schema[part] !== undefined) continue
    schema[part] = part === 'response' ? byStatus(settings[short]) : settings[short]
    delete settings[short]
  }
  return Object.keys(schema).length === 0 ? given : ({ ...settings, schema } as RouteSettings)
}

const STATUS = /^(?:[1-5](?:\d\d|xx)|default)$/i

/** One schema answers for every good status. */
function byStatus(response: unknown): unknown {
  const keys = typeof response === 'object' && response !== null ? Object.keys(response) : []
  return keys.length > 0 && keys.every((key) => STATUS.test(key)) ? response : { '2xx': response }
}
