/** Routes that plugins declare by hand: what reports and the firewall read of them, the guard of an administrator's. */
import type { preValidationHookHandler } from 'fastify'
import { guardHooks } from '../access/guard.hook.ts'
import type { Requirement, RouteSecurity } from '../access/requirement.ts'
import { MAX_DETAILS } from '../http-errors/error-body.ts'

/** Of a route of a plugin: in a zone where one matches, without a guard, over HTTP. @param name such as `svc.totp.enroll` */
export function routeSecurity(name: string, given: Partial<RouteSecurity> = {}): RouteSecurity {
  const plain = {
    requirement: null,
    anonymous: false,
    bypassFirewall: false,
    transports: ['HTTP'],
    source: null
  } as const
  return { name, ...plain, ...given }
}

const ADMIN: Requirement = [[{ attribute: 'ROLE_SVC_ADMIN' }]]

/**
 * Route options of an admin view. The guard travels with the route: where no firewall and no jury let an administrator
 * in, it answers 403.
 *
 * @param besides a role that is asked for as well
 */
export function adminRoute(name: string, besides: string | null = null) {
  const requirement: Requirement = besides === null ? ADMIN : [...ADMIN, [{ attribute: besides }]]
  return { ...guardHooks(requirement), config: { svc: routeSecurity(name, { requirement }) } }
}

/**
 * Refuses query parameters that a route's schema does not name. Fastify removes them in silence; a misspelt filter would
 * then widen the answer.
 *
 * @param known names of the parameters @returns a `preValidation` hook that answers 400, with a detail per unknown name
 */
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
