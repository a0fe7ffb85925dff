/**
 * The routes that plugins declare bring the compilers of their schemas. Theirs are JSON
 * Schema, whatever an application sets for its own routes (Zod, TypeBox), and whenever it does.
 */
import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv'
import fastJsonStringify from 'fast-json-stringify'
import type { FastifyInstance, FastifySchemaCompiler, FastifySerializerCompiler } from 'fastify'
import type { RouteSecurity } from '../access/requirement.ts'
import { MAX_DETAILS } from '../http-errors/error-body.ts'

/** For a route's `serializerCompiler`: what Fastify itself writes answers with. */
export const jsonSchemaSerializer: FastifySerializerCompiler<unknown> = ({ schema }) => {
  const write: (data: unknown) => string = fastJsonStringify(schema as object)
  return write
}

/** For every route of a plugin that is declared from here on. A controller's is the application's, and so are its compilers. */
export function compileRoutesOfPlugins(fastify: FastifyInstance): void {
  fastify.addHook('onRoute', function bringCompilers(route) {
    if (!isOfPlugin(route.config?.svc)) return
    route.validatorCompiler ??= onFirstUse(strictBodies)
    route.serializerCompiler ??= onFirstUse(jsonSchemaSerializer)
  })
}

/**
 * Plugins declare more routes than most starts see requests of, so their schemas are compiled for the first one. Those
 * of an application are compiled while it starts, where a mistake in them stops it.
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

/** Plugins name their routes `svc.…`, and no line of the application declares them. */
function isOfPlugin(svc: RouteSecurity | undefined): boolean {
  return svc !== undefined && svc.source === null && svc.name.startsWith('svc.')
}

/** Values in a body, at any depth, up to which all of its faults are looked for. */
const SMALL_BODY = 1000

/**
 * Makes validator compilers for bodies, with Ajv's options but for `allErrors`. Refusing is bounded: all faults of a
 * small body are looked for, of a large one only the first, and at most twenty are listed.
 *
 * @param spell rewrites a fault for the reader
 */
export function boundedValidation(options: Options, spell: (fault: ErrorObject) => ErrorObject = (fault) => fault) {
  // Made for the first schema: an Ajv of its own takes its time, and not every application has such a route.
  let thorough: Ajv | undefined
  let brief: Ajv | undefined
  return (schema: object) => {
    thorough ??= new Ajv({ ...options, allErrors: true })
    const all = thorough.compile(schema)
    // Few routes ever see a large body: it is compiled for the first one.
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
 * For a route's `validatorCompiler`: bodies are taken as they came. Fastify's own turns numbers into texts and removes
 * unknown keys in silence; in an API of security, a body means what it says or is refused. Parameters and headers are
 * texts and are read as Fastify reads them.
 */
export const strictBodies: FastifySchemaCompiler<unknown> = ({ schema, httpPart }) => {
  if (httpPart === 'body') return bodies(schema as object)
  texts ??= new Ajv({ coerceTypes: 'array', removeAdditional: true, useDefaults: true })
  const validate = texts.compile(schema as object)
  // In what it returns, as `onFirstUse` hands on nothing else.
  return (data: unknown) => validate(data) || { error: validate.errors ?? [] }
}

/** Fastify writes one sentence from all faults of a list; an error of our own is taken as it is. */
function listed(faults: readonly ErrorObject[], spell: (fault: ErrorObject) => ErrorObject): ErrorObject[] | Error {
  const validation = faults.slice(0, MAX_DETAILS).map(spell)
  const unlisted = faults.length - validation.length
  return unlisted === 0 ? validation : Object.assign(new Error('the body is not valid'), { validation, unlisted })
}

/** How many values there are, itself included; counting ends at `limit`. */
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
