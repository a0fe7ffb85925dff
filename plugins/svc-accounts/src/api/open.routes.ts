/**
 * Routes that need no session: sign-up and reset, and what the links of mails lead to. Those that name an address answer
 * the same whether or not it has an account, before any work that depends on it.
 */
import type { FastifyInstance } from 'fastify'
import { JobsUnavailable } from 'svc-jobs/errors'
import { closed } from 'svc-kernel/schemas'
import { AuthenticationUnavailable, InvalidPassword, PasswordsBusy } from 'svc-security/errors'
import type { Accounts } from '../accounts.ts'
import { AddressTaken, InvalidAddress, InvalidToken, WrongSignUpPassword } from '../errors.ts'
import type { NewSignUp, Redemption } from '../flows/sign-up.ts'
import type { AccountsConfig } from '../options.ts'
import { ACCOUNTS_API, accountsApi, address, locale, openRoute, password, token } from './accounts-api.ts'
import * as answers from './answers.ts'

const ASKED = { response: { 202: answers.accepted } }
const redemption = closed({ token, password })
const byToken = closed({ token })

interface Asking {
  readonly Body: { readonly address: string }
}
interface ByToken {
  readonly Body: { readonly token: string }
}

export function openRoutes(fastify: FastifyInstance, accounts: Accounts, config: AccountsConfig): void {
  const network = { rate: config.limits.perNetwork, by: 'address', name: 'svc.accounts.network' } as const
  const setting = PASSWORD_ERRORS
  accountsApi(fastify, (scope) => {
    if (config.signUp !== undefined) {
      scope.post<{ Body: NewSignUp }>(
        `${ACCOUNTS_API}/sign-up`,
        openRoute('sign-up', network, 'Signs up: the link that completes it is mailed', {
          body: closed({ address, password }, { locale }),
          ...ASKED,
          errors: [InvalidAddress, ...setting]
        }),
        async ({ body }, reply) => {
          await accounts.signUp(body)
          return reply.code(202).send({ ok: true })
        }
      )
      scope.post<Asking>(
        `${ACCOUNTS_API}/sign-up/resend`,
        openRoute('sign-up.resend', network, 'Mails the link of an open sign-up again', {
          body: closed({ address }),
          ...ASKED,
          errors: [InvalidAddress, JobsUnavailable]
        }),
        async ({ body }, reply) => {
          await accounts.resend(body.address)
          return reply.code(202).send({ ok: true })
        }
      )
      scope.post<{ Body: Redemption }>(
        `${ACCOUNTS_API}/verify`,
        openRoute('verify', network, 'Completes a sign-up with its link and its password', {
          body: redemption,
          response: { 200: answers.named },
          errors: [InvalidToken, WrongSignUpPassword, AddressTaken]
        }),
        async ({ body }) => ({ identifier: await accounts.verify(body) })
      )
    }
    if (config.reset !== undefined) {
      scope.post<Asking>(
        `${ACCOUNTS_API}/reset`,
        openRoute('reset', network, 'Mails a link that resets the password', {
          body: closed({ address }),
          ...ASKED,
          errors: [InvalidAddress, JobsUnavailable]
        }),
        async ({ body }, reply) => {
          await accounts.requestReset(body.address)
          return reply.code(202).send({ ok: true })
        }
      )
      scope.post<{ Body: Redemption }>(
        `${ACCOUNTS_API}/reset/complete`,
        openRoute('reset.complete', network, 'Sets a new password, and ends every session', {
          body: redemption,
          response: { 200: answers.done },
          errors: [InvalidToken, ...setting]
        }),
        async ({ body }) => {
          await accounts.reset(body)
          return { ok: true }
        }
      )
    }
    if (config.changeAddress !== undefined) {
      scope.post<ByToken>(
        `${ACCOUNTS_API}/address/confirm`,
        openRoute('address.confirm', network, 'Gives the account its new address', {
          body: byToken,
          response: { 200: answers.named },
          errors: [InvalidToken, AddressTaken]
        }),
        async ({ body }) => ({ identifier: await accounts.confirmAddress(body.token) })
      )
      scope.post<ByToken>(
        `${ACCOUNTS_API}/address/undo`,
        openRoute('address.undo', network, 'Gives the account its former address back', {
          body: byToken,
          response: { 200: answers.done },
          errors: [InvalidToken, AddressTaken]
        }),
        async ({ body }) => {
          await accounts.undoAddress(body.token)
          return { ok: true }
        }
      )
    }
    if (config.invitations !== undefined) {
      scope.post<{ Body: Redemption }>(
        `${ACCOUNTS_API}/invitations/accept`,
        openRoute('invitations.accept', network, 'Opens the account of an invitation', {
          body: redemption,
          response: { 200: answers.named },
          errors: [InvalidToken, AddressTaken, ...setting]
        }),
        async ({ body }) => ({ identifier: await accounts.acceptInvitation(body) })
      )
    }
    if (config.deletion !== undefined) {
      scope.post<ByToken>(
        `${ACCOUNTS_API}/deletion/cancel-by-link`,
        openRoute('deletion.cancel-by-link', network, 'Cancels the deletion of an account', {
          body: byToken,
          response: { 200: answers.done },
          errors: [InvalidToken]
        }),
        async ({ body }) => {
          await accounts.cancelDeletion(body.token)
          return { ok: true }
        }
      )
    }
  })
}

/** Of a password that is set. */
const PASSWORD_ERRORS = [InvalidPassword, PasswordsBusy, AuthenticationUnavailable, JobsUnavailable]
