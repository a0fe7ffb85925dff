/**
 * Finds the organisation that a request names, once the firewall knows the caller and before any guard votes. Requests that
 * this process makes, for messages of a socket and for jobs, go no further than the organisation of their opener or cause.
 */
import type {
  FastifyReply,
  FastifyRequest,
  HookHandlerDoneFunction,
  onRequestHookHandler,
  onRouteHookHandler
} from 'fastify'
import { ANONYMOUS, LimitExceeded } from 'svc-kernel'
import { openerOf, organizationOfJob, type RouteError } from 'svc-kernel/plugin'
import type { Limits } from 'svc-limits'
import { OrganizationClosing, OrganizationNotFound, OrganizationSuspended } from '../errors.ts'
import { type ActiveOrganization, type ActiveOrganizations, organizationOfKey } from './active-organizations.ts'
import { type NamingConfig, namesOf } from './named-organization.ts'
import type { SocketMembers } from './socket-members.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** `false`: the route belongs to no organisation, whatever the request names. `closing`: it admits members of one that is being deleted. */
    organization?: false | 'closing'
  }
}

/** The limits of keys, by name. */
export const KEY_LIMIT = 'svc.organizations.key'
export const ORGANIZATION_LIMIT = 'svc.organizations.keys'

/** What the hook answers a caller whom the organisation of a path does not admit. */
const REFUSALS: readonly RouteError[] = [OrganizationNotFound, OrganizationSuspended, OrganizationClosing]

/** Routes whose path names an organisation have the refusals in their description, and clients in their types. */
export function describeRefusals({ path }: NamingConfig): onRouteHookHandler {
  return (route) => {
    if (route.config?.organization === false || !route.url.split('/').includes(`:${path}`)) return
    route.schema = { ...route.schema, errors: [...(route.schema?.errors ?? []), ...REFUSALS] }
  }
}

export interface HookParts {
  readonly actives: ActiveOrganizations
  readonly naming: NamingConfig
  readonly sockets: SocketMembers
  /** `null` where keys are off. */
  readonly limits: Pick<Limits, 'take'> | null
}

const found = new WeakMap<FastifyRequest, ActiveOrganization>()

/** Where the caller of a request is active; `null` without an organisation. */
export function activeOf(request: FastifyRequest): ActiveOrganization | null {
  return found.get(request) ?? null
}

/** Of a socket, whose membership was checked again. */
export function setActive(request: FastifyRequest, active: ActiveOrganization): void {
  found.set(request, active)
}

export function organizationHook(parts: HookParts): onRequestHookHandler {
  return function enterOrganization(request, reply, done) {
    // Scopes that were created before the kernel do not have the field.
    if (request.organization === undefined) request.organization = null
    const config = request.routeOptions.config.organization
    try {
      const inherited = openerOf(request)?.organization ?? organizationOfJob(request)
      const names = config === false ? [] : namesOf(request, parts.naming)
      const key = organizationOfKey(request.token)
      const wanted = [key, inherited].filter((id) => id !== null)
      if (config === false && key !== null) throw new OrganizationNotFound()
      if (config === false || (names.length === 0 && wanted.length === 0)) done()
      else if (isOfNobody(request) && names.length === 0) {
        // Work of the application itself: nobody caused the job, which was checked when it began.
        request.organization = organizationOfJob(request)
        done()
      } else void enter(parts, { names, wanted, closing: config === 'closing' }, request, reply, done)
    } catch (error) {
      done(error as Error)
    }
  }
}

function isOfNobody(request: FastifyRequest): boolean {
  return organizationOfJob(request) !== null && (request.token === null || request.token.user === ANONYMOUS)
}

interface Wanted {
  readonly names: readonly string[]
  /** Ids of those that it must be. */
  readonly wanted: readonly string[]
  readonly closing: boolean
}

async function enter(
  { actives, sockets, limits }: HookParts,
  { names, wanted, closing }: Wanted,
  request: FastifyRequest,
  reply: FastifyReply,
  done: HookHandlerDoneFunction
): Promise<void> {
  try {
    const each = await Promise.all([...wanted, ...names].map((name) => actives.enter(request.token, name, closing)))
    const [active] = each
    if (active === undefined || each.some(({ organization }) => organization.id !== active.organization.id)) {
      throw new OrganizationNotFound()
    }
    const { id } = active.organization
    if (limits !== null && active.membership === null) await spend(limits, String(request.token?.apiKeyId), id, reply)
    request.organization = id
    found.set(request, active)
    if (request.headers.upgrade !== undefined) sockets.watch(request, id)
  } catch (error) {
    done(error as Error)
    return
  }
  done()
}

/** @throws LimitExceeded (429) */
async function spend(
  limits: Pick<Limits, 'take'>,
  key: string,
  organization: string,
  reply: FastifyReply
): Promise<void> {
  for (const [name, of] of [
    [KEY_LIMIT, key],
    [ORGANIZATION_LIMIT, organization]
  ] as const) {
    const { taken, retryAfterS } = await limits.take(name, of)
    if (taken) continue
    reply.header('retry-after', String(retryAfterS))
    throw new LimitExceeded(String(retryAfterS))
  }
}
