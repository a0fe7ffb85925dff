/**
 * SCIM 2.0 (RFC 7644) at `/scim/v2`: Users and Groups of the organisation whose key is on the request. The key needs the
 * permission `provisioning`.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { guardHooks, type Requirement } from 'svc-kernel'
import { readableError, routeSecurity } from 'svc-kernel/plugin'
import { organizationOf } from '../api/organizations-api.ts'
import type { FoundRows } from '../records/searched-rows.ts'
import { attributeOf } from '../roles/organization-roles.ts'
import { RESOURCE_TYPES, SCHEMAS, SERVICE_PROVIDER } from './scim-discovery.ts'
import { ScimError, scimErrorBody } from './scim-error.ts'
import { readFilter } from './scim-filter.ts'
import type { ScimGroups } from './scim-groups.ts'
import type { ScimListing } from './scim-listing.ts'
import { patched, type ScimResource } from './scim-patch.ts'
import type { ScimUsers } from './scim-users.ts'

export const SCIM_API = '/scim/v2'

const TYPE = 'application/scim+json; charset=utf-8'
const BODY_LIMIT = 1_048_576
const MOST_PER_PAGE = 1000

/** What Users and Groups have in common. */
interface Resources {
  search(organization: string, listing: ScimListing): Promise<FoundRows<ScimResource>>
  get(organization: string, id: string): Promise<ScimResource>
  create(organization: string, body: unknown): Promise<ScimResource>
  put(organization: string, id: string, body: unknown): Promise<ScimResource>
  patch(organization: string, id: string, body: unknown): Promise<ScimResource>
  remove(organization: string, id: string): Promise<void>
}

export function scimRoutes(fastify: FastifyInstance, users: ScimUsers, groups: ScimGroups): void {
  const requirement: Requirement = [[{ attribute: attributeOf('provisioning') }]]
  const guarded = (name: string) => ({
    ...guardHooks(requirement),
    config: { svc: routeSecurity(`svc.scim.${name}`, { requirement }) }
  })
  fastify.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      ['application/scim+json', 'application/json'],
      { parseAs: 'string', bodyLimit: BODY_LIMIT },
      scope.getDefaultJsonParser('error', 'error')
    )
    scope.addHook('onRequest', async (_request, reply) => {
      reply.header('cache-control', 'no-store')
    })
    scope.setErrorHandler(answerError)
    for (const [path, body] of Object.entries({ ServiceProviderConfig: SERVICE_PROVIDER })) {
      scope.get(`${SCIM_API}/${path}`, guarded(path), async (_request, reply) => send(reply, 200, body))
    }
    for (const [path, all] of Object.entries({ ResourceTypes: RESOURCE_TYPES, Schemas: SCHEMAS })) {
      scope.get(`${SCIM_API}/${path}`, guarded(path), async (_request, reply) =>
        send(reply, 200, listOf(all, 1, all.length))
      )
      scope.get<{ Params: { id: string } }>(
        `${SCIM_API}/${path}/:id`,
        guarded(`${path}.get`),
        async (request, reply) => {
          const found = all.find(({ id }) => id === request.params.id)
          if (found === undefined) throw new ScimError(404, 'there is no such resource')
          return send(reply, 200, found)
        }
      )
    }
    resourceRoutes(scope, 'Users', guarded, {
      search: (id, listing) => users.search(id, listing),
      get: (id, user) => users.get(id, user),
      create: (id, body) => users.create(id, body),
      put: (id, user, body) => users.replace(id, user, body),
      patch: async (id, user, body) => users.replace(id, user, patched(await users.get(id, user), body)),
      remove: (id, user) => users.remove(id, user)
    })
    resourceRoutes(scope, 'Groups', guarded, {
      search: (id, listing) => groups.search(id, listing),
      get: (id, group) => groups.get(id, group),
      create: (id, body) => groups.create(id, body),
      put: (id, group, body) => groups.change(id, group, () => body),
      patch: (id, group, body) => groups.change(id, group, (before) => patched(before, body)),
      remove: (id, group) => groups.remove(id, group)
    })
  })
}

