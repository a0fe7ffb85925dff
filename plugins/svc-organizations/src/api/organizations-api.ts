/** What the routes of organisations have in common: small JSON bodies, answers that no cache stores, and guards by permission. */
import type { FastifyInstance, FastifyRequest, FastifySchema } from 'fastify'
import { ANONYMOUS, guardHooks, type Requirement } from 'svc-kernel'
import { isMachine, routeSecurity, strictQuery } from 'svc-kernel/plugin'
import { textUpTo } from 'svc-kernel/schemas'
import { Unauthenticated } from 'svc-security/errors'
import { type ActiveOrganization, rightsOf } from '../active/active-organizations.ts'
import { activeOf } from '../active/organization.hook.ts'
import { OrganizationNotFound, PersonNeeded } from '../errors.ts'
import type { AskedUser } from '../options.ts'
import type { MembershipRecord } from '../records/membership-store.ts'
import { attributeOf, type Rights } from '../roles/organization-roles.ts'

export const ORGANIZATIONS_API = '/api/organizations'

export const slug = {
  type: 'string',
  pattern: '^(?!(invitations|sign-in)$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'
} as const
export const name = textUpTo(200)
export const role = textUpTo(60)
export const byId = textUpTo(100)

const BODY_LIMIT = 16_384

/** Declares routes that take JSON and nothing else, so that no plain form of another page can post to them. */
export function organizationsApi(fastify: FastifyInstance, routes: (scope: FastifyInstance) => void): void {
  fastify.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/json', { parseAs: 'string' }, scope.getDefaultJsonParser('error', 'error'))
    scope.addHook('onRoute', (route) => {
      route.bodyLimit ??= BODY_LIMIT
    })
    scope.addHook('onRequest', async (_request, reply) => {
      reply.header('cache-control', 'no-store')
    })
    routes(scope)
  })
}

interface Described {
  readonly summary: string
  readonly schema: FastifySchema
  /** Names of the query. */
  readonly query?: readonly string[]
}

/** A route that needs no credential, such as for a page before the sign-in. */
export function openRoute(route: string, { summary, schema, query = [] }: Described) {
  return {
    config: {
      svc: routeSecurity(`svc.organizations.${route}`, { anonymous: true }),
      organization: false as const,
      limits: { rate: '60/min', by: 'address' as const }
    },
    preValidation: strictQuery(query),
    schema: { ...schema, tags: ['organizations'], summary }
  }
}

/** A route of who is signed in, in no organisation. */
export function userRoute(route: string, { summary, schema, query = [] }: Described) {
  return {
    config: { svc: routeSecurity(`svc.organizations.${route}`), organization: false as const },
    preValidation: strictQuery(query),
    schema: { ...schema, tags: ['organizations'], summary }
  }
}

/** A route in an organisation. @param permission what it asks for @param closing it works while the organisation is being deleted */
export function memberRoute(
  route: string,
  permission: string,
  { summary, schema, query = [] }: Described,
  closing = false
) {
  const requirement: Requirement = [[{ attribute: attributeOf(permission) }]]
  return {
    ...guardHooks(requirement),
    config: {
      svc: routeSecurity(`svc.organizations.${route}`, { requirement }),
      ...(closing ? { organization: 'closing' as const } : {})
    },
    preValidation: strictQuery(query),
    schema: { ...schema, tags: ['organizations'], summary }
  }
}

/** The organisation of the request, behind its guard. @throws OrganizationNotFound (404) */
export function organizationOf(request: FastifyRequest): ActiveOrganization {
  const active = activeOf(request)
  if (active === null) throw new OrganizationNotFound()
  return active
}

export function ownRights(request: FastifyRequest): Rights {
  const { token } = request
  if (token === null) throw new Unauthenticated()
  return rightsOf(organizationOf(request), token)
}

/** The membership of a person. @throws PersonNeeded (403) for a key or another machine */
export function ownMembership(request: FastifyRequest): MembershipRecord {
  const { membership } = organizationOf(request)
  if (membership === null || request.token === null || isMachine(request.token)) throw new PersonNeeded()
  return membership
}

/** Who is signed in. @throws Unauthenticated (401), PersonNeeded (403) */
export async function callerOf({ user, token, server }: FastifyRequest): Promise<AskedUser> {
  if (user === null || token === null || user === ANONYMOUS) throw new Unauthenticated()
  if (isMachine(token)) throw new PersonNeeded()
  const found = await server.userAccounts.find(user.identifier)
  if (found === null) throw new Unauthenticated()
  return { id: found.id, identifier: found.identifier }
}
