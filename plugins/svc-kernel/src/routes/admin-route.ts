/**
 * Helpers for routes that plugins declare by hand: their security config, and the guards of admin routes. A machine
 * needs the scope `svc:admin` for a change; the roles of its user are not enough.
 */
import type {
  FastifyRequest,
  preHandlerHookHandler,
  preParsingHookHandler,
  preValidationHookHandler,
  RouteOptions
} from 'fastify'
import { type GuardHooks, guardHooks } from '../access/guard.hook.ts'
import type { Requirement, RouteSecurity } from '../access/requirement.ts'
import { UnscopedAdminRoute } from '../errors.ts'
import { MAX_DETAILS } from '../http-errors/error-body.ts'
import { refusing } from '../http-errors/route-errors.ts'
import { isMachine } from '../identity/proof-kind.ts'
import type { RouteConfig } from './route-config.ts'

/**
 * The security config of a plugin's route: in its matching zone, unguarded, over HTTP. @param name such as
 * `svc.totp.enroll`
 */
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

/**
 * The scope that a machine needs, besides its user's roles, for administrative changes. Logins of people need no
 * scope.
 */
export const ADMIN_SCOPE = 'svc:admin'

const ADMIN: Requirement = [[{ attribute: 'ROLE_SVC_ADMIN' }]]
const ADMIN_CHANGE: Requirement = [...ADMIN, [{ attribute: ADMIN_SCOPE }]]

/**
 * Route options of an admin view, GET only. The guard is part of the route: if no firewall and jury admit an
 * administrator, it answers 403.
 *
 * @param besides another role that is required
 */
export function adminRoute(name: string, besides: string | null = null) {
  const requirement: Requirement = besides === null ? ADMIN : [...ADMIN, [{ attribute: besides }]]
  return { ...guardHooks(requirement), config: { svc: routeSecurity(name, { requirement }) } }
}

interface ChangeGuard {
  readonly requirement: Requirement
  readonly preParsing: preParsingHookHandler
  readonly preHandler: preHandlerHookHandler
}

/** @param besides what is required of people and machines alike */
function changeGuard(besides: Requirement): ChangeGuard {
  const asPerson = guardHooks([...ADMIN, ...besides])
  const asMachine = guardHooks([...ADMIN_CHANGE, ...besides])
  // Scopes do not limit the login of a person, whatever grants the role.
  const guardOf = ({ token }: FastifyRequest): GuardHooks =>
    token !== null && token !== undefined && isMachine(token) ? asMachine : asPerson
  return {
    requirement: besides.length === 0 ? ADMIN_CHANGE : [...ADMIN_CHANGE, ...besides],
    preParsing: function decideChange(request, reply, payload, done) {
      return guardOf(request).preParsing.call(this, request, reply, payload, done)
    },
    preHandler: function enforceChange(request, reply, done) {
      return guardOf(request).preHandler.call(this, request, reply, done)
    }
  }
}

const CHANGE = changeGuard([])

/**
 * Route options of an admin change. A machine also needs the scope `svc:admin`, because its credential may have been
 * made for another purpose.
 *
 * @param behind hooks between the guard and the body, such as `gates.csrf`; `null` for none
 */
export function adminChange(name: string, ...behind: ReadonlyArray<preParsingHookHandler | null>) {
  return changeRoute(name, CHANGE, behind)
}

/** The same, for who has another role besides. @param besides the role */
export function adminChangeBesides(
  name: string,
  besides: string,
  ...behind: ReadonlyArray<preParsingHookHandler | null>
) {
  return changeRoute(name, changeGuard([[{ attribute: besides }]]), behind)
}

function changeRoute(
  name: string,
  { requirement, preParsing, preHandler }: ChangeGuard,
  behind: ReadonlyArray<preParsingHookHandler | null>
) {
  return {
    preParsing: [preParsing, ...behind.filter((hook) => hook !== null)],
    preHandler,
    config: { svc: routeSecurity(name, { requirement }) }
  }
}

const INVALID = { code: 'SVC_HTTP_VALIDATION', statusCode: 400 }

const READS = ['GET', 'HEAD', 'OPTIONS', 'TRACE']

/**
 * An `onRoute` hook that refuses a route of `adminRoute` with a changing method, so that no plugin can forget the
 * scope.
 * @throws UnscopedAdminRoute
 */
export function checkAdminRoute({ method, url, config }: RouteOptions): void {
  const requirement = (config as RouteConfig | undefined)?.svc?.requirement
  if (requirement?.[0] !== ADMIN[0] || requirement?.[1] === ADMIN_CHANGE[1]) return
  const change = [method].flat().find((each) => !READS.includes(each.toUpperCase()))
  if (change !== undefined) throw new UnscopedAdminRoute(change, url)
}

/**
 * Refuses query parameters that the route's schema does not name. Fastify removes them silently, and a misspelt filter
 * would then widen the answer.
 *
 * @param known names of the parameters @returns a `preValidation` hook that answers 400, with a detail per unknown
 * name
 */
export function strictQuery(known: readonly string[]): preValidationHookHandler {
  const names = new Set(known)
  return refusing<preValidationHookHandler>(function refuseUnknownParameters(request, _reply, done) {
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
  }, INVALID)
}