type Guarded = (name: string) => ReturnType<typeof guardHooks> & { readonly config: object }

function resourceRoutes(
  scope: FastifyInstance,
  kind: 'Users' | 'Groups',
  guarded: Guarded,
  resources: Resources
): void {
  const all = `${SCIM_API}/${kind}`
  interface One {
    readonly Params: { readonly id: string }
  }
  const here = (request: FastifyRequest) => organizationOf(request).organization.id
  scope.get(all, guarded(`${kind}.list`), async (request, reply) => {
    const listing = listingOf(request.query)
    const { items, total } = await resources.search(here(request), listing)
    const shown = items.map((resource) => without(resource, request.query))
    return send(reply, 200, listOf(shown, listing.offset + 1, total))
  })
  scope.post(all, guarded(`${kind}.create`), async (request, reply) => {
    const made = await resources.create(here(request), request.body)
    return send(reply.header('location', `${all}/${String(made.id)}`), 201, made)
  })
  scope.get<One>(`${all}/:id`, guarded(`${kind}.get`), async (request, reply) => {
    return send(reply, 200, without(await resources.get(here(request), request.params.id), request.query))
  })
  scope.put<One>(`${all}/:id`, guarded(`${kind}.replace`), async (request, reply) => {
    return send(reply, 200, await resources.put(here(request), request.params.id, request.body))
  })
  scope.patch<One>(`${all}/:id`, guarded(`${kind}.patch`), async (request, reply) => {
    return send(reply, 200, await resources.patch(here(request), request.params.id, request.body))
  })
  scope.delete<One>(`${all}/:id`, guarded(`${kind}.remove`), async (request, reply) => {
    await resources.remove(here(request), request.params.id)
    return reply.code(204).send()
  })
}

/** @throws ScimError (400) */
function listingOf(query: unknown): ScimListing {
  const { filter, startIndex, count, sortBy, sortOrder } = query as Readonly<Record<string, unknown>>
  const asked = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''
  return {
    filter: asked(filter) ? readFilter(filter) : null,
    sortBy: asked(sortBy) ? sortBy.trim() : null,
    descending: String(sortOrder).toLowerCase() === 'descending',
    limit: Math.min(Math.max(0, wholeNumber(count, 100, 'count')), MOST_PER_PAGE),
    offset: Math.max(1, wholeNumber(startIndex, 1, 'startIndex')) - 1
  }
}

function wholeNumber(given: unknown, fallback: number, name: string): number {
  if (given === undefined) return fallback
  if (typeof given === 'string' && /^-?\d{1,9}$/.test(given)) return Number(given)
  throw new ScimError(400, `${name} must be a whole number`, 'invalidValue')
}

/** Entra leaves the members of large groups out. */
function without(resource: ScimResource, query: unknown): ScimResource {
  const { excludedAttributes } = query as Readonly<Record<string, unknown>>
  if (typeof excludedAttributes !== 'string') return resource
  const names = excludedAttributes
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
  const kept = Object.entries(resource).filter(
    ([key]) => key === 'id' || key === 'schemas' || !names.includes(key.toLowerCase())
  )
  return Object.fromEntries(kept)
}

function listOf(items: readonly object[], startIndex: number, totalResults: number) {
  const schemas = ['urn:ietf:params:scim:api:messages:2.0:ListResponse']
  return { schemas, totalResults, startIndex, itemsPerPage: items.length, Resources: items }
}

function send(reply: FastifyReply, status: number, body: object): FastifyReply {
  return reply.code(status).type(TYPE).send(JSON.stringify(body))
}

function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { statusCode = 500, message } = readableError(error)
  if (error instanceof ScimError) return send(reply, statusCode, scimErrorBody(statusCode, message, error.scimType))
  if (statusCode >= 500) request.log.error({ err: error }, 'a request of a provisioning system failed')
  const shown = statusCode >= 500 ? 'the request failed' : message
  return send(reply, statusCode, scimErrorBody(statusCode, shown, statusCode === 400 ? 'invalidSyntax' : undefined))
}
