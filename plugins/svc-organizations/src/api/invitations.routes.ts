/** Invitations to an organisation, and their acceptance by the account of the invited address. */
import type { FastifyInstance } from 'fastify'
import { LimitExceeded } from 'svc-kernel'
import { closed, object, textUpTo } from 'svc-kernel/schemas'
import { Unauthenticated } from 'svc-security/errors'
import {
  AlreadyMember,
  InvalidAddress,
  InvalidInvitation,
  InvitationNotFound,
  PersonNeeded,
  RoleAboveOwn,
  TooManyMembers,
  UnknownRole
} from '../errors.ts'
import type { MemberInvitations, NewMemberInvitation } from '../members/invitations.ts'
import * as answers from './answers.ts'
import { REFUSALS } from './organizations.routes.ts'
import {
  byId,
  callerOf,
  memberRoute,
  ORGANIZATIONS_API,
  organizationOf,
  organizationsApi,
  ownRights,
  role,
  userRoute
} from './organizations-api.ts'

export function invitationRoutes(fastify: FastifyInstance, invitations: MemberInvitations, path: string): void {
  const all = `${ORGANIZATIONS_API}/:${path}/invitations`
  const here = object({ [path]: byId })
  organizationsApi(fastify, (scope) => {
    scope.post<{ Body: { readonly token: string } }>(
      `${ORGANIZATIONS_API}/invitations/accept`,
      userRoute('invitations.accept', {
        summary: 'Joins an organisation: the link, and an account whose proven address is the invited one',
        schema: {
          body: closed({ token: textUpTo(100) }),
          response: { 200: answers.joined },
          errors: [Unauthenticated, PersonNeeded, InvalidInvitation, AlreadyMember]
        }
      }),
      async (request) => {
        const { organizationId, id, role } = await invitations.accept(await callerOf(request), request.body.token)
        return { organization: organizationId, member: id, role }
      }
    )
    scope.get(
      all,
      memberRoute('invitations', 'members', {
        summary: 'Invitations that were not accepted yet, the newest first',
        schema: { params: here, response: { 200: answers.invitations }, errors: REFUSALS }
      }),
      async (request) => ({ invitations: await invitations.list(organizationOf(request).organization.id) })
    )
    scope.post<{ Body: NewMemberInvitation }>(
      all,
      memberRoute('invitations.invite', 'members', {
        summary: 'Invites an address, to a role that is not above the own',
        schema: {
          params: here,
          body: closed({ address: textUpTo(320), role }),
          response: { 202: answers.done },
          errors: [...REFUSALS, InvalidAddress, UnknownRole, RoleAboveOwn, TooManyMembers, LimitExceeded]
        }
      }),
      async (request, reply) => {
        const by = { own: ownRights(request), name: request.user?.identifier ?? '' }
        await invitations.invite(organizationOf(request).organization.id, request.body, by)
        return reply.code(202).send({ ok: true })
      }
    )
    scope.delete<{ Params: { readonly invitation: string } }>(
      `${all}/:invitation`,
      memberRoute('invitations.revoke', 'members', {
        summary: 'Revokes an invitation',
        schema: {
          params: object({ [path]: byId, invitation: byId }),
          response: { 200: answers.done },
          errors: [...REFUSALS, InvitationNotFound]
        }
      }),
      async (request) => {
        await invitations.revoke(organizationOf(request).organization.id, request.params.invitation)
        return { ok: true }
      }
    )
  })
}
