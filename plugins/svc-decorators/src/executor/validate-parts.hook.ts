/**
 * Validates the parts of a request whose schemas are Standard Schemas, as the last `preValidation` hook of the route:
 * just before Fastify validates the others. What a schema transforms is what the controller gets, from an asynchronous
 * one too; Fastify itself drops the value of an asynchronous validator.
 */
import type { FastifyRequest, preValidationHookHandler, RouteShorthandOptions } from 'fastify'
import { type Checked, type SchemaFault, type StandardParts, standardValidator } from 'svc-kernel'
import { INPUT_PARTS } from '../compile/route-schemas.ts'
import { pendingOf } from './compile-executor.ts'

type Part = (typeof INPUT_PARTS)[number]
type Options = Pick<RouteShorthandOptions, 'attachValidation' | 'schemaErrorFormatter'>
type Check = (request: FastifyRequest) => Error | undefined | Promise<Error | undefined>

export function validateParts(standard: StandardParts, options: Options): preValidationHookHandler {
  const checks = INPUT_PARTS.flatMap((part) => {
    const schema = standard[part]
    return schema === undefined ? [] : [compileCheck(part, standardValidator(schema), options)]
  })

  function validateFrom(index: number, request: FastifyRequest, done: (error?: Error) => void): void {
    for (let at = index; at < checks.length; at += 1) {
      const fault = (checks[at] as Check)(request)
      if (fault instanceof Promise) {
        fault.then((settled) => {
          if (settled === undefined) validateFrom(at + 1, request, done)
          else done(settled)
        }, done)
        return
      }
      if (fault !== undefined) {
        done(fault)
        return
      }
    }
    done()
  }

  return function validateStandardSchemas(request, _reply, done) {
    validateFrom(0, request, done)
  }
}

function compileCheck(part: Part, validate: ReturnType<typeof standardValidator>, options: Options): Check {
  const property = part === 'querystring' ? 'query' : part
  const take = (request: FastifyRequest, verdict: Checked): Error | undefined => {
    if (verdict.error === undefined) {
      // Fastify adds what it is given to the headers that came, for all who read them later.
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

/** Of the form that Fastify gives to its own. */
function validationError(validation: SchemaFault[], validationContext: Part, { schemaErrorFormatter }: Options) {
  const [first] = validation
  const error =
    schemaErrorFormatter?.(validation as never, validationContext) ??
    new Error(`${validationContext}${first?.instancePath ?? ''} ${first?.message ?? 'is not valid'}`)
  return Object.assign(error, { statusCode: 400, code: 'FST_ERR_VALIDATION', ...error, validation, validationContext })
}
