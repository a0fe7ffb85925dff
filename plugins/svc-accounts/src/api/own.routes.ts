/** Routes of one's own account, by the session alone. What takes the account over asks for a proof a short while ago. */
import type { FastifyInstance } from 'fastify'
import { JobsUnavailable } from 'svc-jobs/errors'
import type { GatesPort } from 'svc-kernel/plugin'
import { closed } from 'svc-kernel/schemas'
import { AuthenticationUnavailable, LastAdministrator } from 'svc-security/errors'
import type { Accounts } from '../accounts.ts'
import { InvalidAddress, InvalidToken } from '../errors.ts'
import type { AccountsConfig } from '../options.ts'
import { ACCOUNTS_API, accountsApi, address, ownerOf, ownRoute, token } from './accounts-api.ts'
import * as answers from './answers.ts'

export function ownRoutes(
  fastify: FastifyInstance,
  accounts: Accounts,
  config: AccountsConfig,
  { csrf, session, recentProof }: GatesPort
): void {
  const change = { preParsing: [csrf, session] }
  const proven = { preParsing: [csrf, session, recentProof] }
  accountsApi(fastify, (scope) => {
    scope.get(
      `${ACCOUNTS_API}/me`,
      { ...ownRoute('me', 'The own account', { response: { 200: answers.state } }), preParsing: session },
      async (request) => {
        const owner = await ownerOf(request)
        return { identifier: owner.identifier, ...(await accounts.state(owner)) }
      }
    )
    if (config.changeAddress !== undefined) {
      scope.post<{ Body: { readonly address: string } }>(
        `${ACCOUNTS_API}/address`,
        {
          ...ownRoute('address', 'Mails a link that changes the address to the new one', {
            body: closed({ address }),
            response: { 202: answers.accepted },
            errors: [InvalidAddress, JobsUnavailable]
          }),
          ...proven
        },
        async (request, reply) => {
          const { identifier } = await ownerOf(request)
          await accounts.requestAddress(identifier, request.body.address)
          return reply.code(202).send({ ok: true })
        }
      )
    }
    if (config.deletion !== undefined) {
      scope.post(
        `${ACCOUNTS_API}/deletion`,
        {
          ...ownRoute('deletion', 'Has the account deleted once its days of grace are over, and ends every session', {
            response: { 202: answers.going },
            errors: [LastAdministrator, AuthenticationUnavailable, JobsUnavailable]
          }),
          ...proven
        },
        async (request, reply) => {
          const deleteAt = await accounts.requestDeletion(await ownerOf(request))
          return reply.code(202).send({ deleteAt })
        }
      )
      scope.post(
        `${ACCOUNTS_API}/deletion/cancel`,
        {
          ...ownRoute('deletion.cancel', 'Cancels the deletion of the own account', {
            response: { 200: answers.done },
            errors: [JobsUnavailable]
          }),
          ...change
        },
        async (request) => {
          await accounts.cancelDeletion(await ownerOf(request))
          return { ok: true }
        }
      )
    }
    if (config.export !== undefined) {
      scope.post(
        `${ACCOUNTS_API}/export`,
        {
          ...ownRoute('export', 'Gathers the own data, and mails a link to it', {
            response: { 202: answers.accepted },
            errors: [InvalidAddress, JobsUnavailable]
          }),
          ...proven
        },
        async (request, reply) => {
          await accounts.requestExport((await ownerOf(request)).identifier)
          return reply.code(202).send({ ok: true })
        }
      )
      scope.post<{ Body: { readonly token: string } }>(
        `${ACCOUNTS_API}/export/download`,
        {
          ...ownRoute('export.download', 'The own data, once', {
            body: closed({ token }),
            response: { 200: answers.archive },
            errors: [InvalidToken]
          }),
          ...proven
        },
        async (request, reply) => {
          const archive = await accounts.takeExport(await ownerOf(request), request.body.token)
          return reply.header('content-disposition', 'attachment; filename="account.json"').send(archive)
        }
      )
    }
  })
}
