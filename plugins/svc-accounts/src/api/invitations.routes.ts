/** Invitations, for administrators. They give roles: who sends one was proven a short while ago, as for other rights. */
import type { FastifyInstance, FastifySchema } from 'fastify'
import { JobsUnavailable } from 'svc-jobs/errors'
import { adminChange, adminRoute, type GatesPort, strictQuery } from 'svc-kernel/plugin'
import { closed, object } from 'svc-kernel/schemas'
import { BeyondOwnRights, UnknownRole } from 'svc-security/errors'
import type { Accounts } from '../accounts.ts'
import { AddressTaken, InvalidAddress, InvitationNotFound } from '../errors.ts'
import type { NewInvitation } from '../flows/invitation.ts'
import { accountsApi, address, locale } from './accounts-api.ts'
import * as answers from './answers.ts'

const INVITATIONS_API = '/svc/accounts/api/invitations'

const roles = { type: 'array', maxItems: 50, items: { type: 'string', pattern: '^ROLE_[A-Z0-9_]{1,95}$' } } as const

/** A reference is a SHA-256, base64url. */
const byRef = object({ ref: { type: 'string', pattern: '^[A-Za-z0-9_-]{43}$' } })

export function invitationRoutes(fastify: FastifyInstance, accounts: Accounts, { csrf, rights }: GatesPort): void {
  const invite = adminChange('svc.accounts.invitations.invite', csrf)
  const proof = rights.proof === null ? {} : { proof: rights.proof }
  const settings = { preValidation: strictQuery([]) }
  const described = (summary: string, schema: FastifySchema) => ({
    schema: { ...schema, tags: ['accounts'], summary },
    ...settings
  })

  accountsApi(fastify, (scope) => {
    scope.get(
      INVITATIONS_API,
      {
        ...adminRoute('svc.accounts.invitations'),
        ...described('Invitations that were not accepted yet, the newest first', {
          response: { 200: answers.invitations }
        })
      },
      async () => ({ invitations: await accounts.invitations() })
    )
    scope.post<{ Body: NewInvitation }>(
      INVITATIONS_API,
      {
        ...invite,
        config: { ...invite.config, ...proof },
        ...described('Invites an address to open an account', {
          body: closed({ address, roles }, { locale }),
          response: { 202: answers.accepted },
          errors: [InvalidAddress, AddressTaken, BeyondOwnRights, UnknownRole, JobsUnavailable]
        })
      },
      async ({ body, token }, reply) => {
        rights.check(token, body.roles)
        await accounts.invite(body)
        return reply.code(202).send({ ok: true })
      }
    )
    scope.post<{ Params: { readonly ref: string } }>(
      `${INVITATIONS_API}/:ref/revoke`,
      {
        ...adminChange('svc.accounts.invitations.revoke', csrf),
        ...described('Revokes an invitation', {
          params: byRef,
          response: { 200: answers.done },
          errors: [InvitationNotFound]
        })
      },
      async ({ params }) => {
        await accounts.revokeInvitation(params.ref)
        return { ok: true }
      }
    )
  })
}
