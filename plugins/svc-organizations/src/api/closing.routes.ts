/** Transfer of the ownership and deletion: for people alone, and for owners. What they undo works in the days of grace, too. */
import type { FastifyInstance } from 'fastify'
import type { GatesPort } from 'svc-kernel/plugin'
import { closed, object } from 'svc-kernel/schemas'
import { ArchiveNotFound, MemberNotFound, PersonNeeded, RoleAboveOwn, TransferNotFound } from '../errors.ts'
import type { OrganizationDeletion } from '../lifecycle/deletion.ts'
import type { OwnershipTransfer } from '../members/transfer.ts'
import { MEMBER, OWNER } from '../roles/organization-roles.ts'
import * as answers from './answers.ts'
import { REFUSALS } from './organizations.routes.ts'
import {
  byId,
  memberRoute,
  ORGANIZATIONS_API,
  organizationOf,
  organizationsApi,
  ownMembership
} from './organizations-api.ts'

export function transferRoutes(fastify: FastifyInstance, transfer: OwnershipTransfer, path: string): void {
  const one = `${ORGANIZATIONS_API}/:${path}/transfer`
  const params = object({ [path]: byId })
  organizationsApi(fastify, (scope) => {
    scope.get(
      one,
      memberRoute('transfer', MEMBER, {
        summary: 'The member to whom the ownership is offered',
        schema: { params, response: { 200: answers.transfer }, errors: REFUSALS }
      }),
      async (request) => ({ to: await transfer.open(organizationOf(request).organization.id) })
    )
    scope.post<{ Body: { readonly to: string } }>(
      one,
      memberRoute('transfer.offer', 'deletion', {
        summary: 'Offers the ownership to a member',
        schema: {
          params,
          body: closed({ to: byId }),
          response: { 202: answers.done },
          errors: [...REFUSALS, PersonNeeded, RoleAboveOwn, MemberNotFound]
        }
      }),
      async (request, reply) => {
        const from = ownMembership(request)
        if (from.role !== OWNER) throw new RoleAboveOwn()
        await transfer.offer(from, request.body.to)
        return reply.code(202).send({ ok: true })
      }
    )
    scope.delete(
      one,
      memberRoute('transfer.withdraw', 'deletion', {
        summary: 'Withdraws the offer of the ownership',
        schema: { params, response: { 200: answers.done }, errors: REFUSALS }
      }),
      async (request) => {
        await transfer.withdraw(organizationOf(request).organization.id)
        return { ok: true }
      }
    )
    scope.post(
      `${one}/accept`,
      memberRoute('transfer.accept', MEMBER, {
        summary: 'Takes the ownership over; who offered it gets the role that the caller had',
        schema: { params, response: { 200: answers.done }, errors: [...REFUSALS, PersonNeeded, TransferNotFound] }
      }),
      async (request) => {
        await transfer.accept(ownMembership(request))
        return { ok: true }
      }
    )
  })
}

export function deletionRoutes(
  fastify: FastifyInstance,
  deletion: OrganizationDeletion,
  path: string,
  { rights }: Pick<GatesPort, 'rights'>
): void {
  const one = `${ORGANIZATIONS_API}/:${path}/deletion`
  const params = object({ [path]: byId })
  organizationsApi(fastify, (scope) => {
    const begin = memberRoute('deletion', 'deletion', {
      summary: 'Closes an organisation, and has it removed once its days of grace are over',
      schema: { params, response: { 202: answers.going }, errors: [...REFUSALS, PersonNeeded] }
    })
    const proof = rights.proof === null ? {} : { proof: rights.proof }
    scope.post(one, { ...begin, config: { ...begin.config, ...proof } }, async (request, reply) => {
      const { organizationId } = ownMembership(request)
      return reply.code(202).send({ deleteAt: await deletion.begin(organizationId) })
    })
    scope.post(
      `${one}/cancel`,
      memberRoute(
        'deletion.cancel',
        'deletion',
        {
          summary: 'Cancels the deletion',
          schema: { params, response: { 200: answers.done }, errors: [...REFUSALS, PersonNeeded] }
        },
        true
      ),
      async (request) => {
        await deletion.cancel(ownMembership(request).organizationId)
        return { ok: true }
      }
    )
    scope.get(
      `${one}/export`,
      memberRoute(
        'deletion.export',
        'deletion',
        {
          summary: 'The data of an organisation that is being deleted',
          schema: { params, response: { 200: answers.archive }, errors: [...REFUSALS, PersonNeeded, ArchiveNotFound] }
        },
        true
      ),
      async (request, reply) => {
        const archive = await deletion.archive(ownMembership(request).organizationId)
        return reply.header('content-disposition', 'attachment; filename="organization.json"').send(archive)
      }
    )
  })
}
