/**
 * Combines endpoints into Fastify routes. A GET and a WEBSOCKET on one path share a route, because an upgrade is a
 * GET; any other two endpoints on the same path are duplicates. Pure.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Problem } from 'svc-kernel'
import { describeRequirement } from 'svc-kernel/plugin'
import type { Endpoint } from './endpoint.ts'
import { places } from './guard-problems.ts'
import { ROUTE_HOOKS } from './route-problems.ts'

/** At least one of the two is set. */
export interface RoutePlan {
  readonly http: Endpoint | null
  readonly websocket: Endpoint | null
}

export interface AssembledRoutes {
  readonly plans: readonly RoutePlan[]
  readonly problems: readonly Problem[]
}

export function assembleRoutes(endpoints: readonly Endpoint[]): AssembledRoutes {
  const problems = [...duplicateProblems(endpoints), ...nameProblems(endpoints)]
  const sockets = new Map(endpoints.filter(isWebSocket).map((endpoint) => [placeOf(endpoint), endpoint]))
  const plans: RoutePlan[] = []
  for (const http of endpoints.filter((endpoint) => !isWebSocket(endpoint))) {
    const websocket = http.method === 'GET' ? (sockets.get(placeOf(http)) ?? null) : null
    if (websocket !== null) {
      sockets.delete(placeOf(http))
      problems.push(...sharingProblems(http, websocket))
    }
    plans.push({ http, websocket })
  }
  for (const websocket of sockets.values()) plans.push({ http: null, websocket })
  return { plans: headsFirst(plans), problems }
}

function isWebSocket({ method }: Endpoint): boolean {
  return method === 'WEBSOCKET'
}

/** The place of the endpoint in the router, whatever its parameters are named. */
function placeOf({ pattern, settings }: Endpoint): string {
  return `${pattern} ${JSON.stringify(settings.constraints ?? {})}`
}

/** Fastify adds a HEAD for each GET, unless one exists already. */
function headsFirst(plans: readonly RoutePlan[]): RoutePlan[] {
  const isHead = ({ http }: RoutePlan): boolean => http?.method === 'HEAD'
  return [...plans.filter(isHead), ...plans.filter((plan) => !isHead(plan))]
}

function duplicateProblems(endpoints: readonly Endpoint[]): Problem[] {
  const seen = new Map<string, Endpoint>()
  return endpoints.flatMap((endpoint) => {
    const key = `${endpoint.method} ${placeOf(endpoint)}`
    const first = seen.get(key)
    seen.set(key, first ?? endpoint)
    if (first === undefined) return []
    return [
      {
        code: 'SVC_ROUTE_DUPLICATE',
        message: `${endpoint.method} ${endpoint.path} is declared twice, by ${first.label} and by ${endpoint.label}`,
        at: places(first.source, endpoint.source),
        fix: 'change the path of one, or remove it'
      }
    ]
  })
}

/** Names that two routes share; the methods of one declaration share theirs legitimately. */
function nameProblems(endpoints: readonly Endpoint[]): Problem[] {
  const seen = new Map<string, Endpoint>()
  return endpoints.flatMap((endpoint) => {
    if (endpoint.name === null) return []
    const first = seen.get(endpoint.name) ?? endpoint
    seen.set(endpoint.name, first)
    if (first.label === endpoint.label && first.path === endpoint.path) return []
    return [
      {
        code: 'SVC_ROUTE_NAME',
        message: `two routes are named "${endpoint.name}", ${first.label} and ${endpoint.label}`,
        at: places(first.source, endpoint.source),
        fix: 'rename one'
      }
    ]
  })
}

/** The upgrade runs the hooks and schemas of the GET, so both endpoints must have the same. */
function sharingProblems(http: Endpoint, websocket: Endpoint): Problem[] {
  const at = places(http.source, websocket.source)
  const both = `GET and WEBSOCKET on ${http.path} (${[...new Set([http.label, websocket.label])].join(', ')})`
  const problems: Problem[] = []
  if (http.path !== websocket.path) {
    problems.push({
      code: 'SVC_ROUTE_TRANSPORT',
      message: `${both} share one route, but ${websocket.path} uses other parameter names`,
      at,
      fix: `use ${http.path} for both`
    })
  }
  if (!isDeepStrictEqual(accessOf(http), accessOf(websocket))) {
    problems.push({
      code: 'SVC_ROUTE_TRANSPORT',
      message: `${both} share one route and must have the same guard`,
      at,
      got: `${describeAccess(http)} on GET, ${describeAccess(websocket)} on WEBSOCKET`,
      fix: 'give both the same guard, or use another path'
    })
  }
  if (!isDeepStrictEqual(http.limits, websocket.limits)) {
    problems.push({
      code: 'SVC_ROUTE_TRANSPORT',
      message: `${both} share one route and must have the same rate limits`,
      at,
      fix: 'give both the same @RateLimit, or use another path'
    })
  }
  for (const hook of ROUTE_HOOKS) {
    const wanted = websocket.settings[hook]
    if (wanted !== undefined && !isDeepStrictEqual(wanted, http.settings[hook])) {
      problems.push({
        code: 'SVC_ROUTE_TRANSPORT',
        message: `${both} share one route, but ${hook} differs`,
        at,
        fix: `give both the same ${hook}, or use another path`
      })
    }
  }
  for (const part of ['querystring', 'params', 'headers'] as const) {
    const wanted = schemaOf(websocket, part)
    if (wanted !== undefined && !isDeepStrictEqual(wanted, schemaOf(http, part))) {
      problems.push({
        code: 'SVC_ROUTE_TRANSPORT',
        message: `${both} share one route, but schema.${part} differs`,
        at,
        fix: `give both the same schema.${part}, or use another path`
      })
    }
  }
  return problems
}

function schemaOf({ settings, standard }: Endpoint, part: 'querystring' | 'params' | 'headers'): unknown {
  return standard[part] ?? settings.schema?.[part]
}

function accessOf({ access: { requirement, anonymous, bypassFirewall } }: Endpoint): object {
  return { clauses: new Set(requirement?.map((clause) => describeRequirement([clause]))), anonymous, bypassFirewall }
}

function describeAccess({ access: { requirement, anonymous, bypassFirewall } }: Endpoint): string {
  if (requirement !== null) return describeRequirement(requirement)
  return bypassFirewall ? '@BypassFirewall' : anonymous ? '@Anonymous' : 'nothing'
}
