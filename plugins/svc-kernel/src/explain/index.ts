/**
 * `svc-kernel/explain`: why a caller gets in, or does not. What `svc explain` prints and svc-security answers at
 * `POST /svc/security/api/explain`, from one and the same computation. Nothing is decided for real, nothing is audited.
 */
import type { FastifyInstance } from 'fastify'
import { runInOrganization } from '../context/organization.ts'
import { decoratorOf } from '../plugin/optional-decorators.ts'
import type { ListedRoute } from '../routes/route-inventory.ts'
import { callerOf, type DescribedCaller } from './caller.ts'
import { type Explanation, explainRequest } from './explanation.ts'
import { type FoundRoute, type RouterOptions, routeFinder } from './find-route.ts'
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
    const organization = await organizationOf(fastify, found)
    const explain = () => explainRequest({ found, path, socket: method === 'WEBSOCKET', caller }, security)
    const explanation = await (organization === null ? explain() : runInOrganization(organization, explain))
    const { zone, proofs, outcome, note } = explanation
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

/** What an explanation reads of `fastify.organizations`, where svc-organizations is registered. */
interface OrganizationsView {
  readonly pathParameter: string
  find(name: string): Promise<{ readonly id: string } | null>
}

/** The organisation that the path names. */
async function organizationOf(fastify: FastifyInstance, found: FoundRoute | null): Promise<string | null> {
  const organizations = decoratorOf(
    fastify as unknown as { readonly organizations: OrganizationsView },
    'organizations'
  )
  const name = organizations === null ? undefined : found?.params[organizations.pathParameter]
  return name === undefined ? null : ((await organizations?.find(name))?.id ?? null)
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
export { patternText, type SecurityView, securityOf, type ZoneView } from './security-view.ts'
