/**
 * Validates the parts of a request that have Standard Schemas, in the last `preValidation` hook of the route, just
 * before Fastify validates the others. The controller gets the transformed values, also of asynchronous schemas, which
 * Fastify itself drops. Parts are validated one after the other. An error of a schema becomes the answer of the
 * request.
 */
import type { FastifyRequest, preValidationHookHandler, RouteShorthandOptions } from 'fastify'
import { type Checked, markFormatted, type SchemaFault, type StandardParts, standardValidator } from 'svc-kernel/plugin'
import { INPUT_PARTS } from '../compile/route-schemas.ts'
import { pendingOf } from './compile-executor.ts'

type Part = (typeof INPUT_PARTS)[number]
type Options = Pick<RouteShorthandOptions, 'attachValidation' | 'schemaErrorFormatter'>
type Verdict = Error | undefined
type Check = (request: FastifyRequest) => Verdict | Promise<Verdict>

export function validateParts(standard: StandardParts, settings: Options): preValidationHookHandler {
  const { attachValidation, schemaErrorFormatter: format } = settings
  const options = { attachValidation, schemaErrorFormatter: format && markFormatted(format) } as Options
  const checks = INPUT_PARTS.flatMap((part) => {
    const schema = standard[part]
    return schema === undefined ? [] : [compileCheck(part, standardValidator(schema), options)]
  })

  function validateFrom(index: number, request: FastifyRequest): Verdict | Promise<Verdict> {
    for (let at = index; at < checks.length; at += 1) {
      const verdict = (checks[at] as Check)(request)
      if (verdict instanceof Promise) return verdict.then((fault) => fault ?? validateFrom(at + 1, request))
      if (verdict !== undefined) return verdict
    }
    return undefined
  }

  return function validateStandardSchemas(request, _reply, done) {
    const verdict = validateFrom(0, request)
    if (verdict instanceof Promise) {
      // `done` runs the following hooks on this stack, so this also has to catch their errors.
      verdict.then((fault) => {
        try {
          done(fault)
        } catch (error) {
          done(error as Error)
        }
      }, done)
    } else done(verdict)
  }
}

function compileCheck(part: Part, validate: ReturnType<typeof standardValidator>, options: Options): Check {
  const property = part === 'querystring' ? 'query' : part
  const take = (request: FastifyRequest, verdict: Checked): Verdict => {
    if (verdict.error === undefined) {
      // Fastify merges these into the received headers, for all later readers.
      request[property] = verdict.value as never
      return undefined
    }
    const fault = validationError(verdict.error, part, options)
    if (options.attachValidation !== true) return fault
    request.validationError = fault
    return undefined
  }
  return (request) => {
    const verdict = validate(request[property])
    const pending = pendingOf(verdict)
    return pending === null
      ? take(request, verdict as Checked)
      : pending.then((settled) => take(request, settled as Checked))
  }
}

/** In the form of Fastify's own errors, so that a custom formatter still applies. */
function validationError(validation: SchemaFault[], validationContext: Part, { schemaErrorFormatter }: Options) {
  const [first] = validation
  const error: Error & { statusCode?: number; code?: string } =
    schemaErrorFormatter?.(validation as never, validationContext) ??
    new Error(`${validationContext}${first?.instancePath ?? ''} ${first?.message ?? 'is not valid'}`)
  error.statusCode ||= 400
  error.code ||= 'FST_ERR_VALIDATION'
  return Object.assign(error, { validation, validationContext })
}
