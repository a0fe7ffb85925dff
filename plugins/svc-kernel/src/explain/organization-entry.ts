/**
 * The organisation that the path of a request names, and whether the caller is admitted there: svc-organizations refuses
 * others before any guard votes, also at routes without one.
 */
import type { FastifyInstance } from 'fastify'
import type { AccessToken } from '../identity/identity.ts'
import { decoratorOf } from '../plugin/optional-decorators.ts'
import type { ListedRoute } from '../routes/route-inventory.ts'
import type { FoundRoute } from './find-route.ts'

/** What becomes of a caller at the door of an organisation. */
export interface OrganizationEntry {
  /** Runs what is asked there; `null` where none has this name. */
  readonly within: (<T>(work: () => Promise<T>) => Promise<T>) | null
  /** `null` where the caller is admitted. */
  readonly refusal: { readonly status: 403 | 404; readonly reason: string } | null
}

/** What an explanation reads of `fastify.organizations`, where svc-organizations is registered. */
interface OrganizationsView {
  readonly pathParameter: string
  entry(token: AccessToken | null, name: string, closing: boolean): Promise<OrganizationEntry>
}

function organizationsOf(fastify: FastifyInstance): OrganizationsView | null {
  return decoratorOf(fastify as unknown as { readonly organizations: OrganizationsView }, 'organizations')
}

/** How a caller fares who asks for this route; `null` where it names no organisation. */
export function entryOf(
  fastify: FastifyInstance,
  found: FoundRoute | null
): ((token: AccessToken | null) => Promise<OrganizationEntry>) | null {
  const organizations = organizationsOf(fastify)
  if (organizations === null || found === null || found.route.organization === false) return null
  const name = found.params[organizations.pathParameter]
  if (name === undefined) return null
  return (token) => organizations.entry(token, name, found.route.organization === 'closing')
}

/** Whether requests for a route name an organisation in their path, so that it depends on the organisation who gets in. */
export function organizationRoutes(fastify: FastifyInstance): (route: ListedRoute) => boolean {
  const organizations = organizationsOf(fastify)
  if (organizations === null) return () => false
  const part = `:${organizations.pathParameter}`
  return ({ path, organization }) => organization !== false && path.split('/').includes(part)
}
