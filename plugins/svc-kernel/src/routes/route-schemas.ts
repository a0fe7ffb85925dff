/**
 * Schema compilers for the routes of plugins. Those schemas are JSON Schema, whatever compiler (Zod, TypeBox) an
 * application sets for its own routes.
 */
import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv'
import fastJsonStringify from 'fast-json-stringify'
import type { FastifyInstance, FastifySchemaCompiler, FastifySerializerCompiler } from 'fastify'
import type { RouteSecurity } from '../access/requirement.ts'
import { MAX_DETAILS } from '../http-errors/error-body.ts'

/** The `serializerCompiler` of Fastify itself. */
export const jsonSchemaSerializer: FastifySerializerCompiler<unknown> = ({ schema }) => {
  const write: (data: unknown) => string = fastJsonStringify(schema as object)
  return write
}

/**
 * A `serializerCompiler` that writes what is there. Data that is older than its schema, or that a store of the
 * application keeps, may lack a required value: it is left out or written as null, where Fastify's own serializer
 * fails or makes up an empty text or a 0.
 */
const lenientSerializer: FastifySerializerCompiler<unknown> = (route) =>
  jsonSchemaSerializer({ ...route, schema: lenient(route.schema) })

function lenient(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return schema
  const { required: _, properties, items, anyOf, ...rest } = schema as Record<string, unknown>
  if (Array.isArray(anyOf)) return lenient(merged(anyOf))
  // The serializer writes only the declared properties of an object, also where the type may be any other.
  if (Array.isArray(rest.type) && rest.type.includes('array') && items === undefined) return {}
  return {
    ...rest,
    ...(items === undefined ? {} : { items: lenient(items) }),
    ...(properties === undefined ? {} : { properties: lenientProperties(properties as object) })
  }
}

/** In a schema of an answer, not enumerable: a schema that is made from this one is described as it is. */
export const describedBy = Symbol.for('svc.described-by')

/** The same schema, which writes an answer; the API description shows the other, which says more. */
export function describedAs<Schema extends object>(schema: Schema, described: object): Schema {
  return Object.defineProperty(schema, describedBy, { value: described })
}

/** What any of these objects may have: what is there is written. */
function merged(choices: readonly { readonly properties?: object }[]): object {
  return { type: 'object', properties: Object.assign({}, ...choices.map(({ properties }) => properties).reverse()) }
}

function lenientProperties(properties: object): object {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => {
      const written = lenient(schema) as object
      return [name, 'type' in written ? { ...written, nullable: true } : written]
    })
  )
}

/**
 * Applies to every plugin route declared after this call. Routes of controllers use the compilers of the application.
 */
export function compileRoutesOfPlugins(fastify: FastifyInstance): void {
  fastify.addHook('onRoute', function bringCompilers(route) {
    if (!isOfPlugin(route.config?.svc)) return
    route.validatorCompiler ??= onFirstUse(strictBodies)
    route.serializerCompiler ??= onFirstUse(lenientSerializer)
  })
}

/**
 * Compiles schemas of plugins at the first request, because most runs use few of their routes. Schemas of the
 * application are compiled at boot, where a mistake stops it.
 */
export function onFirstUse<Route, Data, Outcome>(
  compile: (route: Route) => (data: Data) => Outcome
): (route: Route) => (data: Data) => Outcome {
  return (route) => {
    let compiled: ((data: Data) => Outcome) | undefined
    return (data) => {
      compiled ??= compile(route)
      return compiled(data)
    }
  }
}

/** Plugins name their routes `svc.…`, and they have no source line in the application. */
function isOfPlugin(svc: RouteSecurity | undefined): boolean {
  return svc !== undefined && svc.source === null && svc.name.startsWith('svc.')
}

/** Up to this number of values, validation looks for all faults of a body. */
const SMALL_BODY = 1000

/**
 * Makes validator compilers for bodies, with Ajv's options except `allErrors`. Validation is bounded: it reports all
 * faults of a small body, only the first of a large body, and at most twenty.
 *
 * @param spell rewrites a fault for the reader
 */
export function boundedValidation(options: Options, spell: (fault: ErrorObject) => ErrorObject = (fault) => fault) {
  // Created for the first schema: an Ajv instance is slow to create, and not every application has such a route.
  let thorough: Ajv | undefined
  let brief: Ajv | undefined
  return (schema: object) => {
    thorough ??= new Ajv({ ...options, allErrors: true })
    const all = thorough.compile(schema)
    // Compiled for the first large body, because few routes ever see one.
    let first: ValidateFunction | undefined
    return (data: unknown): true | { error: ErrorObject[] | Error } => {
      const isSmall = countedUpTo(SMALL_BODY, data) < SMALL_BODY
      if (!isSmall) {
        brief ??= new Ajv({ ...options, allErrors: false })
        first ??= brief.compile(schema)
      }
      const validate = first === undefined || isSmall ? all : first
      return validate(data) ? true : { error: listed(validate.errors ?? [], spell) }
    }
  }
}

const bodies = boundedValidation({ useDefaults: true })
let texts: Ajv | undefined

/**
 * A `validatorCompiler` that takes bodies literally. Fastify's own coerces types and removes unknown keys silently; an
 * API for security must accept a body as sent or refuse it. Parameters and headers are texts and are coerced as usual.
 */
export const strictBodies: FastifySchemaCompiler<unknown> = ({ schema, httpPart }) => {
  if (httpPart === 'body') return bodies(schema as object)
  texts ??= new Ajv({ coerceTypes: 'array', removeAdditional: true, useDefaults: true })
  const validate = texts.compile(schema as object)
  // Part of the result, because `onFirstUse` passes nothing else on.
  return (data: unknown) => validate(data) || { error: validate.errors ?? [] }
}

/** Fastify joins the faults of a list into one sentence, and passes one error on unchanged. */
function listed(faults: readonly ErrorObject[], spell: (fault: ErrorObject) => ErrorObject): ErrorObject[] | Error {
  const validation = faults.slice(0, MAX_DETAILS).map(spell)
  const unlisted = faults.length - validation.length
  return unlisted === 0 ? validation : Object.assign(new Error('the body is not valid'), { validation, unlisted })
}

/** Counts the values, the body itself included, and stops at `limit`. */
function countedUpTo(limit: number, data: unknown): number {
  const waiting = [data]
  let count = 0
  while (waiting.length > 0 && count < limit) {
    const value = waiting.pop()
    count += 1
    if (typeof value !== 'object' || value === null) continue
    for (const key in value) {
      if (count + waiting.length >= limit) return limit
      waiting.push((value as Record<string, unknown>)[key])
    }
  }
  return count
}

/** The schema of a good answer: 200, else 2xx, else default; Fastify's `content` form for JSON too. @param response by status */
export function answerSchema(response: unknown): unknown {
  const byStatus = (response ?? {}) as Record<string, unknown>
  const answer = byStatus['200'] ?? byStatus['2xx'] ?? byStatus['2XX'] ?? byStatus.default
  const content = (answer as { content?: Record<string, { schema?: unknown }> } | undefined)?.content
  return content === undefined ? answer : content['application/json']?.schema
}
