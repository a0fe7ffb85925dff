/** Transfer of the ownership and deletion, for administrators of the application: as an owner would ask for them. */
import type { FastifyInstance } from 'fastify'
import type { GatesPort } from 'svc-kernel/plugin'
import { closed } from 'svc-kernel/schemas'
import { ArchiveNotFound, MemberNotFound, OrganizationNotFound } from '../errors.ts'
import type { OrganizationDeletion } from '../lifecycle/deletion.ts'
import type { OwnershipTransfer } from '../members/transfer.ts'
import { type AdminParts, type ById, changing, one, params, provenChange, reading } from './admin-route.ts'
import * as answers from './answers.ts'
import { byId } from './organizations-api.ts'

/** Also for the rows of entities, which an export holds. */
const DATA_ROLE = 'ROLE_SVC_DATA'

export function adminTransferRoutes(
  scope: FastifyInstance,
  transfer: OwnershipTransfer,
  { gates }: Pick<AdminParts, 'gates'>
): void {
  scope.post<ById & { Body: { readonly from: string; readonly to: string } }>(
    `${one}/transfer`,
    provenChange('one.transfer.offer', 'Offers the ownership to a member, in the name of an owner', gates, {
      params: params(),
      body: closed({ from: byId, to: byId }),
      response: { 202: answers.done },
      errors: [MemberNotFound]
    }),
    async ({ params: { id }, body: { from, to } }, reply) => {
      await transfer.offerOf(id, from, to)
      return reply.code(202).send({ ok: true })
    }
  )
  scope.delete<ById>(
    `${one}/transfer`,
    changing('one.transfer.withdraw', 'Withdraws the offer of the ownership', gates, {
      params: params(),
      response: { 200: answers.done },
      errors: [OrganizationNotFound]
    }),
    async ({ params: { id } }) => {
      await transfer.open(id)
      await transfer.withdraw(id)
      return { ok: true }
    }
  )
}

export function adminDeletionRoutes(
  scope: FastifyInstance,
  deletion: OrganizationDeletion,
  gates: Pick<GatesPort, 'csrf' | 'rights'>
): void {
  scope.post<ById>(
    `${one}/deletion`,
    provenChange('one.deletion', 'Closes an organisation, and has it removed once its days of grace are over', gates, {
      params: params(),
      response: { 202: answers.going },
      errors: [OrganizationNotFound]
    }),
    async ({ params: { id } }, reply) => reply.code(202).send({ deleteAt: await deletion.begin(id) })
  )
  scope.post<ById>(
    `${one}/deletion/cancel`,
    changing('one.deletion.cancel', 'Cancels the deletion', gates, {
      params: params(),
      response: { 200: answers.done },
      errors: [OrganizationNotFound]
    }),
    async ({ params: { id } }) => {
      await deletion.cancel(id)
      return { ok: true }
    }
  )
  scope.get<ById>(
    `${one}/deletion/export`,
    reading(
      'one.deletion.export',
      'The data of an organisation that is being deleted',
      { params: params(), response: { 200: answers.archive }, errors: [ArchiveNotFound] },
      DATA_ROLE
    ),
    async ({ params: { id } }, reply) => {
      const archive = await deletion.archive(id)
      return reply.header('content-disposition', 'attachment; filename="organization.json"').send(archive)
    }
  )
}
