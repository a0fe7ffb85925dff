/**
 * Refuses query parameters that a route's schema does not name. Fastify removes
 * them in silence; a misspelt filter would then widen the answer.
 */
import type { preValidationHookHandler } from 'fastify'
import { MAX_DETAILS } from '../http-errors/error-body.ts'

/** @param known names of the parameters @returns a `preValidation` hook that answers 400, with a detail per unknown name */
export function strictQuery(known: readonly string[]): preValidationHookHandler {
  const names = new Set(known)
  return function refuseUnknownParameters(request, _reply, done) {
    const unknown = Object.keys(request.query as object).filter((name) => !names.has(name))
    if (unknown.length === 0) {
      done()
      return
    }
    const named = unknown.slice(0, MAX_DETAILS)
    const validation = named.map((name) => ({
      instancePath: `/${name}`,
      message: `is not a known parameter; known: ${known.join(', ')}`
    }))
    const error = new Error(`unknown query parameter: ${named.join(', ')}`)
    done(
      Object.assign(error, {
        statusCode: 400,
        code: 'SVC_HTTP_VALIDATION',
        validation,
        unlisted: unknown.length - named.length,
        validationContext: 'querystring'
      })
    )
  }
}
