/** Organisations and their members, for those who belong to them. */
import type { FastifyInstance } from 'fastify'
import { AccessDenied } from 'svc-kernel'
import { closed, object } from 'svc-kernel/schemas'
import { Unauthenticated } from 'svc-security/errors'
import {
  LastOwner,
  MemberNotFound,
  OrganizationNotFound,
  OrganizationSuspended,
  PersonNeeded,
  RoleAboveOwn,
  SlugTaken,
  TooManyOrganizations,
  UnknownRole
} from '../errors.ts'
import type { NewOrganization } from '../lifecycle/lifecycle.ts'
import type { OrganizationsConfig } from '../options.ts'
import { type Organizations, type Sections, viewOf } from '../organizations.ts'
import { MEMBER, type OrganizationRoles } from '../roles/organization-roles.ts'
import * as answers from './answers.ts'
import {
  byId,
  callerOf,
  memberRoute,
  name,
  ORGANIZATIONS_API,
  organizationOf,
  organizationsApi,
  ownMembership,
  ownRights,
  role,
  slug,
  userRoute
} from './organizations-api.ts'

const page = closed(
  {},
  {
    limit: { type: 'integer', minimum: 1, maximum: 1000, default: 100 },
    offset: { type: 'integer', minimum: 0, maximum: 1_000_000, default: 0 }
  }
)

interface Page {
  readonly limit: number
  readonly offset: number
}

interface RouteParts {
  readonly service: Organizations
  readonly sections: Sections
  readonly roles: OrganizationRoles
  readonly config: OrganizationsConfig
}

/** Refusals of every route in an organisation. */
export const REFUSALS = [OrganizationNotFound, OrganizationSuspended, AccessDenied]

export function organizationRoutes(fastify: FastifyInstance, { service, sections, roles, config }: RouteParts): void {
  const { path } = config.active
  const one = `${ORGANIZATIONS_API}/:${path}`
  const here = object({ [path]: byId })
  const byMember = object({ [path]: byId, member: byId })
  const { lifecycle, members } = sections
  organizationsApi(fastify, (scope) => {
    scope.get(
      ORGANIZATIONS_API,
      userRoute('mine', {
        summary: 'The organisations of the caller',
        schema: { response: { 200: answers.organizations }, errors: [Unauthenticated, PersonNeeded] }
      }),
      async (request) => ({ organizations: await service.of(await callerOf(request)) })
    )
    const { create } = config
    if (create !== undefined) {
      scope.post<{ Body: NewOrganization }>(
        ORGANIZATIONS_API,
        userRoute('create', {
          summary: 'Makes an organisation, of which the caller is the owner',
          schema: {
            body: closed({ name, slug }),
            response: { 201: answers.organization },
            errors: [Unauthenticated, PersonNeeded, SlugTaken, TooManyOrganizations]
          }
        }),
        async (request, reply) => {
          const owner = await callerOf(request)
          return reply.code(201).send(viewOf(await lifecycle.create(owner, request.body, create.maxPerUser)))
        }
      )
    }
    scope.get(
      one,
      memberRoute(
        'get',
        MEMBER,
        {
          summary: 'An organisation, and what the caller may there',
          schema: { params: here, response: { 200: answers.own }, errors: REFUSALS }
        },
        true
      ),
      async (request) => {
        const { organization, membership } = organizationOf(request)
        const permissions = [...ownRights(request).permissions]
        return { ...viewOf(organization), role: membership?.role ?? null, permissions }
      }
    )
    scope.patch<{ Body: Partial<NewOrganization> }>(
      one,
      memberRoute('rename', 'settings', {
        summary: 'Renames an organisation',
        schema: {
          params: here,
          body: { ...closed({}, { name, slug }), minProperties: 1 },
          response: { 200: answers.organization },
          errors: [...REFUSALS, SlugTaken]
        }
      }),
      async (request) => viewOf(await lifecycle.rename(organizationOf(request).organization.id, request.body))
    )
    scope.get(
      `${one}/roles`,
      memberRoute('roles', MEMBER, {
        summary: 'The roles of members, and their permissions',
        schema: { params: here, response: { 200: answers.roles }, errors: REFUSALS }
      }),
      async () => ({ roles: roles.names.map((each) => ({ name: each, permissions: [...roles.of(each)] })) })
    )
    scope.get<{ Querystring: Page }>(
      `${one}/members`,
      memberRoute('members', MEMBER, {
        summary: 'Members, in order of their joining',
        query: ['limit', 'offset'],
        schema: { params: here, querystring: page, response: { 200: answers.members }, errors: REFUSALS }
      }),
      async (request) => {
        const { limit, offset } = request.query
        const found = await members.list(organizationOf(request).organization.id, limit + 1, offset)
        return { members: found.slice(0, limit), hasNext: found.length > limit }
      }
    )
    scope.patch<{ Params: { readonly member: string }; Body: { readonly role: string } }>(
      `${one}/members/:member`,
      memberRoute('members.role', 'members', {
        summary: 'Gives a member another role, none above the own',
        schema: {
          params: byMember,
          body: closed({ role }),
          response: { 200: answers.member },
          errors: [...REFUSALS, MemberNotFound, UnknownRole, RoleAboveOwn, LastOwner]
        }
      }),
      async (request) => {
        const { id } = organizationOf(request).organization
        const { params, body } = request
        return members.view(await members.setRole(id, params.member, body.role, ownRights(request)))
      }
    )
    scope.delete<{ Params: { readonly member: string } }>(
      `${one}/members/:member`,
      memberRoute('members.remove', 'members', {
        summary: 'Removes a member, and ends everything that let the user in',
        schema: {
          params: byMember,
          response: { 200: answers.done },
          errors: [...REFUSALS, MemberNotFound, RoleAboveOwn, LastOwner]
        }
      }),
      async (request) => {
        const { id } = organizationOf(request).organization
        await members.remove(id, request.params.member, ownRights(request))
        return { ok: true }
      }
    )
    scope.post(
      `${one}/leave`,
      memberRoute('leave', MEMBER, {
        summary: 'Leaves an organisation, as whoever is not its last owner may',
        schema: { params: here, response: { 200: answers.done }, errors: [...REFUSALS, PersonNeeded, LastOwner] }
      }),
      async (request) => {
        const { id, organizationId } = ownMembership(request)
        await members.leave(organizationId, id)
        return { ok: true }
      }
    )
  })
}
