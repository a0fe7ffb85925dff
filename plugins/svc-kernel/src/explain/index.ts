/**
 * `svc-kernel/explain`: why a caller gets in, or does not. What `svc explain` prints and svc-security answers at
 * `POST /svc/security/api/explain`, from one and the same computation. Nothing is decided for real, nothing is audited.
 */
import type { FastifyInstance } from 'fastify'
import type { ListedRoute } from '../routes/route-inventory.ts'
import { callerOf, type DescribedCaller } from './caller.ts'
import { type Explanation, explainRequest } from './explanation.ts'
import { type RouterOptions, routeFinder } from './find-route.ts'
import { entryOf } from './organization-entry.ts'
import { patternText, type SecurityView, securityOf, type ZoneView } from './security-view.ts'

export interface AccessQuestion extends DescribedCaller {
  /** An HTTP method, or `WEBSOCKET`. */
  readonly method: string
  /** As requested, from `/` on. */
  readonly path: string
}

/** The zone as it is shown. */
export type ShownZone = Pick<ZoneView, 'name' | 'mode' | 'authenticators'> & { readonly pattern: string }

export interface AccessReport extends Pick<Explanation, 'proofs' | 'note'> {
  readonly method: string
  readonly path: string
  readonly caller: {
    readonly identifier: string
    readonly roles: readonly string[]
    readonly scopes: readonly string[]
  }
  /** `null` where none answers. */
  readonly route:
    | (Pick<ListedRoute, 'name' | 'path' | 'source' | 'anonymous' | 'bypassFirewall'> & {
        readonly params: Readonly<Record<string, string | undefined>>
      })
    | null
  readonly zone: ShownZone | null
  /** Of all proofs; `depends` where they differ. */
  readonly decision: 'granted' | 'refused' | 'not found' | 'upgrade required' | 'depends'
  readonly status: number | null
  readonly reason: string | null
}

export type AccessExplainer = (question: AccessQuestion) => Promise<AccessReport>

/**
 * Answers after `ready()`. The router is built once.
 *
 * @param routes of the application, in the order in which they were declared
 */
export function accessExplainer(fastify: FastifyInstance, routes: readonly ListedRoute[]): AccessExplainer {
  const find = routeFinder(routes, routerOptionsOf(fastify))
  const security: SecurityView | null = securityOf(fastify)
  return async (question) => {
    const { method, path } = question
    const found = find(method, path)
    const caller = await callerOf(fastify, question)
    const request = { found, path, socket: method === 'WEBSOCKET', caller, enter: entryOf(fastify, found) }
    const { zone, proofs, outcome, note } = await explainRequest(request, security)
    return {
      method,
      path,
      caller: { identifier: caller.identifier, roles: caller.roles, scopes: caller.scopes },
      route: found && shownRoute(found.route, found.params),
      zone: zone && shownZone(zone),
      proofs,
      ...(outcome ?? ({ decision: 'depends', status: null, reason: null } as const)),
      note
    }
  }
}

/** Switches are under `routerOptions` or, as in older applications, at the top; either one counts. */
function routerOptionsOf({ initialConfig }: FastifyInstance): RouterOptions {
  const places = [initialConfig, initialConfig.routerOptions ?? {}] as readonly RouterOptions[]
  return {
    caseSensitive: !places.some(({ caseSensitive }) => caseSensitive === false),
    ignoreTrailingSlash: places.some(({ ignoreTrailingSlash }) => ignoreTrailingSlash === true),
    ignoreDuplicateSlashes: places.some(({ ignoreDuplicateSlashes }) => ignoreDuplicateSlashes === true)
  }
}

function shownRoute(
  { name, path, source, anonymous, bypassFirewall }: ListedRoute,
  params: Readonly<Record<string, string | undefined>>
) {
  return { name, path, source, anonymous, bypassFirewall, params }
}

function shownZone(zone: ZoneView): ShownZone {
  const { name, mode, authenticators } = zone
  return { name, pattern: patternText(zone), mode, authenticators }
}

export { type Caller, callerOf, type DescribedCaller } from './caller.ts'
export type { AttributeAnswer, ClauseAnswer } from './deliberation.ts'
export {
  type ExplainedRequest,
  type Explanation,
  explainRequest,
  type Outcome,
  type ProofAnswer
} from './explanation.ts'
export { type FoundRoute, routeFinder } from './find-route.ts'
export { organizationRoutes } from './organization-entry.ts'
export { patternText, type SecurityView, securityOf, type ZoneView } from './security-view.ts'
